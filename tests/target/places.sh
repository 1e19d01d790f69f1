#!/bin/bash
# SPDX-License-Identifier: MIT
# PLACES=1: at which instruction each interrupt came. The emulator sees each exception from outside: what the target
# found must be where the processor stacked, and what it stacked. Where the run that records repeats exactly, each place
# in the recording is one that the emulator saw.
. tests/lib/check.sh
weft=build/host/weft

places() { # BOARD REPEATS: `same` or nothing
    local board=$1 elf status secure=
    elf=$(make -s build-firmware APP=interrupts VARIANT=short INTERRUPT_ITEMS=24 BOARD="$board" PROBES=paths PLACES=1 \
        2>"$tmp/log" | tail -n 1)
    $weft capture --icount 0 "$elf" -o "$tmp/run.weft" >"$tmp/printed" 2>&1 || cat "$tmp/log" "$tmp/printed"
    $weft capture --icount 0 --full "$elf" -o "$tmp/full.weft" >"$tmp/printed" 2>&1 || cat "$tmp/printed"
    case $board in mps2-an505 | mps3-an547) secure=secure ;; esac
    build/host/tests/target/places_check "$elf" "$tmp/full.weft" "$tmp/run.weft" $2 $secure >"$tmp/result"
    status=$?
    tail -n 5 "$tmp/result" | sed 's/^/# /'
    verdict "$board: each place is where the emulator saw it${2:+, also in the recording}" $status -eq 0 -a \
        "$(sed -n 's/.* placed \([0-9]*\) .*/\1/p' "$tmp/result")" -gt 100
}

places mps2-an385 same
places microbit ''
places mps2-an505 same
[ -n "${WEFT_LONG:-}" ] || exit 0
places mps2-an386 ''
places mps2-an500 ''
places mps3-an547 same
