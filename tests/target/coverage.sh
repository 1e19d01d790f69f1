#!/bin/bash
# SPDX-License-Identifier: MIT
# weft coverage: counts of lines are those of gcov on the same program, built for the host at -O0; calls of functions
# are the entries that weft dump prints; recordings add up.
. tests/lib/check.sh
weft=build/host/weft
folder=tests/workloads/kernels
elf=$(make -s build-firmware APP=kernels PROBES=paths OPT=-O0 2>"$tmp/log" | tail -n 1)
$weft capture "$elf" -o "$tmp/run.weft" >"$tmp/log" 2>"$tmp/printed"
$weft coverage --lines --elf "$elf" "$tmp/run.weft" | sed 's|\t.*/|\t|' >"$tmp/lines"

(cd "$tmp" && gcc -O0 --coverage -ffp-contract=off -DSCALE=1 -I"$OLDPWD/$folder" -I"$OLDPWD" "$OLDPWD/$folder"/*.c -lm -o kernels &&
    ./kernels >host && for data in ./*.gcda; do gcov -t -b -c "$data"; done >all.gcov 2>log)
verdict 'kernels prints the same on the host' "$(grep -c . "$tmp/host")" -gt 5 -a "$(grep -vxFf "$tmp/printed" "$tmp/host")" = ''
# COUNT tab FILE:LINE, headers added up. Left out is the function that the C library's qsort calls: each library has its
# own.
awk -F: '{ gsub(/ /, "", $1); gsub(/ /, "", $2) }
    $2 == "0" && $3 == "Source" { n = split($4, path, "/"); file = path[n] }
    $2 != "0" && $1 ~ /^[0-9#]+[*]?$/ { gsub(/[*#]/, "", $1); sum[file ":" $2] += $1 }
    END { for (k in sum) print sum[k] + 0 "\t" k }' "$tmp/all.gcov" >"$tmp/gcov"
awk 'NR == FNR { gcov[$2] = $1; next }
    $2 == "control.c:21" || $2 == "control.c:23" { next }
    $2 in gcov && gcov[$2] == $1 { same++; next }
    { print $2, "weft", $1, "gcov", gcov[$2]; differ++ }
    END { print "same", same + 0, "differ", differ + 0 }' "$tmp/gcov" "$tmp/lines" >"$tmp/result"
sed 's/^/# /' "$tmp/result" | tail -n 8
verdict 'lines run as often as gcov counts them' "$(sed -n 's/^same \([0-9]*\) differ 0/\1/p' "$tmp/result")0" -gt 2000

# Without any probe: from a full recording and the line table. On line 138 of control.c a call of setjmp returns twice,
# which gcov does not count.
bare=$(make -s build-firmware APP=kernels PROBES=none OPT=-O0 2>"$tmp/log" | tail -n 1)
$weft capture --full "$bare" -o "$tmp/full.weft" >"$tmp/log" 2>"$tmp/printed"
$weft coverage --lines --elf "$bare" "$tmp/full.weft" | sed 's|\t.*/|\t|' >"$tmp/full"
awk 'NR == FNR { gcov[$2] = $1; next }
    $2 == "control.c:21" || $2 == "control.c:23" || $2 == "control.c:138" || !($2 in gcov) { next }
    gcov[$2] == $1 { same++; next }
    { print $2, "weft", $1, "gcov", gcov[$2]; differ++ }
    END { print "same", same + 0, "differ", differ + 0 }' "$tmp/gcov" "$tmp/full" >"$tmp/result"
sed 's/^/# /' "$tmp/result" | tail -n 8
verdict 'a full recording, no probes: lines run as often as gcov counts them' "$(sed -n 's/^same \([0-9]*\) differ 0/\1/p' "$tmp/result")0" -gt 1990
$weft wet build "$tmp/full.weft" --elf "$bare" -o "$tmp/run.wet" >"$tmp/log" 2>&1
$weft coverage --json --elf "$bare" "$tmp/full.weft" >"$tmp/full.json"
verdict 'a .wet has the same lines, branches and functions' "$($weft coverage --json --elf "$bare" "$tmp/run.wet" | cmp - "$tmp/full.json" && echo same)" = same
$weft coverage --lines --elf "$bare" "$tmp/full.weft" "$tmp/run.wet" | sed 's|\t.*/|\t|' >"$tmp/twice"
verdict 'both add up' "$(awk '{ print 2 * $1 "\t" $2 }' "$tmp/full" | diff - "$tmp/twice" >"$tmp/diff" && wc -l <"$tmp/twice")0" -gt 2000
expect 'a recording with probes does not add to them' 1 '' $weft coverage --elf "$bare" "$tmp/full.weft" "$tmp/run.weft"
# Conditional branches: executed as often as the instruction that branches.
$weft dump --events control --elf "$bare" "$tmp/full.weft" | awk '$2 == "instruction" { n[$3]++ } END { for (a in n) print a, n[a] }' >"$tmp/executed"
python3 - "$tmp/full.json" "$tmp/executed" >"$tmp/result" <<'PY'
import json, sys
executed = {int(a, 16): int(n) for a, n in (l.split() for l in open(sys.argv[2]))}
b = [b for f in json.load(open(sys.argv[1]))["files"] for b in f["branches"]]
print(len(b), sum(b["taken"] + b["not_taken"] != executed.get(b["block"], 0) for b in b), sum(b["ways"] > 2 for b in b))
PY
sed 's/^/# branches, of which differ, of tables: /' "$tmp/result"
verdict 'the ways of each branch are all of its executions' "$(sed -n 's/^\([0-9]*\) 0 [1-9].*/\1/p' "$tmp/result")0" -gt 10000

# Functions, and sums.
$weft dump --events control --elf "$elf" "$tmp/run.weft" |
    awk '$2 == "entry" { n[$3]++ } END { for (f in n) print f, n[f] }' | sort >"$tmp/entries"
functions() {
    tr '{' '\n' | tr -d '"' | sed -n 's/^name:\([^,]*\),line:[0-9]*,count:\([1-9][0-9]*\)}.*/\1 \2/p' | sort
}
$weft coverage --json --elf "$elf" "$tmp/run.weft" | functions >"$tmp/functions"
verdict 'calls are the entries of weft dump' "$(diff "$tmp/functions" "$tmp/entries" >"$tmp/diff" && wc -l <"$tmp/entries")0" -gt 100
head -n 5 "$tmp/diff" | sed "s/^/# /"
$weft coverage --lines --elf "$elf" "$tmp/run.weft" "$tmp/run.weft" | sed 's|\t.*/|\t|' >"$tmp/twice"
verdict 'two recordings add up' "$(awk '{ print 2 * $1 "\t" $2 }' "$tmp/lines" | diff - "$tmp/twice" >"$tmp/diff" && wc -l <"$tmp/twice")0" -gt 2000

# Branches against gcov's, by line, those of switches too: each place that its cases lead to is a way out.
$weft coverage --json --elf "$elf" "$tmp/run.weft" >"$tmp/json"
python3 - "$tmp/all.gcov" "$tmp/json" >"$tmp/result" <<'PY'
import json, re, sys
gcov, weft, file, line = {}, {}, None, None
for text in open(sys.argv[1]):
    at = re.match(r"\s*[^:]+:\s*(\d+):(.*)", text)
    way = re.match(r"branch\s+\d+ (?:never executed|taken (\d+))", text)
    if at and at.group(1) == "0":
        file = at.group(2)[7:].split("/")[-1] if at.group(2).startswith("Source:") else file
    elif at:
        line = file, int(at.group(1))
    elif way:
        gcov.setdefault(line, []).append(int(way.group(1) or 0))
for f in json.load(open(sys.argv[2]))["files"]:
    for b in f["branches"]:
        ways = [b["taken"], b["not_taken"]] if b["ways"] == 2 else [b["taken"]]
        weft.setdefault((f["file"].split("/")[-1], b["line"]), []).extend(ways)
same, cases, differ = 0, 0, 0
for place, ways in gcov.items():
    good = sorted(ways) == sorted(weft.get(place, []))
    same += good
    cases += good and len(ways) > 2 and len(ways) % 2
    if not good:
        differ += 1
        print(place, "gcov", ways, "weft", weft.get(place))
print("lines", same, "switches", cases, "differ", differ)
PY
sed 's/^/# /' "$tmp/result" | tail -n 8
verdict 'branches are taken as often as gcov counts them, switches case by case' \
    "$(sed -n 's/^lines \([0-9]*\) switches [1-9].* differ 0$/\1/p' "$tmp/result")0" -gt 600

# Branches: the two ways of a condition are all of its executions.
$weft coverage --json --elf "$elf" "$tmp/run.weft" | tr '{' '\n' | tr -d '"' | sed -n 's/^line:.*ways:\([0-9]*\),taken:\([0-9]*\),not_taken:\([0-9]*\)}.*/\1 \2 \3/p' >"$tmp/branches"
verdict 'branches are taken and not taken' "$(awk '$2 && $3' "$tmp/branches" | wc -l)" -gt 40

size=$(stat -c %s "$tmp/run.weft")
head -c $((size / 2)) "$tmp/run.weft" >"$tmp/cut.weft"
expect 'a cut recording: done, with gaps' 3 '.*"lines_hit":[1-9].*' $weft coverage --json --elf "$elf" "$tmp/cut.weft"
expect 'what never ran is named' 3 '.*lines that never ran:.*kernels.*' $weft coverage --elf "$elf" "$tmp/cut.weft"
# A recording whose beginning is lost, as the RAM ring leaves it: main was entered in what is lost, and ran on.
python3 -c '
import sys
frames = open(sys.argv[1], "rb").read().split(b"\0")
open(sys.argv[2], "wb").write(b"\0".join(frames[:1] + frames[len(frames) // 2:]))' "$tmp/run.weft" "$tmp/late.weft"
verdict 'a function that runs but whose entry is lost was called' \
    "$($weft coverage --json --elf "$elf" "$tmp/late.weft" 2>"$tmp/log" | functions | sed -n 's/^main //p')" = 1
# What the compiler makes for global objects is not the program's, and has the last line of the file.
cat >"$tmp/global.cpp" <<'CPP'
struct counter {
    int count;
    explicit counter(int from) : count(from) {}
    ~counter() { count = 0; }
};
static volatile int start = 3;
static counter one(start), two(start + 1);
int main()
{
    return one.count + two.count - 7;
}
CPP
global=$(make -s build-firmware "APP=$tmp/global.cpp" PROBES=paths OPT=-O0 2>"$tmp/log" | tail -n 1)
$weft capture "$global" -o "$tmp/global.weft" >"$tmp/log" 2>&1
$weft capture --full "$global" -o "$tmp/global.full" >"$tmp/log" 2>&1
for in in weft full; do
    $weft coverage --json --elf "$global" "$tmp/global.$in" >"$tmp/json" 2>"$tmp/log"
    verdict "functions that the compiler makes are left out ($in)" \
        "$(functions <"$tmp/json" | grep -c 'main\|counter') $(grep -c '_GLOBAL__\|static_initialization' "$tmp/json")" = '3 0'
done
expect 'what may have run is reported' 3 '.*Parts of the run are lost ([a-z ]*[0-9]* paths).*may have run.*' \
    $weft coverage --elf "$elf" "$tmp/late.weft"
verdict 'a summary fits a screen' "$($weft coverage --summary --elf "$bare" "$tmp/full.weft" | wc -l)" -le 24 -a \
    "$($weft coverage --summary --elf "$bare" "$tmp/full.weft" | grep -c '\.\.\. and [1-9]')" = 2
verdict 'a summary has no line beyond 100 columns' "$($weft coverage --summary --elf "$bare" "$tmp/full.weft" |
    awk 'length > 100' | shown)" = ''
expect 'no recording: the command line is wrong' 2 '' $weft coverage --elf "$elf"
