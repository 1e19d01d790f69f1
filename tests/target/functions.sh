#!/bin/bash
# SPDX-License-Identifier: MIT
# weft functions: calls are the entries that weft dump prints, the parts sum up to the total, and the instructions of
# each function, those of its probes included, are what the emulator sees it execute (a full recording of the same
# image). make test-long: lua, zlib, and the long run of interrupts.
. tests/lib/check.sh
weft=build/host/weft

# sums KEY-COLUMN VALUE-COLUMN FROM-LINE: "KEY SUM" a line, sorted
sums() {
    awk -v key="$1" -v value="$2" -v from="$3" 'NR >= from && $1 != "total" { s[$key] += $value } END { for (k in s) if (s[k]) print k, s[k] }' | sort
}

one() { # NAME MAKE...
    local name=$1 elf
    shift
    elf=$(make -s build-firmware "$@" 2>"$tmp/log" | tail -n 1)
    $weft capture --icount 0 "$elf" -o "$tmp/run.weft" >"$tmp/log" 2>&1
    $weft functions --elf "$elf" "$tmp/run.weft" >"$tmp/table"
    verdict "$name: it has functions" "$(wc -l <"$tmp/table")" -gt 4

    # Calls: another way to count them.
    sums 10 5 2 <"$tmp/table" >"$tmp/calls"
    $weft dump --events control --elf "$elf" "$tmp/run.weft" |
        awk '$2 == "entry" { n[$3]++ } END { for (f in n) print f, n[f] }' | sort >"$tmp/entries"
    verdict "$name: calls are the entries of weft dump ($(awk '{ n += $2 } END { print n }' "$tmp/entries") calls)" \
        "$(diff "$tmp/calls" "$tmp/entries" >"$tmp/diff" && wc -l <"$tmp/entries")0" -gt 40
    head -n 6 "$tmp/diff" | sed 's/^/# /'

    # Sums.
    total=$(sed -n 's/^total \([0-9]*\) .*/\1/p' "$tmp/table")
    verdict "$name: the instructions of all functions sum up to the total" "$(awk 'NR > 1 && $1 != "total" { s += $1 } END { print s }' "$tmp/table")" -eq "$total"
    $weft functions --tree --elf "$elf" "$tmp/run.weft" >"$tmp/tree"
    verdict "$name: and those of the tree" "$(awk 'NR > 1 && $1 != "total" { s += $4; c += $5 } END { print s, c }' "$tmp/tree")" = \
        "$total $(awk '{ n += $2 } END { print n }' "$tmp/entries")"
    verdict "$name: contexts sum up to the total" "$(awk '$6 == "context" { s += $3 } END { print s }' "$tmp/tree")" -eq "$total"
    for context in $(awk '$6 == "context" { print $7 }' "$tmp/tree"); do
        $weft functions --context "$context" --elf "$elf" "$tmp/run.weft"
    done | awk '$1 == "total" { s += $2 } END { print s }' >"$tmp/sum"
    verdict "$name: --context takes it apart" "$(cat "$tmp/sum")" -eq "$total"
}

# The same image, seen from outside: LEAST <= executed <= LEAST + MORE for each function; the last one still runs.
against_full() { # NAME PERCENT MAKE...: at most that share of functions is estimated
    local name=$1 elf
    shift
    elf=$(make -s build-firmware "$@" 2>"$tmp/log" | tail -n 1)
    $weft capture "$elf" -o "$tmp/run.weft" >"$tmp/log" 2>&1
    $weft capture --full "$elf" -o "$tmp/full.weft" >"$tmp/log" 2>&1
    $weft functions --with-probes --json --elf "$elf" "$tmp/run.weft" | tr '{' '\n' | tr -d '"' |
        sed -n 's/^name:\([^,]*\),.*self:\([0-9]*\),more:\([0-9]*\),estimated:\([0-9]*\),.*/\1 \2 \3 \4/p' >"$tmp/mine"
    $weft dump --events control --elf "$elf" "$tmp/full.weft" |
        awk '$2 == "instruction" || $2 == "skipped" { n[$4]++ } END { for (f in n) print f, n[f] }' >"$tmp/seen"
    awk 'NR == FNR { least[$1] += $2; more[$1] += $3; guess[$1] += $4; next }
         $1 in least { if (guess[$1]) guessed++; else if ($2 < least[$1] || $2 > least[$1] + more[$1]) { print $0, least[$1], more[$1]; bad++ } else good++ }
         END { print "within", good + 0, "outside", bad + 0, "estimated", guessed + 0 }' "$tmp/mine" "$tmp/seen" >"$tmp/result"
    sed 's/^/# /' "$tmp/result" | tail -n 12
    verdict "$name: each function's instructions are what the emulator sees" "$(sed -n 's/^within \([0-9]*\) outside 0 .*/\1/p' "$tmp/result")0" -gt 40
}

# A full recording holds each instruction: the same as another reader of it counts. The whole execution trace that is
# built from it gives the same tables.
whole() { # NAME MAKE...
    local name=$1 elf
    shift
    elf=$(make -s build-firmware "$@" 2>"$tmp/log" | tail -n 1)
    $weft capture --full "$elf" -o "$tmp/full.weft" >"$tmp/captured" 2>&1
    $weft functions --elf "$elf" "$tmp/full.weft" >"$tmp/table"
    $weft dump --events control --elf "$elf" "$tmp/full.weft" |
        awk '$2 == "instruction" || $2 == "skipped" { n[$4]++ } END { for (f in n) print f, n[f] }' | sort >"$tmp/seen"
    sums 10 1 2 <"$tmp/table" | sed 's/^?/0x/' >"$tmp/mine"
    verdict "$name, full: instructions of each function ($(wc -l <"$tmp/mine") functions)" \
        "$(diff "$tmp/mine" "$tmp/seen" >"$tmp/diff" && wc -l <"$tmp/mine")0" -gt 40
    head -n 6 "$tmp/diff" | sed 's/^/# /'
    verdict "$name, full: they sum up to the total" "$(awk '{ n += $2 } END { print n }' "$tmp/seen")" -eq \
        "$(sed -n 's/^total \([0-9]*\) .*/\1/p' "$tmp/table")"
    $weft wet build "$tmp/full.weft" --elf "$elf" -o "$tmp/run.wet" >"$tmp/log" 2>&1
    $weft functions --json --tree --elf "$elf" "$tmp/full.weft" >"$tmp/full.json"
    verdict "$name, .wet: the same tables, calls and stacks" "$(grep -c '"stack":[1-9]' "$tmp/full.json")" = 1 -a \
        "$($weft functions --json --tree --elf "$elf" "$tmp/run.wet" | diff - "$tmp/full.json" >"$tmp/diff" && echo same)" = same
}

# Stacks that are known: a function that calls itself with a frame of its own takes so much per level.
cat >"$tmp/deep.c" <<'C'
#include <stdio.h>
__attribute__((noinline)) int down(int levels)
{
    volatile int words[60];
    words[levels] = levels;
    return levels ? down(levels - 1) + words[levels] : 0;
}
int main(void)
{
    printf("%d\n", down(1) + down(21) + down(11));
    return 0;
}
C
elf=$(make -s build-firmware APP="$tmp/deep.c" PROBES=none 2>"$tmp/log" | tail -n 1)
$weft capture --full "$elf" -o "$tmp/full.weft" >"$tmp/log" 2>&1
frame=$(arm-none-eabi-objdump -d --disassemble=down "$elf" |
    awk '/push/ { n = 4 * gsub(/r[0-9]+|lr/, "") } /sub\tsp, / { sub(/.*#/, ""); print n + $1 }')
verdict "the deepest stack of a recursion: 22 frames of $frame bytes" "$($weft functions --json --elf "$elf" "$tmp/full.weft" |
    python3 -c 'import json, sys; print([f["stack"] for f in json.load(sys.stdin)["functions"] if f["name"] == "down"][0])')" -eq $((22 * frame))

# Of these levels, each calls the next: what the calls took is counted once, and is less than the function took.
verdict "calls of a function by itself: their cost is counted once" "$($weft functions --json --elf "$elf" "$tmp/full.weft" | python3 -c '
import json, sys
down = [f for f in json.load(sys.stdin)["functions"] if f["name"] == "down"][0]
cost = {e["name"]: e["inclusive"] for e in down["callers"]}
print(down["inclusive"] == cost["main"] and 0 < cost["down"] < down["inclusive"])')" = True

# In functions of more than 2 KB, GCC for a Cortex-M0 jumps by bl.
elf=$(make -s build-firmware APP=tests/target/programs/far_jumps.c BOARD=microbit OPT=-O0 PROBES=none 2>"$tmp/log" | tail -n 1)
$weft capture --full "$elf" -o "$tmp/full.weft" >"$tmp/log" 2>&1
verdict "jumps by bl are not calls ($(arm-none-eabi-objdump -d --disassemble=far "$elf" | grep -c 'bl.*<far+') of them)" \
    "$($weft functions --elf "$elf" "$tmp/full.weft" | awk '$10 == "far" { print $5 }')" = 400

whole interrupts APP=interrupts VARIANT=short INTERRUPT_ITEMS=17 PROBES=none
[ -z "${WEFT_LONG:-}" ] || whole lua APP=lua PROBES=none
one jpeg APP=jpeg PROBES=paths
# shellcheck disable=SC2046 # words
one interrupts APP=interrupts PROBES=mem $(in_long || echo VARIANT=short INTERRUPT_ITEMS=17)
[ -z "${WEFT_LONG:-}" ] || one lua APP=lua PROBES=paths
against_full jpeg APP=jpeg PROBES=paths
mv "$tmp/run.weft" "$tmp/jpeg.weft" && mv "$tmp/full.weft" "$tmp/jpeg-full.weft"
# What a longjmp unwinds: the instructions up to the call that did not return are counted.
selfs() { # RECORDING OPTION...
    $weft functions --json "${@:2}" --elf "$elf" "$1" | python3 -c '
import json, sys
print(*["%s %d" % (f["name"], f["self"]) for f in json.load(sys.stdin)["functions"] if f["name"] in sys.argv[1:]])' \
        innermost middle outer | tr ' ' '\n' | paste -d ' ' - - | sort
}
elf=$(make -s build-firmware APP=tests/target/programs/unwound.c PROBES=paths 2>"$tmp/log" | tail -n 1)
$weft capture "$elf" -o "$tmp/unwound.weft" >"$tmp/log" 2>&1
$weft capture --full "$elf" -o "$tmp/unwound-full.weft" >"$tmp/log" 2>&1
selfs "$tmp/unwound.weft" --with-probes >"$tmp/mine"
selfs "$tmp/unwound-full.weft" >"$tmp/seen"
verdict "unwound activations: each instruction is counted ($(tr '\n' ' ' <"$tmp/seen"))" \
    "$(wc -l <"$tmp/seen") $(diff "$tmp/mine" "$tmp/seen" >"$tmp/diff" && echo same)" = "3 same"

against_full passes APP=tests/target/programs/passes.c PROBES=paths FLAGS=-DSHORT
[ -z "${WEFT_LONG:-}" ] || against_full zlib APP=zlib PROBES=paths

elf=$(make -s build-firmware APP=jpeg PROBES=paths 2>"$tmp/log" | tail -n 1)
mv "$tmp/jpeg.weft" "$tmp/run.weft" && mv "$tmp/jpeg-full.weft" "$tmp/full.weft"
size=$(stat -c %s "$tmp/run.weft")
head -c $((size / 2)) "$tmp/run.weft" >"$tmp/cut.weft"
expect 'a cut recording: done, with gaps' 3 '.*main.*total.*' $weft functions --elf "$elf" "$tmp/cut.weft"
head -c 200000 "$tmp/full.weft" >"$tmp/cut.weft"
expect 'a full recording without its end: done, with a gap' 3 '.*Reset_Handler.*total.*' $weft functions --elf "$elf" "$tmp/cut.weft"
verdict 'a summary fits a screen, and says how many more there are' "$($weft functions --summary --elf "$elf" "$tmp/full.weft" | wc -l)" -le 24 -a \
    "$($weft functions --summary --elf "$elf" "$tmp/full.weft" | sed -n 's/^\.\.\. and \([0-9]*\) more.*/\1/p')" = "$(($($weft functions --elf "$elf" "$tmp/full.weft" | wc -l) - 22))"
expect 'no image: the command line is wrong' 2 '' $weft functions "$tmp/run.weft"
expect 'another image is refused' 1 '' $weft functions --elf "$(make -s build-firmware APP=kernels PROBES=paths 2>"$tmp/log" | tail -n 1)" "$tmp/run.weft"
# Of the tree: the costliest rows, each as it stands in the whole tree, and how many more there are.
$weft functions --tree --summary --elf "$elf" "$tmp/full.weft" >"$tmp/screen"
$weft functions --tree --elf "$elf" "$tmp/full.weft" >"$tmp/tree"
verdict 'a summary of the tree fits a screen, and says how many more rows there are' "$(wc -l <"$tmp/screen")" -le 24 -a \
    "$(grep -c '%' "$tmp/tree")" = "$(($(grep -c '^ *[A-Za-z_].* [0-9]*\.[0-9][0-9] ' "$tmp/screen") + $(sed -n 's/^\.\.\. and \([0-9]*\) more.*/\1/p' "$tmp/screen")))"
least=$(sed -n 's/.*of at most \([0-9.]*\) %.*/\1/p' "$tmp/screen")
verdict 'the rows of that summary are the costliest of the tree' "$(awk -v least="$least" '$1 > least && $2 == "%" { print $1, $NF }' "$tmp/tree")" = \
    "$(awk '/^ *[A-Za-z_].* [0-9]+\.[0-9][0-9] / { for (i = 2; $i !~ /^[0-9]+\.[0-9][0-9]$/; i++); print $i, $(i - 1) }' "$tmp/screen" | awk -v least="$least" '$1 > least')"
# A function whose first instructions are an inline function's, of a header: it stands where it is declared.
mkdir "$tmp/inlined"
printf 'static volatile int at;\nstatic inline int first(void)\n{\n    return at * 3 + 1;\n}\n' >"$tmp/inlined/first.h"
printf '%s\n' '#include "first.h"' '' '__attribute__((noinline)) static int follows(int n)' '{' '    int a = first();' \
    '    return a + n;' '}' '' 'int' 'main(void)' '{' '    int a = first();' '    return a + follows(a) - 2;' '}' \
    >"$tmp/inlined/app.c"
elf=$(make -s build-firmware APP="$tmp/inlined" PROBES=paths 2>"$tmp/log" | tail -n 1)
$weft capture "$elf" -o "$tmp/inlined.weft" >"$tmp/log" 2>&1
$weft capture --full "$elf" -o "$tmp/inlined.full" >"$tmp/log" 2>&1
for in in weft full; do
    verdict "functions stand where they are declared ($in)" \
        "$($weft functions --json --elf "$elf" "$tmp/inlined.$in" 2>"$tmp/log" | tr '{' '\n' |
            sed -n 's/.*"name":"\(main\|follows\)".*"file":"[^"]*\/\([^"]*\)","line":\([0-9]*\),"calls":1,"self".*/\1 \2 \3/p' | sort | tr '\n' ' ')" = \
        'follows app.c 3 main app.c 10 '
done
