#!/bin/bash
# SPDX-License-Identifier: MIT
# weft export: each file is read by its own client or parser, and has the totals that weft functions and weft coverage
# state. make test-long: the long run of interrupts, lua and zlib.
. tests/lib/check.sh
weft=build/host/weft

number() { # KEY: of the JSON object on standard input, its first such key
    tr ',{' '\n\n' | sed -n "s/^\"$1\":\([0-9]*\).*/\1/p" | head -n 1
}

write() { # FORMAT RECORDING: $tmp/FORMAT and, in $tmp/FORMAT.json, what weft says of it
    $weft export --as "$1" -o "$tmp/$1" --json --elf "$elf" "$2" >"$tmp/$1.json" 2>"$tmp/stderr"
}

sums="python3 tests/target/export_sums.py"
# pprof's own decoder, and speedscope's schema, come from npm (build/npm, made by make).
cat >"$tmp/pprof.js" <<'JS'
const { gunzipSync } = require("zlib"), { readFileSync } = require("fs"), { Profile } = require("pprof-format");
const p = Profile.decode(gunzipSync(readFileSync(process.argv[2]))), text = i => p.stringTable.strings[Number(i)];
let calls = 0n, self = 0n;
for (const s of p.sample) { calls += BigInt(s.value[0]); self += BigInt(s.value[1]); }
console.log(`${calls} ${self} ${p.sampleType.map(t => text(t.type)).join()} ${p.comment.map(text).join("; ")}`);
JS
pprof() {
    NODE_PATH=build/npm/node_modules node "$tmp/pprof.js" "$1"
}

# lcov 2 guesses where functions end, and refuses what does not fit that.
trusting='--rc check_data_consistency=0'

one() { # NAME FULL MAKE...: FULL is --full or nothing
    local name=$1$2 total calls full=$2
    shift 2
    elf=$(make -s build-firmware "$@" 2>"$tmp/log" | tail -n 1)
    $weft capture --icount 5 $full "$elf" -o "$tmp/run.weft" >"$tmp/log" 2>&1
    $weft functions --json --elf "$elf" "$tmp/run.weft" >"$tmp/functions"
    total=$(number total <"$tmp/functions")
    calls=$($weft functions --elf "$elf" "$tmp/run.weft" | awk 'NR > 1 && $1 != "total" { s += $5 } END { print s }')
    for format in folded callgrind speedscope chrome csv lcov pprof perfetto ctf sqlite; do
        write $format "$tmp/run.weft"
    done
    verdict "$name: weft export states the total of weft functions" "$total" -gt 1000 -a "$(number total <"$tmp/folded.json")" = "$total"
    verdict "$name: folded stacks sum up to it" "$(awk '{ s += $NF } END { print s }' "$tmp/folded")" = "$total"
    callgrind_annotate "$tmp/callgrind" >"$tmp/annotated" 2>&1
    verdict "$name: callgrind_annotate prints it" "$(sed -n 's/ .*PROGRAM TOTALS//p' "$tmp/annotated" | tr -d ,)" = "$total"
    verdict "$name: and what ran" "$(sed -n 's/^Profiled target:  *//p' "$tmp/annotated")" = "$(basename "$elf")"
    callgrind_annotate --threshold=100 "$tmp/callgrind" 2>&1 | sed -n 's/^ *\([0-9,]*\) ([^)]*)  [^ ]*:\([^ :]*\)$/\2 \1/p' | tr -d , |
        awk '{ n[$1] += $2 } END { for (f in n) print f, n[f] }' | sort >"$tmp/theirs"
    $weft functions --elf "$elf" "$tmp/run.weft" | awk 'NR > 1 && $1 != "total" { n[$10] += $1 } END { for (f in n) print f, n[f] }' | sort >"$tmp/ours"
    verdict "$name: and the cost of each function" "$(diff "$tmp/ours" "$tmp/theirs" >"$tmp/diff" && wc -l <"$tmp/theirs")0" -gt 40
    head -n 5 "$tmp/diff" | sed 's/^/# /'
    if [ -n "$full" ]; then
        $weft dump --events control --elf "$elf" "$tmp/run.weft" >"$tmp/instructions"
        $sums jumps "$tmp/callgrind" "$tmp/instructions" "$elf" >"$tmp/jumps"
        sed 's/^/# rows, jumps, rows that differ: /' "$tmp/jumps"
        verdict "$name: its jumps are those of the executed instructions" "$(sed -n 's/^\([0-9]*\) [0-9]* 0$/\1/p' "$tmp/jumps")0" -gt 200
    else
        $sums ways "$tmp/callgrind" "$tmp/lcov" >"$tmp/ways"
        sed 's/^/# lines, lines with more: /' "$tmp/ways"
        verdict "$name: its jumps are the branches of lcov" "$(sed -n 's/ 0$//p' "$tmp/ways")" -gt 10
    fi
    verdict "$name: speedscope's weights sum up to it" "$($sums speedscope "$tmp/speedscope")" = "$total instructions, nothing lost"
    verdict "$name: which is what speedscope's schema wants" "$($sums schema "$tmp/speedscope" build/npm/node_modules/speedscope/dist/release/file-format-schema.json)" = valid
    verdict "$name: chrome's events are its calls, begun and ended" "$($sums chrome "$tmp/chrome")" = "$calls $total 0 0"
    verdict "$name: pprof-format reads its calls and instructions" "$(pprof "$tmp/pprof")" = "$calls $total calls,instructions costs are instructions; 0 paths lost"
    verdict "$name: perfetto's slices are its calls, its counters its instructions" \
        "$(protoc --decode=Trace -I tests/target perfetto.proto <"$tmp/perfetto" | $sums perfetto -)" = "$calls $total 0 ${full:+stack}"
    verdict "$name: babeltrace2 reads its calls" "$(babeltrace2 "$tmp/ctf" 2>&1 | $sums ctf -)" = "$calls $total 0"
    verdict "$name: sqlite has its calls, contexts and accesses" "$(sqlite3 -separator ' ' "$tmp/sqlite" \
        'SELECT (SELECT sum(calls) FROM functions), (SELECT sum(calls) FROM calls), (SELECT sum(self) FROM functions), (SELECT sum(instructions) FROM contexts), (SELECT value FROM about WHERE key = "total")')" = "$calls $calls $total $total $total"
    $weft dump --events bus --elf "$elf" "$tmp/run.weft" | awk '$2 == "load" || $2 == "store" { n[$2]++ } END { print n["load"] + 0, n["store"] + 0 }' >"$tmp/bus"
    verdict "$name: and the accesses of weft dump" "$(sqlite3 -separator ' ' "$tmp/sqlite" 'SELECT total(loads) + 0, total(stores) + 0 FROM accesses' | sed 's/\.0//g')" = "$(cat "$tmp/bus")"
    if [ -z "$full" ]; then
        verdict "$name: and the paths" "$(sqlite3 "$tmp/sqlite" 'SELECT sum(instructions) FROM paths')" = "$total"
    else
        write drcov "$tmp/run.weft"
        $weft dump --events control --elf "$elf" "$tmp/run.weft" | awk '$2 == "instruction" || $2 == "skipped" { print $3 }' | sort -u >"$tmp/executed"
        verdict "$name: drcov's blocks are the instructions that ran, $(number total <"$tmp/drcov.json") bytes" \
            "$($sums drcov "$tmp/drcov" "$tmp/executed")" = "$(number events <"$tmp/drcov.json") $(number total <"$tmp/drcov.json") same"
    fi
    verdict "$name: the rows of csv sum up to it" "$(python3 -c 'import csv, sys; print(sum(int(r["self_instructions"]) for r in csv.DictReader(open(sys.argv[1]))))' "$tmp/csv")" = "$total"
    $weft coverage --json --elf "$elf" "$tmp/run.weft" >"$tmp/coverage"
    lcov --summary --rc lcov_branch_coverage=1 $trusting "$tmp/lcov" >"$tmp/summary" 2>&1
    for part in lines functions branches; do
        verdict "$name: lcov counts $part as weft coverage" "$(sed -n "s/^ *$part\.*:.*(\([0-9]*\) of \([0-9]*\) .*/\1 \2/p" "$tmp/summary")" = \
            "$(number ${part}_hit <"$tmp/coverage") $(number ${part}_all <"$tmp/coverage")"
    done
}

interrupts=(APP=interrupts)
in_long || interrupts+=(VARIANT=short INTERRUPT_ITEMS=17)
one interrupts --full "${interrupts[@]}" PROBES=none
one interrupts '' "${interrupts[@]}" PROBES=mem
verdict 'a loop whose head has no line stands where its source does, not where the function begins' \
    "$(sqlite3 -separator ' ' "$tmp/sqlite" "SELECT line FROM loops WHERE function = 'PendSV_Handler' AND entered > turns")" = \
    "$(grep -n 'ring_get(&samples, &sample))' tests/workloads/interrupts/interrupts.c | cut -d : -f 1)"
[ -z "${WEFT_LONG:-}" ] || one lua '' APP=lua PROBES=paths
[ -z "${WEFT_LONG:-}" ] || one zlib '' APP=zlib PROBES=paths
# The last one is of paths only: all that is lost are paths.
one jpeg '' APP=jpeg PROBES=paths
genhtml --branch-coverage -q $trusting -o "$tmp/html" "$tmp/lcov" >"$tmp/log" 2>&1
verdict 'genhtml makes pages of it' -s "$tmp/html/index.html" -a "$(grep -rl 'stbi__idct_block' "$tmp/html" | wc -l)" -gt 0

# Losses are in the files that can show them. A frame is cut out of the middle: each lost record may hold several paths.
size=$(stat -c %s "$tmp/run.weft")
{ head -c $((size / 2)) "$tmp/run.weft" && tail -c $((size / 4)) "$tmp/run.weft"; } >"$tmp/cut.weft"
write callgrind "$tmp/cut.weft"
verdict 'a recording with gaps: status 3' $? -eq 3
lost=$(number lost <"$tmp/callgrind.json")
verdict 'callgrind names the lost paths' "$lost" -gt 0 -a "$(grep -cE "^desc: Lost: at least $lost paths lost$" "$tmp/callgrind")" = 1
write speedscope "$tmp/cut.weft"
verdict 'so does speedscope' "$($sums speedscope "$tmp/speedscope")" = "$(number total <"$tmp/speedscope.json") instructions, at least $lost paths lost"
write chrome "$tmp/cut.weft"
read -r _ _ gaps named < <($sums chrome "$tmp/chrome")
verdict 'so does chrome, and marks where' "$named" = "$lost" -a "$gaps" -gt 0
write pprof "$tmp/cut.weft"
verdict 'so does pprof' "$(pprof "$tmp/pprof" | sed 's/.*; //')" = "at least $lost paths lost"
write perfetto "$tmp/cut.weft"
read -r _ _ named _ < <(protoc --decode=Trace -I tests/target perfetto.proto <"$tmp/perfetto" | $sums perfetto -)
verdict 'so does perfetto, as a counter' "$named" = "$lost"
write ctf "$tmp/cut.weft"
verdict 'babeltrace2 shows as many discarded events' "$(babeltrace2 "$tmp/ctf" 2>&1 >"$tmp/text" | sed -n 's/.*discarded \([0-9]*\) event.*/\1/p' | awk '{ n += $1 } END { print n }')" = "$lost"
write sqlite "$tmp/cut.weft"
verdict 'sqlite has them in its table about' "$(sqlite3 "$tmp/sqlite" 'SELECT value FROM about WHERE key = "lost_paths"')" = "$lost"

# So is the end of a recording that was cut off, of which nothing is counted.
head -c $((size / 2)) "$tmp/run.weft" >"$tmp/half.weft"
write callgrind "$tmp/half.weft"
verdict 'callgrind says that the end is lost' "$(grep -c '^desc: Lost:.*the end of the recording' "$tmp/callgrind")" = 1
verdict '--json of each command says so' "$(for command in functions coverage paths hot stack 'export --as csv -o /dev/null'; do
    $weft $command --json --elf "$elf" "$tmp/half.weft" 2>/dev/null | grep -c '"end":"missing"'
done | xargs)" = '1 1 1 1 1 1'
verdict 'what export prints, too' "$($weft export --as csv -o "$tmp/x" --elf "$elf" "$tmp/half.weft" 2>/dev/null | grep -c 'the end of the recording')" = 1
write perfetto "$tmp/half.weft"
verdict 'perfetto has a last event for it' "$(protoc --decode=Trace -I tests/target perfetto.proto <"$tmp/perfetto" | grep -c 'name: "the end of the recording is lost"')" = 1
write ctf "$tmp/half.weft"
verdict 'ctf names it in its environment' "$(grep -c 'lost = "[^"]*the end of the recording' "$tmp/ctf/metadata")" = 1
write chrome "$tmp/half.weft"
verdict 'so does chrome' "$(grep -cE '"gaps":[1-9][0-9]*,"cut":true' "$tmp/chrome")" = 1
write sqlite "$tmp/half.weft"
verdict 'so does sqlite' "$(sqlite3 "$tmp/sqlite" 'SELECT value FROM about WHERE key IN ("gaps", "cut") AND value > 0' | wc -l)" = 2
$weft overview --elf "$elf" "$tmp/half.weft" >"$tmp/screen" 2>/dev/null
verdict 'so does the overview' "$(head -n 1 "$tmp/screen" | grep -c 'its end is missing')" = 1
$weft report --elf "$elf" "$tmp/half.weft" -o "$tmp/half.html" >/dev/null 2>&1
verdict 'so does the page' "$(grep -c 'its end is missing' "$tmp/half.html")" -gt 0

# The example queries of docs/VIEWS.md.
awk '/^```sql/ { on = 1; next } /^```/ { on = 0 } on' docs/VIEWS.md >"$tmp/queries"
verdict 'five example queries' "$(grep -c ';$' "$tmp/queries")" = 5
write sqlite "$tmp/run.weft"
sqlite3 -bail "$tmp/sqlite" <"$tmp/queries" >"$tmp/answers" 2>"$tmp/stderr"
verdict 'all of them have answers' $? -eq 0 -a "$(grep -c '|' "$tmp/answers")" -gt 25 -a ! -s "$tmp/stderr"
expect 'drcov wants to know each instruction' 1 '' $weft export --as drcov -o "$tmp/x" --elf "$elf" "$tmp/run.weft"
expect 'a context that is not there' 1 '' $weft export --as folded --context Sys -o "$tmp/x" --elf "$elf" "$tmp/run.weft"

echo kept >"$tmp/old"
expect 'bad input leaves the old file' 1 '' $weft export --as folded -o "$tmp/old" --elf "$elf" "$elf"
verdict 'as it was' "$(cat "$tmp/old")" = kept
expect 'an unknown format' 2 '' $weft export --as svg -o "$tmp/x" --elf "$elf" "$tmp/run.weft"
expect 'the input as output' 2 '' $weft export --as folded -o "$tmp/run.weft" --elf "$elf" "$tmp/run.weft"
expect 'a folder that is not there: the host failed' 4 '' $weft export --as folded -o "$tmp/no/x" --elf "$elf" "$tmp/run.weft"

# Names that a format cannot have as they are, and two functions of one name.
mkdir "$tmp/names"
cat >"$tmp/names/main.c" <<'C'
int other(int n);
volatile int sum;
__attribute__((noipa)) static int same(int n)
{
    return sum += n;
}
#line 1 "=1+\033[31m2.c"
__attribute__((noipa)) static int formula(int n)
{
    return sum += 2 * n;
}
#line 1 "(7) a.c"
__attribute__((noipa)) static int seven(int n)
{
    return sum += 3 * n;
}
#line 1 "(7) b.c"
__attribute__((noipa)) static int eight(int n)
{
    return sum += 5 * n;
}
#line 1 "gr\374n.c"
__attribute__((noipa)) static int green(int n)
{
    return sum += 7 * n;
}
#line 1 "main.c"
int main(void)
{
    return same(1) + formula(2) + seven(3) + eight(4) + other(5) + green(6) == 0;
}
C
cat >"$tmp/names/other.c" <<'C'
extern volatile int sum;
__attribute__((noipa)) static int same(int n)
{
    return sum -= n;
}
int other(int n);
__attribute__((noipa)) static int green(int n)
{
    return sum += 11 * n;
}
int other(int n)
{
    return same(n) + green(n);
}
C
elf=$(make -s build-firmware APP="$tmp/names" PROBES=paths 2>"$tmp/log" | tail -n 1)
$weft capture "$elf" -o "$tmp/names.weft" >"$tmp/log" 2>&1
write ctf "$tmp/names.weft"
verdict 'ctf: functions of one name have two labels' \
    "$(babeltrace2 "$tmp/ctf" 2>&1 | sed -n 's/.* enter:.*function = ( "\(same[^"]*\)" .*/\1/p' | xargs)" = 'same (main.c:3) same (other.c:2)'
write folded "$tmp/names.weft"
verdict 'folded: so they have' "$(grep -oE 'same[^;]*' "$tmp/folded" | sed 's/ [0-9]*$//' | sort | xargs)" = 'same (main.c:3) same (other.c:2)'
write csv "$tmp/names.weft"
verdict 'csv: no field begins like a formula' "$(grep -c "\"'=1+" "$tmp/csv")$(grep -cE '(^|,)"[=+@-]' "$tmp/csv")" = 10
write callgrind "$tmp/names.weft"
verdict 'callgrind: no name is an abbreviation' \
    "$(callgrind_annotate --threshold=100 "$tmp/callgrind" 2>&1 | grep -cE '\(7\) (a.c:seven|b.c:eight)$')" = 2
for format in sqlite lcov; do write $format "$tmp/names.weft"; done
verdict 'all of them are UTF-8, where a file is named in Latin-1' "$(python3 - "$tmp" <<'PY'
import sqlite3, sys
place = "gr\ufffdn.c"
texts = [open(f"{sys.argv[1]}/{name}", encoding="utf-8").read() for name in ("folded", "csv", "ctf/metadata")]
rows = sqlite3.connect(f"{sys.argv[1]}/sqlite").execute("select file from functions where name = 'green'").fetchall()
print(*(place in text for text in texts), sorted(row[0].rsplit("/", 1)[-1] for row in rows) == [place, "other.c"])
PY
)" = 'True True True True'
verdict 'lcov and callgrind keep the name, by which the file is opened' \
    "$(LC_ALL=C grep -aPc '^SF:gr\xfcn\.c$' "$tmp/lcov")$(LC_ALL=C grep -aPc '^(f[ile]|cfi)=.*gr\xfcn\.c$' "$tmp/callgrind")" = 12
for command in paths hot grammar functions coverage; do $weft $command --elf "$elf" "$tmp/names.weft" 2>/dev/null; done >"$tmp/texts"
verdict 'no text for people has an escape sequence' "$(grep -c $'\033' "$tmp/texts")$(grep -qF '\x1b[31m2.c' "$tmp/texts" && echo named)" = 0named
# A static function of a header has a copy in each object: one name, one file. Each stays a function of its own.
mkdir -p "$tmp/copies"
cat >"$tmp/copies/step.h" <<'C'
extern volatile int sum;
__attribute__((noipa)) static int step(int n)
{
    for (int i = 0; i < n; i++)
        sum += i;
    return sum;
}
C
printf '#include "step.h"\nvolatile int sum;\nint other(int n);\nint main(void)\n{\n    return !(step(3) + step(4) + other(50));\n}\n' >"$tmp/copies/main.c"
printf '#include "step.h"\nint other(int n);\nint other(int n)\n{\n    return step(n) + 1;\n}\n' >"$tmp/copies/other.c"
elf=$(make -s build-firmware APP="$tmp/copies" PROBES=paths 2>"$tmp/log" | tail -n 1)
$weft capture "$elf" -o "$tmp/copies.weft" >"$tmp/log" 2>&1
write callgrind "$tmp/copies.weft"
$weft functions --json --elf "$elf" "$tmp/copies.weft" | tr '{' '\n' | sed -n 's/.*"name":"step".*"calls":\([0-9]*\),"self":\([0-9]*\).*/\1 \2/p' |
    sort >"$tmp/steps"
verdict 'callgrind: copies of a function are not one' "$(callgrind_annotate --threshold=100 "$tmp/callgrind" 2>&1 |
    sed -n "s/^ *\([0-9,]*\) ([^)]*)  [^ ]*step.h:\(step['2]*\)$/\1/p" | tr -d , | sort | xargs)" = \
    "$(awk '{ print $2 }' "$tmp/steps" | sort | xargs)" -a "$(wc -l <"$tmp/steps")" = 2 -a \
    "$(grep -c "^cfn=step'2$" "$tmp/callgrind")" = 1
write folded "$tmp/copies.weft"
verdict 'folded: nor are they' "$(sed -n 's/.*;step (step.h:2) #[12] //p' "$tmp/folded" | sort | xargs)" = \
    "$(awk '{ print $2 }' "$tmp/steps" | sort | xargs)"
# Of chrome, perfetto and pprof, too, readers add up what has one name.
for format in chrome perfetto pprof; do write $format "$tmp/copies.weft"; done
cat >"$tmp/names.js" <<'JS'
const { gunzipSync } = require("zlib"), { readFileSync } = require("fs"), { Profile } = require("pprof-format");
const p = Profile.decode(gunzipSync(readFileSync(process.argv[2])));
for (const f of p.function) console.log(JSON.stringify(p.stringTable.strings[Number(f.name)]));
JS
steps() {
    grep -o '"step ([^"]*"' | sort -u | tr -d '"' | xargs
}
verdict 'chrome, perfetto and pprof: nor are they' "$({
    steps <"$tmp/chrome"
    protoc --decode=Trace -I tests/target perfetto.proto <"$tmp/perfetto" | steps
    NODE_PATH=build/npm/node_modules node "$tmp/names.js" "$tmp/pprof" | steps
} | uniq -c | xargs)" = '3 step (step.h:2) #1 step (step.h:2) #2'
