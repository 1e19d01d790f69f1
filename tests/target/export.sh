#!/bin/bash
# SPDX-License-Identifier: MIT
# weft export: each file is read by its own client or parser, and has the totals that weft functions and weft coverage
# state.
. tests/lib/check.sh
weft=build/host/weft

number() { # KEY: of the JSON object on standard input, its first such key
    tr ',{' '\n\n' | sed -n "s/^\"$1\":\([0-9]*\).*/\1/p" | head -n 1
}

write() { # FORMAT RECORDING: $tmp/FORMAT and, in $tmp/FORMAT.json, what weft says of it
    $weft export --as "$1" -o "$tmp/$1" --json --elf "$elf" "$2" >"$tmp/$1.json" 2>"$tmp/stderr"
}

# What a file of JSON sums up to: weights of speedscope; of chrome the time in activations that are not within others,
# if begins and ends are pairs.
cat >"$tmp/sums.py" <<'PY'
import json, sys
data = json.load(open(sys.argv[1]))
if "profiles" in data:
    assert data["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames, total = len(data["shared"]["frames"]), 0
    for p in data["profiles"]:
        assert p["type"] == "sampled" and p["unit"] == "none" and len(p["samples"]) == len(p["weights"])
        assert all(0 <= f < frames for s in p["samples"] for f in s) and sum(p["weights"]) == p["endValue"]
        total += p["endValue"]
    print(total, data["name"])
else:
    stacks, begins, gaps, last, top = {}, 0, 0, 0, []
    for e in data["traceEvents"]:
        assert e["ts"] >= last
        last = e["ts"]
        stack = stacks.setdefault(e["tid"], [])
        if e["ph"] == "B":
            stack.append(e["name"])
            begins += 1
        elif e["ph"] == "E":
            assert stack.pop() == e["name"]
        else:
            gaps += 1
    assert not any(stacks.values())
    print(begins, last, gaps, data["otherData"]["lost_paths"])
PY

one() { # NAME FULL MAKE...: FULL is --full or nothing
    local name=$1$2 total calls full=$2
    shift 2
    elf=$(make -s build-firmware "$@" 2>"$tmp/log" | tail -n 1)
    $weft capture $full "$elf" -o "$tmp/run.weft" >"$tmp/log" 2>&1
    $weft functions --json --elf "$elf" "$tmp/run.weft" >"$tmp/functions"
    total=$(number total <"$tmp/functions")
    calls=$($weft functions --elf "$elf" "$tmp/run.weft" | awk 'NR > 1 && $1 != "total" { s += $5 } END { print s }')
    for format in folded callgrind speedscope chrome csv lcov; do
        write $format "$tmp/run.weft"
    done
    verdict "$name: weft export states the total of weft functions" "$total" -gt 1000 -a "$(number total <"$tmp/folded.json")" = "$total"
    verdict "$name: folded stacks sum up to it" "$(awk '{ s += $NF } END { print s }' "$tmp/folded")" = "$total"
    callgrind_annotate "$tmp/callgrind" >"$tmp/annotated" 2>&1
    verdict "$name: callgrind_annotate prints it" "$(sed -n 's/ .*PROGRAM TOTALS//p' "$tmp/annotated" | tr -d ,)" = "$total"
    callgrind_annotate --threshold=100 "$tmp/callgrind" 2>&1 | sed -n 's/^ *\([0-9,]*\) ([^)]*)  [^ ]*:\([^ :]*\)$/\2 \1/p' | tr -d , |
        awk '{ n[$1] += $2 } END { for (f in n) print f, n[f] }' | sort >"$tmp/theirs"
    $weft functions --elf "$elf" "$tmp/run.weft" | awk 'NR > 1 && $1 != "total" { n[$10] += $1 } END { for (f in n) print f, n[f] }' | sort >"$tmp/ours"
    verdict "$name: and the cost of each function" "$(diff "$tmp/ours" "$tmp/theirs" >"$tmp/diff" && wc -l <"$tmp/theirs")0" -gt 40
    head -n 5 "$tmp/diff" | sed 's/^/# /'
    verdict "$name: speedscope's weights sum up to it" "$(python3 "$tmp/sums.py" "$tmp/speedscope")" = "$total instructions, nothing lost"
    verdict "$name: chrome's events are its calls, begun and ended" "$(python3 "$tmp/sums.py" "$tmp/chrome")" = "$calls $total 0 0"
    verdict "$name: the rows of csv sum up to it" "$(python3 -c 'import csv, sys; print(sum(int(r["self_instructions"]) for r in csv.DictReader(open(sys.argv[1]))))' "$tmp/csv")" = "$total"
    $weft coverage --json --elf "$elf" "$tmp/run.weft" >"$tmp/coverage"
    lcov --summary --rc lcov_branch_coverage=1 "$tmp/lcov" >"$tmp/summary" 2>&1
    for part in lines functions branches; do
        verdict "$name: lcov counts $part as weft coverage" "$(sed -n "s/^ *$part\.*:.*(\([0-9]*\) of \([0-9]*\) .*/\1 \2/p" "$tmp/summary")" = \
            "$(number ${part}_hit <"$tmp/coverage") $(number ${part}_all <"$tmp/coverage")"
    done
}

one jpeg '' APP=jpeg PROBES=paths
genhtml --branch-coverage -q -o "$tmp/html" "$tmp/lcov" >"$tmp/log" 2>&1
verdict 'genhtml makes pages of it' -s "$tmp/html/index.html" -a "$(grep -rl 'stbi__idct_block' "$tmp/html" | wc -l)" -gt 0
one interrupts --full APP=interrupts PROBES=none
one interrupts '' APP=interrupts PROBES=mem
one lua '' APP=lua PROBES=paths

# Losses are in the files that can show them. A frame is cut out of the middle.
size=$(stat -c %s "$tmp/run.weft")
{ head -c $((size / 2)) "$tmp/run.weft" && tail -c $((size / 4)) "$tmp/run.weft"; } >"$tmp/cut.weft"
write callgrind "$tmp/cut.weft"
verdict 'a recording with gaps: status 3' $? -eq 3
lost=$(number lost <"$tmp/callgrind.json")
verdict 'callgrind names the lost paths' "$lost" -gt 0 -a "$(grep -c "^desc: Lost: $lost paths" "$tmp/callgrind")" = 1
write speedscope "$tmp/cut.weft"
verdict 'so does speedscope' "$(python3 "$tmp/sums.py" "$tmp/speedscope")" = "$(number total <"$tmp/speedscope.json") instructions, $lost paths lost"
write chrome "$tmp/cut.weft"
read -r _ _ gaps named < <(python3 "$tmp/sums.py" "$tmp/chrome")
verdict 'so does chrome, and marks where' "$named" = "$lost" -a "$gaps" -gt 0

echo kept >"$tmp/old"
expect 'bad input leaves the old file' 1 '' $weft export --as folded -o "$tmp/old" --elf "$elf" "$elf"
verdict 'as it was' "$(cat "$tmp/old")" = kept
expect 'an unknown format' 2 '' $weft export --as svg -o "$tmp/x" --elf "$elf" "$tmp/run.weft"
expect 'the input as output' 2 '' $weft export --as folded -o "$tmp/run.weft" --elf "$elf" "$tmp/run.weft"
expect 'a folder that is not there: the host failed' 4 '' $weft export --as folded -o "$tmp/no/x" --elf "$elf" "$tmp/run.weft"
