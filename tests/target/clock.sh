#!/bin/bash
# SPDX-License-Identifier: MIT
# Stamps of time: with each clock, in both ways of delivery, they are what the program read itself. The board's timer
# is the emulator's virtual time, exactly. Stamps come at entry and exit of chosen functions and every N paths.
# WEFT_LONG: also clocks whose stamps others here imply, and interrupts that come elsewhere.
. tests/lib/check.sh
weft=build/host/weft
check="python3 tests/target/clock/clock_check.py"
app=tests/target/programs/clock.c

build() { # MAKE...: the image
    make -s build-firmware APP=$app "$@" 2>"$tmp/log" | tail -n 1
}

one() { # NAME MAKE...
    local name=$1
    shift
    elf=$(build PROBES=mem STAMPS=64 "$@")
    $weft capture --icount 0 "$elf" -o "$tmp/run.weft" >"$tmp/log" 2>&1
    $weft dump --elf "$elf" --events control "$tmp/run.weft" >"$tmp/dump"
    result=$($check stamps "$tmp/dump")
    echo "# $name: $result"
    verdict "$name: what happened between two stamps happened between their times" "${result%%:*}" = between
    verdict "$name: the time of weft info reaches from the first stamp to the last" \
        "$($weft info --json "$tmp/run.weft" | sed 's/.*"ticks":\([0-9]*\).*/\1/')" -ge \
        "$(awk '$2 == "stamp" { last = $4; if (first == "") first = last } END { print last - first }' "$tmp/dump")"
}

one timer CLOCK=timer
result=$($check every 64 "$tmp/dump")
echo "# $result"
verdict "a stamp about every 64 paths" "${result%%:*}" = near
$weft dump --elf "$elf" --events control --times "$tmp/run.weft" >"$tmp/times"
result=$($check moments "$tmp/times")
echo "# $result"
verdict "each path ended between the stamps around it" "${result%%:*}" = between
verdict "with times, weft dump says the same as without" "$(sed 's/ time_ns [0-9]*//' "$tmp/times" | cmp - "$tmp/dump")" = ""
arm-none-eabi-strip -o "$tmp/stripped.elf" "$elf"
$weft seal "$tmp/stripped.elf"
$weft dump --elf "$tmp/stripped.elf" --events control --times --json "$tmp/run.weft" >"$tmp/out" 2>"$tmp/err"
verdict "times that are shared by estimated instructions are called so: each line, and their number" \
    "$? $(grep -c '"time_ns":[0-9]*,"estimated":true' "$tmp/out")" = \
    "0 $(sed -n 's/.*the times of \([0-9]*\) paths are estimated.*/\1/p' "$tmp/err")"
$weft dump --elf "$tmp/stripped.elf" --events control --times "$tmp/run.weft" >"$tmp/out" 2>/dev/null
verdict "but not where one path ended between two stamps, which says when" \
    "$(grep -c ' time_ns [0-9]*$' "$tmp/out") $(grep -c ' time_ns [0-9]* estimated' "$tmp/out")" != "0 0" -a \
    "$(grep -c ' time_ns [0-9]*$' "$tmp/out")" -gt 0 -a "$(grep -c 'estimated$' "$tmp/out")" -gt 0
for command in functions irq "export --as chrome -o $tmp/chrome"; do
    # shellcheck disable=SC2086 # words
    $weft $command --json --elf "$tmp/stripped.elf" "$tmp/run.weft" >"$tmp/out" 2>"$tmp/err"
    verdict "so does weft ${command%% *}, with how much of the time it is" "$(grep -c 'us are estimated: the time between' "$tmp/err")" = 1 -a \
        "$(grep -oE '"estimated":[1-9][0-9.]*' "$tmp/out" | head -n 1 | cut -d : -f 2)" = \
        "$(sed -n 's/.*note: \([0-9.]*\) us are.*/\1/p' "$tmp/err")"
    $weft $command --json --elf "$elf" "$tmp/run.weft" >"$tmp/out" 2>"$tmp/err"
    verdict "but nothing where all instructions are known" "$(grep -c estimated "$tmp/err")$(grep -cE '"estimated":[1-9]' "$tmp/out")" = 00
done
one "timer, by ring" CLOCK=timer DELIVERY=ring
[ -z "${WEFT_LONG:-}" ] || one "SysTick, the program's" CLOCK=systick
one "SysTick, whose wraps nobody counts" CLOCK=systick FLAGS=-DUNCOUNTED VARIANT=uncounted
one "SysTick, counted late in its handler" CLOCK=systick STAMPS=0 STAMP='*_Handler' FLAGS=-DLATE VARIANT=late
[ -z "${WEFT_LONG:-}" ] || one "SysTick, counted late, on paths" CLOCK=systick FLAGS=-DLATE VARIANT=late
one "the program's clock" CLOCK=hook
[ -z "${WEFT_LONG:-}" ] || one "DWT, which the emulator does not have: the timer" CLOCK=dwt
[ -z "${WEFT_LONG:-}" ] || one "with a grammar" CLOCK=timer CODER=grammar
[ -z "${WEFT_LONG:-}" ] || one "paths alone" CLOCK=timer PROBES=paths
one "chosen functions" CLOCK=timer STAMPS=0 STAMP=work
# Per call of work: a stamp after its entry, before its paths; one after its exit. An interrupt may come in between.
verdict "stamps at entry and exit of chosen functions" \
    "$(grep -c 'entry work' "$tmp/dump")" -gt 400 -a \
    "$(awk '$2 == "entry" && $3 ~ /^work/ && before !~ /stamp|context/ { n++ } after && $2 !~ /stamp|context/ { n++ }
            { before = $2; after = $2 == "exit" && $3 ~ /^work/ } END { print n + 0 }' "$tmp/dump")" -eq 0

# The same where the interrupts come elsewhere: also between the reading of the clock and the event's place.
for period in ${WEFT_LONG:+13333 9001}; do
    one "chosen functions, interrupts every $period ticks" CLOCK=timer STAMPS=0 STAMP=work \
        FLAGS=-DPERIOD=$period VARIANT=$period
done

# One run, seen from outside; its own recording is what it left in its memory.
elf=$(build PROBES=mem CLOCK=timer STAMPS=64 STAMP='*_Handler' SINK=ring)
$weft capture --full --icount 0 "$elf" -o "$tmp/full.weft" >"$tmp/log" 2>&1
make -s build/host/tests/target/clock_check
# shellcheck disable=SC2046 # start and size
build/host/tests/target/clock_check "$elf" "$tmp/full.weft" 40001004 \
    $(arm-none-eabi-nm -S "$elf" | awk '$4 == "weft_trace_ring" { print $1, $2 }') "$tmp/ring" >"$tmp/seen"
result=$($check timer "$tmp/seen")
echo "# $result"
verdict "the board's timer is the emulator's time, to the tick" "${result%%:*}" = same
$weft capture --from-memory "$tmp/ring" -o "$tmp/run.weft" >"$tmp/log" 2>&1
$weft export --as chrome -o "$tmp/chrome" --elf "$elf" "$tmp/run.weft" >"$tmp/log"
verdict "exports are in the clock's time" "$(grep -c ' us,' "$tmp/log")" -eq 1
bound=$($weft info --json "$tmp/run.weft" |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["clock"]["error_max_us"])')
result=$($check truth "$tmp/chrome" "$bound" "$tmp/seen")
echo "# $result; weft info says $bound us"
verdict "each function was entered when weft export says, as exactly as weft info says" "${result%%:*}" = true
$weft functions --json --elf "$elf" "$tmp/run.weft" >"$tmp/functions"
verdict "weft export has the time of weft functions" "$($weft export --as chrome --json -o "$tmp/chrome" --elf "$elf" "$tmp/run.weft" |
    grep -o '"total":[0-9.]*')" = "$(grep -o '"total":[0-9.]*' "$tmp/functions" | head -n 1)"
total=$($weft report --json --elf "$elf" "$tmp/run.weft" -o "$tmp/page" |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["time_us"])')
result=$($check page "$tmp/functions" "$total" "$tmp/page")
echo "# $result"
verdict "weft report has the times of weft functions" "${result%%:*}" = same
