#!/bin/bash
# SPDX-License-Identifier: MIT
# PLACES=1: at which instruction each interrupt came. The emulator sees each exception from outside: what the target
# recorded must be what the exception interrupted, where the processor stacked, and what it stacked.
. tests/lib/check.sh
weft=build/host/weft

places() { # BOARD MAKE...
    local board=$1 elf status secure=
    shift
    elf=$(make -s build-firmware APP=interrupts VARIANT=short INTERRUPT_ITEMS=17 BOARD="$board" PLACES=1 "$@" \
        2>"$tmp/log" | tail -n 1)
    $weft capture --icount 0 --full --trust --argument weft-trace="$tmp/run.weft" "$elf" -o "$tmp/full.weft" \
        >"$tmp/printed" 2>&1 || cat "$tmp/log" "$tmp/printed"
    case $board in mps2-an505 | mps3-an547) secure=secure ;; esac
    build/host/tests/target/places_check "$elf" "$tmp/full.weft" "$tmp/run.weft" $secure >"$tmp/result"
    status=$?
    tail -n 5 "$tmp/result" | sed 's/^/# /'
    verdict "$board $*: each place is what the emulator saw" $status -eq 0 -a \
        "$(sed -n 's/.* placed \([0-9]*\) .*/\1/p' "$tmp/result")" -gt 80
}

places mps2-an385 PROBES=paths
places microbit PROBES=mem
places mps2-an505 PROBES=paths OPT=-Os
[ -n "${WEFT_LONG:-}" ] || exit 0
places mps2-an386 PROBES=paths
places mps2-an500 PROBES=paths
places mps3-an547 PROBES=paths
