#!/bin/bash
# SPDX-License-Identifier: MIT
# Random programs (csmith), and what Weft says of them, each on one of five boards at one of six levels:
#   coverage      lines and branches at -O0 are gcov's; where they are not, gcov's own counters say what Weft does
#   costs         no path executes another number of instructions than the image says
#   functions     their instructions are what the emulator saw
#   rerun         a recording of paths, executed again, is what the emulator saw
#   trace         every instruction, value and access; slices against a naive implementation
#   exports       costs, calls, jumps and branches in files for other tools agree with each other, and the jumps of a
#                 full recording with its instructions
#   debugger      of a third of them: registers and memory are the emulator's stub's
#     tests/truth/random_views.sh [COUNT [FIRST]]      COUNT seeds from FIRST on; default 100, 1
. tests/lib/check.sh
count=${1:-100} first=${2:-1}
weft=build/host/weft
checks=build/host/tests/target
boards=(mps2-an385 mps2-an386 mps2-an505 mps2-an500 microbit)
levels=(-O0 -O1 -O2 -Os -O3 -Og)
include=-I/usr/include/csmith
arm-none-eabi-gcc -mthumb -mcpu=cortex-m3 -O2 -c tests/target/gcov/dump.c -o "$tmp/dump.o"

build() { # MAKE...
    timeout 120 make -s build-firmware APP="$program" "$@" 2>>"$tmp/make" | tail -n 1
}
capture() {
    timeout 100 $weft capture "$@" >"$tmp/said" 2>&1
}

coverage() {
    local elf
    elf=$(build PROBES=none OPT=-O0 VARIANT=counted FLAGS="$include -w --coverage -fprofile-info-section=gcov_infos" \
        APP_LDLIBS="$tmp/dump.o -lgcov")
    timeout 100 $weft capture --full "$elf" -o "$tmp/counted" >"$tmp/printed" 2>&1
    elf=$(build PROBES=paths OPT=-O0 VARIANT=flags FLAGS="$include -w")
    capture "$elf" -o "$tmp/run"
    $weft coverage --json --elf "$elf" "$tmp/run" >"$tmp/coverage"
    python3 -B tests/target/gcov/compare.py "$tmp/printed" "$tmp/coverage" any >"$tmp/compared" 2>&1
    tail -n 1 "$tmp/compared" | grep -q '^lines [1-9][0-9]* 0 branches [1-9][0-9]* 0 '
}
costs() {
    $checks/costs_check "$elf" "$tmp/full" -v >"$tmp/compared" 2>&1
    grep -q '^costs: .* wrong=0 ' "$tmp/compared"
}
functions() {
    $weft functions --with-probes --json --elf "$elf" "$tmp/run" | tr '{' '\n' | tr -d '"' |
        sed -n 's/^name:\([^,]*\),.*self:\([0-9]*\),more:\([0-9]*\),estimated:\([0-9]*\),.*/\1 \2 \3 \4/p' >"$tmp/mine"
    $weft dump --events control --elf "$elf" "$tmp/full" |
        awk '$2 == "instruction" || $2 == "skipped" { n[$4]++ } END { for (f in n) print f, n[f] }' >"$tmp/seen"
    awk 'NR == FNR { least[$1] += $2; most[$1] += $2 + $3; guess[$1] += $4; next }
         $1 in least && !guess[$1] { all++ }
         $1 in least && !guess[$1] && ($2 < least[$1] || $2 > most[$1]) { print $0, least[$1], most[$1]; bad = 1 }
         END { exit bad || !all }' "$tmp/mine" "$tmp/seen" >"$tmp/compared"
}
rerun() {
    capture --full --trust --argument weft-trace="$tmp/trace" "$elf" -o "$tmp/probed" || return 0 # no stack left
    $weft rerun "$tmp/run" --elf "$elf" --zero -o "$tmp/again" >"$tmp/compared" 2>&1
    local status=$? # 3: what the program was called is not known
    [ $status = 0 ] || [ $status = 3 ] && $checks/rerun_check "$elf" "$tmp/probed" "$tmp/again" >"$tmp/compared" 2>&1
}
trace() {
    capture --full --icount 0 "$plain" -o "$tmp/bare"
    timeout 100 $weft wet build "$tmp/bare" --elf "$plain" -o "$tmp/bare.wet" >"$tmp/said" 2>&1
    timeout 300 $checks/wet_check "$tmp/bare" "$plain" "$tmp/bare.wet" 6 >"$tmp/compared" 2>&1
}
exports() {
    local total calls sums="python3 -B tests/target/export_sums.py"
    for as in folded callgrind chrome perfetto csv lcov sqlite; do
        $weft export --as $as -o "$tmp/as.$as" --elf "$elf" "$tmp/run" >"$tmp/said" 2>&1 || return
    done
    read -r total calls < <($weft functions --json --elf "$elf" "$tmp/run" | python3 -c 'import json, sys
r = json.load(sys.stdin)
print(r["total"], sum(f["calls"] for f in r["functions"]))')
    {
        awk '{ s += $NF } END { print s }' "$tmp/as.folded"
        python3 -c 'import csv, sys; print(sum(int(r["self_instructions"]) for r in csv.DictReader(open(sys.argv[1]))))' "$tmp/as.csv"
        callgrind_annotate "$tmp/as.callgrind" 2>&1 | sed -n 's/ .*PROGRAM TOTALS//p' | tr -d ,
        sqlite3 "$tmp/as.sqlite" 'SELECT sum(self) FROM functions'
        $sums chrome "$tmp/as.chrome"
        protoc --decode=Trace -I tests/target perfetto.proto <"$tmp/as.perfetto" | $sums perfetto - | sed 's/ *$//'
        $sums ways "$tmp/as.callgrind" "$tmp/as.lcov" | sed 's/.* //'
        $weft export --as callgrind -o "$tmp/as.full" --elf "$plain" "$tmp/bare" >"$tmp/said" 2>&1
        $weft dump --events control --elf "$plain" "$tmp/bare" >"$tmp/instructions"
        $sums jumps "$tmp/as.full" "$tmp/instructions" "$plain" | sed 's/.* //'
    } >"$tmp/compared"
    printf '%s\n' $total $total $total $total "$calls $total 0 0" "$calls $total 0" 0 0 | diff - "$tmp/compared" >"$tmp/differ" ||
        { mv "$tmp/differ" "$tmp/compared"; false; }
}
debugger() {
    timeout 300 python3 tests/target/debug_truth.py $weft "$tmp/bare.wet" "$plain" $board 60 16 >"$tmp/compared" 2>&1 &&
        [ "$(grep -c '^ok' "$tmp/compared")" = 2 ]
}

tried=0
for ((seed = first; seed < first + count; seed++)); do
    program=$tmp/random$seed.c
    (cd "$tmp" && csmith --seed "$seed" --float --no-volatiles --max-funcs 12 --max-block-depth 4 --no-packed-struct >"$program")
    # Not those that take long, or do not end.
    gcc -w -O1 $include "$program" -o "$tmp/native" && timeout 1 "$tmp/native" >"$tmp/said" 2>&1 || continue
    : >"$tmp/make"
    board=${boards[seed % 5]} level=${levels[seed % 6]}
    elf=$(build BOARD=$board OPT=$level PROBES=paths FLAGS="$include -w")
    plain=$(build BOARD=$board OPT=$level PROBES=none FLAGS="$include -w")
    if [ ! -f "$elf" ] || [ ! -f "$plain" ]; then
        grep -q 'will not fit\|overflowed' "$tmp/make" && continue # too large for a microbit
        echo "not ok seed $seed: builds for $board"
        continue
    fi
    cp "$plain" "$tmp/random.elf" # what the program sees of its name is the same in both emulators
    plain=$tmp/random.elf
    capture --icount 0 --full "$elf" -o "$tmp/full" && capture --icount 0 "$elf" -o "$tmp/run" || continue # no stack left
    tried=$((tried + 1))
    for view in costs functions rerun trace exports debugger coverage; do
        [ $view != debugger ] || [ $((seed % 3)) = 0 ] || continue
        if $view; then
            echo "ok seed $seed $board $level: $view"
        else
            tail -n 6 "$tmp/compared" | cut -c 1-200 | sed 's/^/# /'
            echo "not ok seed $seed $board $level: $view"
        fi
    done
    rm -rf build/fw/*/random"$seed"-* "$program"
done
verdict "$tried programs of $count seeds" "$tried" -gt 0
