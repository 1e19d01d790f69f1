#!/bin/bash
# SPDX-License-Identifier: MIT
# Poll, stop and start from an interrupt at each of some hundred consecutive instructions lose nothing in silence
# (tests/target/programs/instants). INSTANTS=20000 in the environment tries more.
. tests/lib/check.sh
more=${INSTANTS:+-DINSTANTS=$INSTANTS}
for build in "mps2-an385 ring" "mps2-an385 direct" "microbit ring"; do
    set -- $build
    elf=$(make -s build-firmware BOARD="$1" APP=tests/target/programs/instants PROBES=none DELIVERY="$2" APP_CFLAGS="$more" \
        VARIANT="i${INSTANTS:-}" | tail -n 1)
    timeout 600 qemu-system-arm -M "$1" -display none -monitor none -serial none -icount shift=6 \
        -semihosting-config enable=on,target=native -kernel "$elf" >"$tmp/out" 2>&1
    status=$?
    sed 's/^/# /' "$tmp/out"
    verdict "$1, $2 delivery: an interrupt at every instruction loses nothing in silence" $status -eq 0
    ! grep -q ' 0 stops refused' "$tmp/out"
    verdict "$1, $2 delivery: stops that interrupt the owner are refused" $? -eq 0
done
