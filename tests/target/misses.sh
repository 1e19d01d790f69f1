#!/bin/bash
# SPDX-License-Identifier: MIT
# Architecture histories: every bit is what a naive simulator says that reads the recording (misses_check.c), made from
# a trace or kept in it; what `weft wet misses` counts is what it lists, in both directions, and what that counts.
# make test-long: a Cortex-M0, all workloads, the long run of interrupts.
. tests/lib/check.sh
weft=build/host/weft
check=build/host/tests/target/misses_check
own='branch=gshare:10:7,icache=512:2:16:fifo,dcache=1K:4:16:lru:around'
edges='branch=gshare:1:1,icache=32:1:32,dcache=1K:32:32:fifo
    branch=bimodal:1,icache=64:1:16:lru,dcache=16:1:16:lru:around
    branch=two-level:1:1,icache=1K:64:16:random,dcache=256:16:16:lru:around,flash=1:4' # one way, one line, one set
models="cortex-m7 stm32f1 stm32f4 $own $edges
    branch=two-level:4:6,icache=1K:4:32:random,dcache=512:2:32:fifo,flash=3:8:prefetch branch=backward,flash=1:4"

# board, application, optimisation, more for make
while read -r board app opt more; do
    [ "$board" ] || continue
    name=misses_${board}_$(basename "$app" .c)_${opt#-}
    elf=$(make -s build-firmware BOARD=$board APP=$app OPT=$opt PROBES=none $more 2>"$tmp/make" | tail -n 1)
    if [ ! -f "$elf" ]; then
        cat "$tmp/make"
        echo "not ok $name"
        continue
    fi
    $weft capture --full "$elf" -o "$tmp/full.weft" >/dev/null 2>&1
    $weft wet build "$tmp/full.weft" --elf "$elf" -o "$tmp/x.wet" --model "$own" >/dev/null
    verdicts "$name" env MISSES_TALLY="$tmp/tally" $check "$tmp/full.weft" "$tmp/x.wet" kept $models
done <<LIST
mps2-an385 tests/target/wet/mixture.c -O2
mps2-an385 interrupts -O2 VARIANT=short INTERRUPT_ITEMS=17
${WEFT_LONG:+microbit tests/target/wet/mixture.c -O1
mps2-an385 interrupts -O2
$(for app in adding bzip2 jpeg kernels lua lz4 thermostat threads zlib; do echo mps2-an385 $app -O2; done)
mps2-an386 jpeg -O2
mps2-an385 zlib -Os}
LIST

# The tables and the list, of the last of these: sums agree, and the list backwards is its mirror.
ask() { $weft wet misses "$tmp/x.wet" "$@"; }
for by in statement line object; do
    ask --by $by --json >"$tmp/by_$by"
done
ask --each >"$tmp/each"
ask --each --backward >"$tmp/backward"
ask --each --from 1000 --to 2000 >"$tmp/middle"
ask --from 1000 --to 2000 --json >"$tmp/by_middle"
ask --at main --each >"$tmp/main"
ask --at main --json >"$tmp/by_main"
object=$(sed -n 's/.*"object":"\([a-z_]*\)".*/\1/p' "$tmp/each" | sort | uniq -c | sort -nr | awk 'NR == 1 { print $2 }')
ask --at "$object" --each >"$tmp/object"
ask --at "$object" --json >"$tmp/by_place"
verdict the_list_backwards_is_the_mirror "$(wc -l <"$tmp/each")" -gt 100 -a "$(tac "$tmp/each" | cmp - "$tmp/backward" && echo same)" = same
python3 - "$tmp" "$object" <<'PY' || echo "not ok the_tables_are_compared"
import collections, json, sys

folder, name = sys.argv[1:]
KINDS = {"branch": "branches", "load": "loads", "store": "stores", "fetch": "fetches"}
read = lambda file: json.load(open("%s/%s" % (folder, file)))
lines = lambda file: [json.loads(line) for line in open("%s/%s" % (folder, file))]


def verdict(good, text):
    print(("ok " if good else "not ok ") + text)


def counted(list):
    kinds = collections.Counter(KINDS[miss["kind"]] for miss in list)
    return {kind: kinds[kind] for kind in KINDS.values()}


def totals(table):
    return {kind: table[kind]["misses"] for kind in KINDS.values()}


def rows(table, key, kinds):
    return {kind: sum(row.get(kind, {"misses": 0})["misses"] for row in table[key]) for kind in kinds}


each = lines("each")
for by, key in ("statement", "statements"), ("line", "lines"), ("object", "objects"):
    table = read("by_" + by)
    kinds = ("loads", "stores") if by == "object" else KINDS.values()
    verdict(totals(table) == counted(each) and rows(table, key, kinds) == {k: table[k]["misses"] for k in kinds},
            "by_%s_the_misses_are_those_listed" % by)
wanted = {}
for line in open(folder + "/tally"):
    kind, address, executions, misses = line.split()
    wanted[kind, int(address)] = int(executions), int(misses)
counts = collections.Counter(), collections.Counter()
for row in read("by_statement")["statements"]:
    for kind in KINDS.values():
        for count, what in zip(counts, ("executions", "misses")):
            count[kind, row.get("address", 0)] += row.get(kind, {what: 0})[what]
verdict(len(wanted) > 100 and wanted == {place: (n, counts[1][place]) for place, n in counts[0].items() if n},
        "of_each_statement_they_are_what_the_naive_simulator_counts")
middle = [miss for miss in each if 1000 <= miss["t"] <= 2000]
verdict(middle and lines("middle") == middle and totals(read("by_middle")) == counted(middle),
        "a_stretch_of_time_has_its_own_misses")
main = [miss for miss in each if miss["at"].get("address") == min(
    (m["at"]["address"] for m in lines("main")), default=0)]
verdict(lines("main") == main and totals(read("by_main")) == counted(main), "a_statement_has_its_own_misses")
of_object = [miss for miss in each if miss.get("object") == name]
found = [row for row in read("by_object")["objects"] if row["object"] == name]
verdict(of_object and [m for m in lines("object") if m.get("object") == name] == of_object and
        totals(read("by_place")) == counted(lines("object")) and
        sum(rows({"": found}, "", ("loads", "stores")).values()) == len(of_object), "an_object_has_its_own_misses")
PY

# The recording without a file between.
elf=tests/golden/wet/small.elf
$weft capture --full $elf -o - --icount 0 2>/dev/null | $weft wet build - --elf "$elf" -o "$tmp/piped.wet" >/dev/null
$weft capture --full "$elf" -o "$tmp/full.weft" --icount 0 >/dev/null 2>&1
$weft wet build "$tmp/full.weft" --elf "$elf" -o "$tmp/filed.wet" >/dev/null
verdict a_recording_through_a_pipe_makes_the_same_trace "$(cmp "$tmp/piped.wet" "$tmp/filed.wet" && echo same)" = same
$weft capture --full "$elf" -o - >/dev/full 2>"$tmp/stderr"
verdict standard_output_that_is_full_is_told $? -eq 4 -a "$(grep -c 'cannot write to standard output' "$tmp/stderr")" -eq 1
expect standard_output_takes_full_recordings_only 2 '' $weft capture "$elf" -o -

# The command line.
expect a_model_that_is_none 2 '' $weft wet misses "$tmp/x.wet" --model cortex-m7,dcache=3K:4:32
verdict and_what_is_wrong_is_named "$(cat "$tmp/stderr")" = "weft wet: 'dcache=3K:4:32' is not a preset or parameter of a model"
bad=0
for model in cortex-m8 '' branch=gshare:4:5 icache=16K:3:32 icache=16K:2:24 flash=2:9 flash=2:8:prefetch:lru branch=bimodal \
    dcache=16K:4:32:mru icache=16K:2:32:around cortex-m7, ,cortex-m7 branch=bimodal:21; do
    $weft wet misses "$tmp/x.wet" --model "$model" >/dev/null 2>&1
    [ $? -eq 2 ] || bad=$((bad + 1))
done
verdict each_bad_model_is_refused $bad -eq 0
expect no_model_and_none_kept 2 '' $weft wet misses tests/golden/wet/v3-tier2.wet
expect no_instance_of_a_count 2 '' $weft wet misses "$tmp/x.wet" --at main#2
expect another_grouping 2 '' $weft wet misses "$tmp/x.wet" --by colour

for by in statement line object; do
    python3 -B tests/lib/columns.py 80 $weft wet misses "$tmp/x.wet" --model cortex-m7 --by $by >"$tmp/screen"
    verdict "misses_by_${by}_on_a_terminal_has_names_first" "$(sed -n '/^misses  *branches .*fetches$/,$p' "$tmp/screen" |
        awk 'length > 80 { wide++ } END { print (NR > 3), wide + 0 }')" = "1 0"
done
