#!/bin/bash
# SPDX-License-Identifier: MIT
# weft irq: figures of a full recording are those of a slow reading of weft dump; with probes, the handlers are the
# same and as often as their entries.
. tests/lib/check.sh
weft=build/host/weft
. tests/lib/interrupts.sh
short_full
oracle irq
verdict "interrupts: times, intervals, latencies and pre-emption are those of the dump" \
    "$(cat "$tmp/result")" = "same 6"
expect "interrupts have the names of the vector table" 0 \
    '.*PendSV_Handler.*SysTick_Handler.*IRQ8_Handler.*IRQ20_Handler.*' $weft irq --elf "$elf" "$tmp/full.weft"
expect "--context takes one" 0 'instructions[^:]*14  PendSV_Handler[^:]*' \
    $weft irq --context PendSV_Handler --elf "$elf" "$tmp/full.weft"

size=$(stat -c %s "$tmp/full.weft")
head -c $((size / 2)) "$tmp/full.weft" >"$tmp/cut.weft"
expect "a cut full recording: done, with a gap" 3 'no interrupt or exception was handled.*' $weft irq --elf "$elf" "$tmp/cut.weft"
expect "without an image the command line is wrong" 2 '' $weft irq "$tmp/full.weft"
expect "--help says what there is" 0 '.*latency.*' $weft irq --help

probed=$(short PROBES=paths)
expect "another image is refused" 1 '' $weft irq --elf "$probed" "$tmp/full.weft"
$weft capture --icount 0 "$probed" -o "$tmp/run.weft" >"$tmp/log" 2>&1
$weft irq --json --elf "$probed" "$tmp/run.weft" >"$tmp/irq.json"
python3 - "$tmp/irq.json" <<'END' >"$tmp/mine"
import json, sys
for i in json.load(open(sys.argv[1]))["interrupts"]:
    print(i["name"], i["count"])
END
$weft dump --events control --elf "$probed" "$tmp/run.weft" |
    awk '$2 == "entry" && $3 ~ /_Handler$/ && $1 { n[$3]++ } END { for (f in n) print f, n[f] }' | sort >"$tmp/entries"
verdict "with probes: as often as the handlers are entered" \
    "$(sort "$tmp/mine" | diff - "$tmp/entries" >"$tmp/diff" && wc -l <"$tmp/entries")0" -ge 40
sed 's/^/# /' "$tmp/diff"
size=$(stat -c %s "$tmp/run.weft")
head -c $((size / 2)) "$tmp/run.weft" >"$tmp/cut.weft"
expect "a cut recording with probes: done, with gaps" 3 '.*' $weft irq --elf "$probed" "$tmp/cut.weft"
