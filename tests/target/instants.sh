#!/bin/bash
# SPDX-License-Identifier: MIT
# An interrupt at each of many consecutive instructions calls a probe, polls, stops, starts or pauses, with each
# delivery, each coder and the k-slab forest: what comes out is, byte by byte, what a recorder gives that nobody
# interrupts (tests/target/programs/instants). WEFT_LONG (make instants) tries more than 200,000 instants.
. tests/lib/check.sh
per=${WEFT_PER_SERIES:-$([ -n "${WEFT_LONG:-}" ] && echo 300 || echo 6)}
tried=0
for build in "mps2-an385 ring" "mps2-an385 direct" "mps2-an385 direct -DWORKER" "microbit ring -DONLY_RAW" \
    "microbit direct -DONLY_RAW"; do
    set -- $build
    name="$1, $2 delivery${3:+, ${3#-D}}"
    elf=$(make -s build-firmware BOARD="$1" APP=tests/target/programs/instants PROBES=none DELIVERY="$2" \
        APP_CFLAGS="-DPER_SERIES=$per ${3:-}" VARIANT="i$per${3:-}" | tail -n 1)
    timeout 7200 qemu-system-arm -M "$1" -display none -monitor none -serial none -icount shift=6 \
        -semihosting-config enable=on,target=native -kernel "$elf" >"$tmp/out" 2>&1
    status=$?
    sed 's/^/# /' "$tmp/out"
    verdict "$name: an interrupt at every instruction loses nothing in silence" $status -eq 0
    ! grep -q ' 0 stops refused' "$tmp/out"
    verdict "$name: stops that interrupt the owner are refused" $? -eq 0
    tried=$((tried + $(sed -n 's/^all: \([0-9]*\) .*/\1/p' "$tmp/out")))
done
echo "# $tried instants"
verdict "enough instants were tried" "$tried" -ge $((per * 600))
