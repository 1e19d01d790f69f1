#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs every unit test of the core, and the port's own tests, on every board in QEMU. Quick: on the first board only.
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
boards=(build/fw/*/tests)
[ -z "${WEFT_QUICK:-}" ] || boards=(build/fw/mps2-an385/tests)
for test in tests/unit/test_*.c tests/target/test_*.c; do
    for board in "${boards[@]}"; do
        printf '%s\0' "$board/${test:6:-2}.elf"
    done
done | xargs -0 -n 1 -P "${JOBS:-2}" bash -c 'run "$1"' _ | grep --line-buffered -a ''
