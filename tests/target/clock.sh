#!/bin/bash
# SPDX-License-Identifier: MIT
# Stamps of time: each clock, in both ways of delivery, tells the time that the program read itself. The board's timer
# is the emulator's virtual time, exactly. Stamps come at entry and exit of chosen functions and every N paths.
. tests/lib/check.sh
weft=build/host/weft
check="python3 tests/target/clock/clock_check.py"
app=tests/target/programs/clock.c

build() { # MAKE...: the image
    make -s build-firmware APP=$app "$@" 2>"$tmp/log" | tail -n 1
}

elf=$(build PROBES=none FLAGS=-DSILENT VARIANT=silent)
$weft capture --full --icount 0 "$elf" -o "$tmp/full.weft" >"$tmp/log" 2>&1
$weft dump --elf "$elf" "$tmp/full.weft" >"$tmp/dump"
result=$($check timer "$tmp/dump")
echo "# $result"
verdict "the board's timer is the emulator's time, to the tick" "${result%%:*}" = same

one() { # NAME MAKE...
    local name=$1
    shift
    elf=$(build PROBES=mem STAMPS=64 "$@")
    $weft capture --icount 0 "$elf" -o "$tmp/run.weft" >"$tmp/log" 2>&1
    $weft dump --elf "$elf" --events control "$tmp/run.weft" >"$tmp/dump"
    result=$($check stamps "$tmp/dump")
    echo "# $name: $result"
    verdict "$name: what happened between two stamps happened between their times" "${result%%:*}" = between
}

one timer CLOCK=timer
result=$($check every 64 "$tmp/dump")
echo "# $result"
verdict "a stamp about every 64 paths" "${result%%:*}" = near
one "timer, by ring" CLOCK=timer DELIVERY=ring
one "SysTick, the program's" CLOCK=systick
one "SysTick, whose wraps nobody counts" CLOCK=systick FLAGS=-DUNCOUNTED VARIANT=uncounted
one "the program's clock" CLOCK=hook
one "DWT, which the emulator does not have: the timer" CLOCK=dwt
one "with a grammar" CLOCK=timer CODER=grammar
one "chosen functions" CLOCK=timer STAMPS=0 STAMP=work
# Per call of work: a stamp after its entry, before its paths; one after its exit.
verdict "stamps at entry and exit of chosen functions" \
    "$(grep -c 'entry work' "$tmp/dump")" -gt 400 -a \
    "$(awk '$2 == "entry" && $3 ~ /^work/ && before !~ /stamp|context/ { n++ } after && $2 != "stamp" { n++ }
            { before = $2; after = $2 == "exit" && $3 ~ /^work/ } END { print n + 0 }' "$tmp/dump")" -eq 0
