#!/bin/bash
# SPDX-License-Identifier: MIT
# NMI at each instruction of the ring of events, with and without LDREX: nothing is overwritten, out of order or lost,
# and what NMI makes before the end of weft_stop is recorded (tests/target/programs/nmi). A program for a microbit, a
# Cortex-M0, runs on the Cortex-M3 of a mps2-an385 as well, where a watchdog raises NMI.
. tests/lib/check.sh
weft=build/host/weft
# Each context's paths follow one another.
order() {
    awk '$2 == "path" { wrong += $3 != next_[$1] + 0; next_[$1] = $3 + 1; n++ } END { print n + 0, wrong + 0 }' "$1"
}
for board in mps2-an385 microbit; do
    elf=$(make -s build-firmware BOARD=$board APP=tests/target/programs/nmi DELIVERY=ring PROBES=none 2>"$tmp/log" |
        tail -n 1)
    timeout 60 qemu-system-arm -M mps2-an385 -display none -monitor none -serial "file:$tmp/$board.weft" \
        -icount shift=6 -semihosting-config enable=on,target=native -kernel "$elf" >"$tmp/out" 2>&1
    sed 's/^/# /' "$tmp/out"
    $weft dump "$tmp/$board.weft" >"$tmp/events" 2>"$tmp/err"
    verdict "$board: no event is lost" $? -eq 0
    read -r paths wrong < <(order "$tmp/events")
    made=$(sed -n 's/^nmi: \([0-9]*\) in the thread, \([0-9]*\) in NMI, .*/\1 + \2/p' "$tmp/out")
    verdict "$board: each path is recorded, in its place" "$paths $wrong" = "$((made)) 0" -a "$paths" -gt 5000
    verdict "$board: instants of probes and polls, some in masks" \
        "$(awk '$1 == "nmi:" { print ($9 > 1000) + ($11 > 20), $13, $14, $15, $16 }' "$tmp/out")" = "2 start 0, stop 0"
    verdict "$board: what NMI makes before the end of a recording is recorded" "$(grep -c ', 0 wrong$' "$tmp/out")" = 1
    verdict "$board: NMI came before and after that end" \
        "$(awk '$1 == "stops:" { print ($4 > 100) + ($2 - $4 > 100) }' "$tmp/out")" = 2
done
