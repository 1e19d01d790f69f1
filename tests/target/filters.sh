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
elf=$(make -s build-firmware APP="$tmp/small.c" PROBES=mem DELIVERY=ring 2>"$tmp/log" | tail -n 1)
in=$tmp/run.weft
$weft capture "$elf" -o "$in" >"$tmp/log" 2>&1

$weft dump --elf "$elf" "$in" >"$tmp/all"
contexts=$(awk '$2 != "gap" { print $1 }' "$tmp/all" | sort -un)
names=$($weft functions --json --tree --elf "$elf" "$in" |
    python3 -c 'import json, sys; print(*[n["context_name"].split()[0] for n in json.load(sys.stdin)["tree"] if n["depth"] == 0])')
verdict "contexts have names: $names" "$(echo "$names" | tr ' ' '\n' | grep -cE '^(thread|PendSV_Handler|NMI_Handler)$')" = \
    "$(echo "$contexts" | wc -l)"
number() { # KEY COMMAND...: the value of the key in its JSON object
    local key=$1
    shift
    "$@" --json 2>"$tmp/stderr" | python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$key"
}
summed() { # KEY OPTION VALUES COMMAND...: the sum of the keys over all values of an option
    local key=$1 option=$2 values=$3 value
    shift 3
    for value in $values; do "$@" "$option" "$value" --json 2>"$tmp/stderr"; done | python3 -c '
import json, sys
text, total, decoder = sys.stdin.read().lstrip(), 0, json.JSONDecoder()
while text:
    answer, end = decoder.raw_decode(text)
    text, total = text[end:].lstrip(), total + answer[sys.argv[1]]
print(total)' "$key"
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
# The same in what counts: a recording with probes, and one of the plain program from outside.
info_sum() { # KEY OPTION VALUES IN ELF
    local value
    for value in $3; do $weft info --json "$2" "$value" --elf "$5" "$4"; done |
        python3 -c 'import json, re, sys; print(sum(map(int, re.findall(sys.argv[1] + chr(34) + ": *([0-9]+)",
            " ".join(re.findall("\"chosen\": *{[^}]*}", sys.stdin.read()))))))' "$1"
}
verdict 'info: paths and accesses add up' "$(info_sum paths --context "$names" "$in" "$elf")" = "$paths" -a \
    "$(info_sum paths --function "$functions" "$in" "$elf") $(info_sum accesses --function "$functions" "$in" "$elf")" = \
    "$paths $accesses"
plain=$(make -s build-firmware APP="$tmp/small.c" PROBES=none 2>"$tmp/log" | tail -n 1)
full=$tmp/full.weft
$weft capture --full "$plain" -o "$full" >"$tmp/log" 2>&1
steps=$(number total $weft functions --elf "$plain" "$full")
verdict 'info of a full recording: so do instructions' \
    "$(info_sum instructions --context "thread 2 14" "$full" "$plain")" = "$steps" -a "$steps" -gt 10000
$weft functions --json --elf "$plain" "$full" >"$tmp/functions.json"
self() { python3 -c 'import json, sys
print(sum(f["self"] for f in json.load(open(sys.argv[1]))["functions"] if f["name"] == sys.argv[2]))' "$tmp/functions.json" "$1"; }
verdict 'info of a function: what it executed itself' \
    "$(info_sum instructions --function sum "$full" "$plain")" = "$(self sum)"
cover() { $weft coverage --lines --elf "$@" 2>/dev/null; } # ELF IN OPTIONS...: count, tab, file:line
for pair in "$elf $in" "$plain $full"; do
    read -r image run <<<"$pair"
    name=$(basename "$run")
    cover "$image" "$run" >"$tmp/cover"
    for context in thread 14 2; do cover "$image" "$run" --context $context; done |
        awk '{ n[$2] += $1 } END { for (line in n) print n[line] "\t" line }' | sort >"$tmp/covers"
    verdict "coverage of $name: the counts of lines add up over the contexts" \
        "$(sort "$tmp/cover" | cmp - "$tmp/covers" && wc -l <"$tmp/cover")" -gt 10
    verdict "coverage of $name: a function's lines are those of all" "$(cover "$image" "$run" --function sum |
        grep -cxFf "$tmp/cover") $(cover "$image" "$run" --function sum | wc -l)" = '4 4'
    $weft functions --json --elf "$image" "$run" >"$tmp/functions.json" 2>/dev/null
    for as in folded sqlite chrome; do
        verdict "export of $name as $as: what a function does itself" \
            "$(number total $weft export --as $as -o "$tmp/part" --function sum --elf "$image" "$run")" = "$(self sum)"
        [ $as != folded ] || verdict 'folded: only chains that lead to the function' \
            "$(grep -c 'sum [0-9]*$' "$tmp/part") $(grep -vc 'sum [0-9]*$' "$tmp/part")" = '1 0'
    done
    verdict "io of $name: what the function stores" "$(number total $weft io --function main --elf "$image" "$run")" = 100
    verdict "stack of $name: only chains with the function" "$($weft stack --json --function PendSV_Handler --elf "$image" "$run" \
        2>/dev/null | python3 -c 'import json, sys
print(*[any(l.get("name") == "PendSV_Handler" for l in s["chain"]) for s in json.load(sys.stdin)["stacks"]])')" = True
    verdict "irq of $name: only the handler" "$($weft irq --json --function PendSV_Handler --elf "$image" "$run" \
        2>/dev/null | python3 -c 'import json, sys; print(*[i["number"] for i in json.load(sys.stdin)["interrupts"]])')" = 14
    verdict "overview of $name: only the function" "$($weft overview --json --function sum --elf "$image" "$run" 2>/dev/null |
        python3 -c 'import json, sys; print(*[f["name"] for f in json.load(sys.stdin)["functions"]])')" = sum
    $weft report --function sum --elf "$image" "$run" -o "$tmp/page.html" --json >"$tmp/page" 2>/dev/null
    verdict "report of $name: of the function alone, and it says so" "$(python3 -c 'import json, sys
print(json.load(open(sys.argv[1]))["functions"])' "$tmp/page") $(grep -c 'in sum itself' "$tmp/page.html")" = '1 1'
    for command in dump info coverage overview 'export --as csv -o /dev/null' stack irq io; do
        expect "${command%% *} of $name: no such function" 1 '' $weft $command --function nothing --elf "$image" "$run"
    done
done

expect 'no such context' 1 '' $weft paths -k 1 --elf "$elf" --context NoHandler "$in"
expect 'no such function' 1 '' $weft loops --elf "$elf" --function nothing "$in"
expect 'a name needs the image' 1 '' $weft grammar --context IRQ8_Handler "$in"
expect 'a number does not' 0 '.*' $weft grammar --context 14 "$in"
expect 'a function needs the image' 1 '' $weft paths -k 1 --function main "$in"
# With the image beside the recording, neither does. What is printed stays numbers.
cp "$elf" "$tmp/run.elf"
for command in loops grammar 'hot --min-cost 1 --min-length 1 --max-length 3'; do
    expect "${command%% *}: the image beside it knows the function" 0 '.*' $weft $command --function main "$in"
    $weft $command --context 14 "$in" >"$tmp/by_number"
    verdict "${command%% *}: and the handler, in numbers still" \
        "$($weft $command --context PendSV_Handler "$in" | cmp - "$tmp/by_number" && wc -l <"$tmp/by_number")" -gt 0
done
verdict 'paths: so it does' "$(number events $weft paths --function main "$in")" = \
    "$(number events $weft paths --function main --elf "$elf" "$in")"
verdict 'paths: a summary has names' "$($weft paths --summary "$in" | grep -c 'sum small.c')" -gt 0
# A summary names function and file where they change, and shows a path that repeats once.
$weft paths -k 4 --elf "$elf" "$in" | python3 tests/lib/shown_sequences.py | LC_ALL=C sort >"$tmp/shown"
COLUMNS=1000 $weft paths -k 4 --summary --top 1000000 "$in" | sed -nE 's/^(.*[^ ]) +[0-9.]+% +[0-9,]+$/\1/p' |
    LC_ALL=C sort >"$tmp/summary"
verdict 'paths: a summary is the sequences, shorter' "$(cmp "$tmp/shown" "$tmp/summary" && grep -c ' x[2-4]$' "$tmp/shown")" -gt 3
verdict 'paths: of a context that needs no image, numbers' "$($weft paths --context thread "$in" | grep -cv '^[0-9]*.[0-9]*$')" = 0
printf 'a b a b' >"$tmp/raw"
expect 'a raw stream has no contexts' 2 '' $weft loops --context 0 "$tmp/raw"
