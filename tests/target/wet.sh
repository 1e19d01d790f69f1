#!/bin/bash
# SPDX-License-Identifier: MIT
# Whole execution traces against the emulator: every instruction, value and access; slices against a naive
# implementation. WEFT_LONG: each program at more levels and on more boards, both tiers of all, and larger programs.
. tests/lib/check.sh
weft=build/host/weft
check=build/host/tests/target/wet_check

long=${WEFT_LONG:-} more=$((${WEFT_LONG:-0} * 2 + 1))
# board, application, optimisation, slices to compare in each direction, and a name under which all is kept
while read -r board app opt slices kept; do
    [ -n "$board" ] || continue
    name=wet_${board}_$(basename "$app" .c)_${opt#-}
    elf=$(make -s build-firmware BOARD=$board APP=$app OPT=$opt PROBES=none 2>"$tmp/make" | tail -n 1)
    if [ ! -f "$elf" ]; then
        cat "$tmp/make"
        echo "not ok $name"
        continue
    fi
    $weft capture --full --icount 5 "$elf" -o "$tmp/full.weft" >/dev/null 2>&1
    # Tier 1 is a part of tier 2: of each board once, WEFT_LONG: of all.
    tiers=2
    [[ -z "${WEFT_LONG:-}" && " ${seen:-} " == *" $board "* ]] || tiers='1 2'
    seen="${seen:-} $board"
    for tier in $tiers; do
        $weft wet build "$tmp/full.weft" --elf "$elf" -o "$tmp/x.wet" --tier $tier >/dev/null 2>"$tmp/note"
        verdicts "${name}_tier_$tier" $check "$tmp/full.weft" "$elf" "$tmp/x.wet" $slices
    done
    $weft wet control --binary "$tmp/x.wet" >"$tmp/forward"
    $weft wet control --binary --backward "$tmp/x.wet" >"$tmp/backward"
    verdict "${name}_backward_output_is_the_mirror" \
        "$(od -An -v -tx4 -w4 "$tmp/forward" | tac | cmp - <(od -An -v -tx4 -w4 "$tmp/backward") && echo same)" = same
    [ -n "$kept" ] || continue
    mv "$tmp/x.wet" "$tmp/$kept.wet"
    mv "$tmp/note" "$tmp/$kept.note"
    echo "$elf" >"$tmp/$kept.elf"
done <<LIST
mps2-an385 tests/target/wet/mixture.c -O2 $((20 * more))
${long:+mps2-an385 tests/target/wet/mixture.c -O0 20}
${long:+mps2-an385 tests/target/wet/mixture.c -Os 20}
${long:+microbit tests/target/wet/mixture.c -O1 20}
microbit tests/target/wet/mixture.c -Os $((20 * more))
mps2-an385 tests/target/wet/found.c -O2 20
${long:+mps2-an385 tests/target/wet/found.c -O0 20}
${long:+microbit tests/target/programs/far_jumps.c -O0 20}
${long:+mps2-an500 tests/target/wet/ordered.c -O2 20}
${long:+mps2-an505 tests/target/wet/mixture.c -O2 20}
mps2-an505 tests/target/wet/flags.c -O2 $((30 + ${long:-0} * 150)) flags
${long:+mps2-an385 tests/target/wet/flags.c -O1 100}
${long:+mps2-an385 tests/target/wet/switches.c -O2 30}
${long:+mps2-an385 tests/target/wet/switches.c -Os 30}
${long:+mps2-an505 tests/target/wet/ordered.c -O2 20}
mps2-an505 tests/target/wet/ordered.c -O3 10 mps2-an505
mps3-an547 tests/target/wet/ordered.c -O3 0 mps3-an547
mps3-an547 tests/target/programs/cleared.c -O2 20
mps3-an547 tests/target/wet/switches.c -O2 30
${long:+mps2-an386 jpeg -O2 0}
mps2-an385 threads -O2 0
${long:+mps2-an385 interrupts -O2 0}
${long:+mps2-an385 zlib -O2 0}
LIST

# What ARMv8-M adds carries values on. Of vectors Weft must say that their values are not known.
for board in mps2-an505 mps3-an547; do
    elf=$(cat "$tmp/$board.elf")
    for way in "counter stlex source" "best vselgt flags" "selected choose source" "total main other" "shifted main source" "tested tt source"; do
        read -r place through from <<<"$way"
        $weft wet why "$tmp/$board.wet" --elf "$elf" --at $place --depth 40 --lines 1000 >"$tmp/why" 2>/dev/null
        status=$?
        verdict "wet_${board}_${place}_comes_from_${from}_through_${through}" \
            $status -eq 0 -a "$(grep -c "$through" "$tmp/why")" -gt 0 -a "$(grep -cE "(^|[ ,]|from )$from( |$)" "$tmp/why")" -gt 0
    done
done
verdict wet_of_a_program_with_vectors_says_so_when_it_is_made \
    "$(grep -c 'not decoded, as vectors are not' "$tmp/mps3-an547.note")" = 1
expect wet_why_through_a_vector_is_not_the_whole_answer 3 '.*by an instruction that is not decoded.*' \
    $weft wet why "$tmp/mps3-an547.wet" --elf "$elf" --at lane
expect wet_slice_through_a_vector_is_not_the_whole_answer 3 '.*"undecoded":[1-9].*' \
    $weft wet slice "$tmp/mps3-an547.wet" --elf "$elf" --at lane --json

# A float in a frame is a place as well, and what made the address of a store is not a part of its value.
elf=$(make -s build-firmware BOARD=mps2-an505 APP=tests/target/wet/ordered.c OPT=-O0 PROBES=none 2>/dev/null | tail -n 1)
$weft capture --full "$elf" -o "$tmp/full.weft" >/dev/null 2>&1
$weft wet build "$tmp/full.weft" --elf "$elf" -o "$tmp/x.wet" >/dev/null 2>&1
for float in larger:a main:b; do
    $weft wet why "$tmp/x.wet" --elf "$elf" --at $float --depth 2 >"$tmp/why" 2>/dev/null
    verdict "wet_the_float_${float/:/_}_in_a_frame_has_its_value" \
        $? -eq 0 -a "$(grep -c 'vstr' "$tmp/why")" = 1 -a "$(grep -cE '^ +[0-9]+ +s[0-9]+ = ' "$tmp/why")" -gt 0 \
        -a "$(grep -cE '^ +[0-9]+ +r[0-9]+ = ' "$tmp/why")" = 0
done
# One store of several floats names those that are asked for.
$weft wet why "$tmp/x.wet" --elf "$elf" --at copied+8 --depth 1 >"$tmp/why" 2>/dev/null
verdict wet_why_of_one_of_several_floats_names_it \
    $? -eq 0 -a "$(grep -c 'copied' "$tmp/why") $(grep -c ' copied+8 = 1088946176 ' "$tmp/why")" = '1 1'
$weft wet why "$tmp/x.wet" --elf "$elf" --at copied --depth 1 >"$tmp/why" 2>/dev/null
verdict wet_why_of_a_store_of_several_floats_names_each "$(grep -o 'copied[+0-9]* =' "$tmp/why" | tr -d '\n')" = \
    'copied =copied+4 =copied+8 =copied+12 ='
# And a store of two registers; what is explained is what is asked for.
cat >"$tmp/pair.c" <<'C'
#include <stdio.h>
struct pair { int first, second; } pair;
static int calls; /* which has no type at -O0 */
volatile int three = 3, seven = 7;
__attribute__((noinline, noclone)) void set(struct pair *p, int a, int b)
{
    p->first = a;
    p->second = b;
    calls++;
}
int main(void)
{
    int a = three, b = seven;
    set(&pair, a, b);
    printf("%d %d %d\n", pair.first, pair.second, calls);
    return 0;
}
C
elf=$(make -s build-firmware APP="$tmp/pair.c" OPT=-O2 PROBES=none 2>/dev/null | tail -n 1)
$weft capture --full "$elf" -o "$tmp/full.weft" >/dev/null 2>&1
$weft wet build "$tmp/full.weft" --elf "$elf" -o "$tmp/x.wet" >/dev/null 2>&1
instances() { $weft wet slice "$tmp/x.wet" --elf "$elf" --at "$1" --json | grep -o '"instances":[0-9]*' | head -n 1 | cut -d : -f 2; }
for member in first:three:seven second:seven:three; do
    IFS=: read -r name from other <<<"$member"
    $weft wet why "$tmp/x.wet" --elf "$elf" --at "pair.$name" >"$tmp/why" 2>/dev/null
    verdict "wet_why_of_${name}_of_a_pair_stored_by_strd_is_${from}" \
        "$(grep -c strd "$tmp/why")" = 1 -a "$(grep -c "from $from" "$tmp/why")" = 1 -a "$(grep -c "$other" "$tmp/why")" = 0
    verdict "wet_slice_of_${name}_is_not_that_of_both" "$(instances "pair.$name")" -lt "$(instances pair)"
done
elf=$(make -s build-firmware APP="$tmp/pair.c" OPT=-O0 PROBES=none 2>/dev/null | tail -n 1)
$weft capture --full "$elf" -o "$tmp/full.weft" >/dev/null 2>&1
$weft wet build "$tmp/full.weft" --elf "$elf" -o "$tmp/x.wet" >/dev/null 2>&1
$weft wet why "$tmp/x.wet" --at calls >"$tmp/why" 2>/dev/null
verdict wet_why_of_a_static_variable_at_O0_names_it "$(readelf -sW "$elf" | grep -c 'NOTYPE.* calls$') $(grep -c 'calls = 1' "$tmp/why")" = '1 1'
# Of flags that an instruction leaves as they were, an earlier one is the cause: adcs takes what adds carried.
elf=$(cat "$tmp/flags.elf")
$weft wet why "$tmp/flags.wet" --elf "$elf" --at total --depth 6 >"$tmp/why" 2>/dev/null
verdict wet_why_of_a_carry_passes_what_leaves_it "$(grep -c 'from more' "$tmp/why") $(grep -c 'from other' "$tmp/why")" = '1 0'
# What set Q and GE before a sum has no edge to it: said, where slices find it.
$weft wet why "$tmp/flags.wet" --elf "$elf" --at chosen --depth 8 --lines 3000 >"$tmp/why" 2>/dev/null
verdict wet_why_says_that_a_flag_may_have_been_set_further_back \
    "$(grep -c 'may have been set further back: weft wet slice finds where).*mrs' "$tmp/why")" -ge 1
