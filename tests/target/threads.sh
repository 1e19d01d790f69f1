#!/bin/bash
# SPDX-License-Identifier: MIT
# An RTOS reports to the recorder which thread runs: each thread is a context of its own. The two threads of the
# workload do the same work, pre-empted at different places, so the paths of both must be the same sequence.
set -u
weft=build/host/weft
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for build in "mps2-an385 -O0 direct" "mps2-an385 -O2 direct" "microbit -O2 direct"; do
    set -- $build
    elf=$(make -s build-firmware BOARD="$1" APP=threads PROBES=mem OPT="$2" DELIVERY="$3" | tail -n 1)
    $weft capture "$elf" -o "$out/threads.weft" >"$out/log" 2>&1
    $weft dump "$out/threads.weft" --elf "$elf" 2>>"$out/log" >"$out/dump"
    for thread in 512 513; do
        awk -v thread=$thread '$1 == thread && ($2 == "path" || $2 == "entry")' "$out/dump" | cut -d ' ' -f 2- >"$out/$thread"
    done
    # At the end the threads idle, one longer than the other.
    same=$(cat "$out/512" "$out/513" | wc -l)
    same=$((same / 2 - 100))
    switches=$(awk '$2 == "context" && $1 >= 512' "$out/dump" | wc -l)
    if [ "$switches" -ge 4 ] && [ $same -gt 1000 ] &&
        cmp <(head -n $same "$out/512") <(head -n $same "$out/513") >>"$out/log" 2>&1; then
        echo "ok $1 $2 $3: both threads show the same paths, through $switches switches"
    else
        tail -n 5 "$out/log" | sed 's/^/# /'
        echo "not ok $1 $2 $3: both threads show the same paths, through $switches switches"
    fi
done
