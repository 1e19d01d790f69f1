#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs the port's own tests on every board in QEMU, and every unit test of the core on one board of each architecture;
# with WEFT_LONG on every board. Quick: on the first board only.
set -u
run() {
    elf=$1
    board=${elf#build/fw/}
    board=${board%%/*}
    # Time by instructions: the same run each time, however busy the machine is.
    out=$(timeout 60 qemu-system-arm -M "$board" -display none -monitor none -serial none -icount shift=4 \
        -semihosting-config enable=on,target=native,arg=test -kernel "$elf" 2>&1 </dev/null)
    status=$?
    name=$(basename "$elf" .elf)
    sed -E "s/^(ok|not ok) /\1 $board $name: /" <<<"$out"
    if [ $status -ne 0 ] || ! grep -q '^ok ' <<<"$out"; then
        echo "not ok $board $name ended with status $status"
    fi
}
export -f run
make -s board-tests | tr '\n' '\0' | xargs -0 -n 1 -P "${JOBS:-2}" bash -c 'run "$1"' _ | grep --line-buffered -a ''
