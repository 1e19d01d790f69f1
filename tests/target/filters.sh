#!/bin/bash
# SPDX-License-Identifier: MIT
# --context and --function: what the parts hold adds up to the whole; a name means what its number means.
. tests/lib/check.sh
weft=build/host/weft
cat >"$tmp/small.c" <<'C'
#include <stdint.h>
#include <stdio.h>
#define ICSR (*(volatile uint32_t *)0xe000ed04)
static volatile uint32_t taken, table[64];
void PendSV_Handler(void)
{
    for (int i = 0; i < 8; i++)
        table[i] += taken++;
}
void NMI_Handler(void)
{
    table[63]++;
}
__attribute__((noinline)) static uint32_t sum(void)
{
    uint32_t all = 0;
    for (int i = 0; i < 64; i++)
        all += table[i];
    return all;
}
int main(void)
{
    uint32_t all = 0;
    for (int i = 0; i < 100; i++) {
        ICSR = i % 10 ? 1u << 28 : 1u << 31;
        table[i % 64] = (uint32_t)i;
        all += sum();
    }
    printf("%u\n", (unsigned)all);
    return 0;
}
C
elf=$(make -s build-firmware APP="$tmp/small.c" PROBES=mem 2>"$tmp/log" | tail -n 1)
in=$tmp/run.weft
$weft capture "$elf" -o "$in" >"$tmp/log" 2>&1

$weft dump --elf "$elf" "$in" >"$tmp/all"
contexts=$(awk '$2 != "gap" { print $1 }' "$tmp/all" | sort -un)
names=$($weft functions --json --tree --elf "$elf" "$in" |
    python3 -c 'import json, sys; print(*[n["context_name"].split()[0] for n in json.load(sys.stdin)["tree"] if n["depth"] == 0])')
verdict "contexts have names: $names" "$(echo "$names" | tr ' ' '\n' | grep -cE '^(thread|PendSV_Handler|NMI_Handler)$')" = \
    "$(echo "$contexts" | wc -l)"
number() { # KEY COMMAND...: of its JSON object
    local key=$1
    shift
    "$@" --json 2>"$tmp/stderr" | python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$key"
}
summed() { # KEY OPTION VALUES COMMAND...: the sum of the keys over all values of an option
    local key=$1 option=$2 values=$3 value
    shift 3
    for value in $values; do number "$key" "$@" "$option" "$value"; done | awk '{ n += $1 } END { print n }'
}

for name in $names; do
    $weft dump --elf "$elf" --context "$name" "$in" | grep -v '^[0-9]* gap' >>"$tmp/parts"
done
verdict 'dump: the contexts are all lines' "$(sort "$tmp/parts" | diff - <(sort "$tmp/all") | wc -l)" = 0
verdict 'dump: a name is a number' "$($weft dump --elf "$elf" --context PendSV_Handler "$in" | cmp - <(awk '$1 == 14' "$tmp/all") && echo same)" = same
verdict 'dump: of a function, its entries' "$($weft dump --events control --elf "$elf" --function main "$in" | awk '$2 == "entry" { n++ } $2 == "entry" && $3 != "main" { bad++ } END { print n, bad + 0 }')" = '1 0'
functions=$(awk '$2 == "path" { print $4 }' "$tmp/all" | sort -u)
paths=$(number events $weft paths -k 1 --elf "$elf" "$in")
verdict "paths: contexts and functions add up to $paths" "$paths" -gt 1000 -a \
    "$(summed events --context "$names" $weft paths -k 1 --elf "$elf" "$in") $(summed events --function "$functions" $weft paths -k 1 --elf "$elf" "$in")" = "$paths $paths"
verdict 'grammar: so they do' \
    "$(summed length --context "$names" $weft grammar --elf "$elf" "$in") $(summed length --function "$functions" $weft grammar --elf "$elf" "$in")" = "$paths $paths"
verdict 'loops: so they do' \
    "$(summed length --context "$names" $weft loops --window 64 --elf "$elf" "$in") $(summed length --function "$functions" $weft loops --window 64 --elf "$elf" "$in")" = "$paths $paths"
accesses=$(number accesses $weft model --elf "$elf" "$in")
verdict "model: contexts and functions add up to $accesses accesses" "$accesses" -gt 1000 -a \
    "$(summed accesses --context "$names" $weft model --elf "$elf" "$in") $(summed accesses --function "$functions" $weft model --elf "$elf" "$in")" = "$accesses $accesses"
$weft hot --elf "$elf" --min-cost 20 --min-length 1 --max-length 3 --context PendSV_Handler "$in" >"$tmp/hot"
awk '$1 == 14 && $2 == "path" { print $3 }' "$tmp/all" | sort -u >"$tmp/handled"
verdict 'hot: only paths of the context' "$(wc -l <"$tmp/hot") $(cut -f 3 "$tmp/hot" | tr ' ' '\n' | grep -cvxFf "$tmp/handled")" != '0 0' -a \
    "$(cut -f 3 "$tmp/hot" | tr ' ' '\n' | grep -cvxFf "$tmp/handled")" = 0
$weft functions --function "$(echo "$functions" | head -n 1)" --elf "$elf" "$in" >"$tmp/one"
verdict 'functions: one, and who calls it' "$(grep -c 'called by' "$tmp/one")" = 1
expect 'no such context' 1 '' $weft paths -k 1 --elf "$elf" --context NoHandler "$in"
expect 'no such function' 1 '' $weft loops --elf "$elf" --function nothing "$in"
expect 'a name needs the image' 1 '' $weft grammar --context IRQ8_Handler "$in"
expect 'a number does not' 0 '.*' $weft grammar --context 14 "$in"
expect 'a function needs the image' 1 '' $weft paths -k 1 --function main "$in"
printf 'a b a b' >"$tmp/raw"
expect 'a raw stream has no contexts' 2 '' $weft loops --context 0 "$tmp/raw"
