#!/bin/bash
# SPDX-License-Identifier: MIT
# weft race: all of 50 planted races are found (three seeds, three ways to compile), and none in protected variants or
# in the workloads; threads with locks.
. tests/lib/check.sh
weft=build/host/weft

record() { # MAKE...: $elf and $tmp/full.weft
    elf=$(make -s build-firmware PROBES=none "$@" 2>"$tmp/log" | tail -n 1)
    $weft capture --full "$elf" -o "$tmp/full.weft" >"$tmp/log" 2>&1
}

planted() { # SEED MAKE...
    local seed=$1
    shift
    mkdir -p "$tmp/$seed"
    python3 tests/target/inspect/races.py "$seed" 50 "$tmp/$seed/races.c" "$tmp/expected"
    record "APP=$tmp/$seed/races.c" "$@"
    $weft race --json --elf "$elf" "$tmp/full.weft" >"$tmp/races.json"
    python3 tests/target/inspect/races.py --compare "$tmp/expected" "$tmp/races.json" >"$tmp/result"
    sed 's/^/# /' "$tmp/result"
    verdict "seed $seed $*: all races are found, and none that is not one" \
        "$(cat "$tmp/result")" = "found 50 of 50, wrong 0 of 33"
    rm -rf "$(dirname "$(dirname "$elf")")"
}

planted 1
planted 2 OPT=-O0
planted 3 OPT=-Os

for app in interrupts threads thermostat; do
    record APP=$app
    expect "$app: no race" 0 '.*0 races; [0-9]* bytes.*' $weft race --elf "$elf" "$tmp/full.weft"
done

record APP=tests/target/inspect/sharing.c
names() {
    $weft race --json "$@" --elf "$elf" "$tmp/full.weft" | python3 -c '
import json, sys
print(*sorted({r["object"] for r in json.load(sys.stdin)["races"]}))'
}
verdict "threads: masks, exclusive stores and known locks protect" "$(names)" = "locked plain"
verdict "threads: --lock names others" "$(names --lock take_lock:give_lock)" = "plain"
expect "one interleaving" 0 \
    '.*lost update of plain.*thread thread loads it  thread sharing.c:[0-9]*.*stores it.*stores it.*' \
    $weft race --elf "$elf" "$tmp/full.weft"
expect "a lock that is not in the image: the command line is wrong" 2 '' \
    $weft race --lock no:such --elf "$elf" "$tmp/full.weft"
expect "a lock without its other half: the command line is wrong" 2 '' \
    $weft race --lock take_lock --elf "$elf" "$tmp/full.weft"
head -c $(($(stat -c %s "$tmp/full.weft") - 30)) "$tmp/full.weft" >"$tmp/cut.weft"
expect "a cut full recording: done, with a gap" 3 '.*races.*' $weft race --elf "$elf" "$tmp/cut.weft"
