#!/bin/bash
# SPDX-License-Identifier: MIT
# Grammars with runs, as `weft grammar --runs` writes them and --expand reads them.
. tests/lib/check.sh
weft=build/${WEFT_BUILD:-asan}/weft

# LU class C: 323,048 symbols. Rules as they are met.
cat >"$tmp/lu" <<'G'
R0 => V^3 W^2 X W^3 R1 R3 R2 Y R U R4^249 R5 R R8 R S R P Y A O Y F T^3
R1 => Q R2
R2 => J R3 H R3 E R3 C
R3 => Y Q
R4 => R5 R8
R5 => R6^160 R7^160
R6 => N K I D
R7 => M L G B
R8 => R1 Y
G
$weft grammar --expand --format chars "$tmp/lu" >"$tmp/lu.txt"
verdict "a grammar with runs expands" "$(stat -c %s "$tmp/lu.txt")" -eq 323048
$weft grammar --runs --format chars "$tmp/lu.txt" | sed '/^# sum /d' >"$tmp/again"
verdict "LU class C has 49 symbols on right sides" "$(cmp "$tmp/lu" "$tmp/again" && echo same)" = same
$weft grammar --runs --json --format chars "$tmp/lu.txt" >"$tmp/json"
verdict "its JSON says so" -n "$(grep '"length":323048,"rules":9,"symbols":49,' "$tmp/json")"
verdict "its JSON has counts" -n "$(grep -F '{"symbol":"T","count":3}' "$tmp/json" | grep -F '{"rule":4,"count":249}')"
$weft grammar --expand --format chars "$tmp/json" | cmp -s - "$tmp/lu.txt"
verdict "its JSON expands to it" $? -eq 0

# Symbols that look like rules, runs and escapes.
printf '%s\n' 'a^3' 'a^3' b '^3' '^3' '^' '^' R1 R1 'R1^2' '\x20' 5^ 'x^0' '^^' 7 7 7 >"$tmp/odd"
for form in "" --json; do
    $weft grammar --runs $form "$tmp/odd" | $weft grammar --expand - | cmp -s - "$tmp/odd"
    verdict "any text comes back from ${form:-text}" $? -eq 0
done
printf 'a^3\na^3\n' | $weft grammar - >"$tmp/plain"
expect "without --runs a symbol has no count" 0 'R0 -> a^3 a^3' sed '/^# sum /d' "$tmp/plain"
expect "nor is one read" 0 'a^3.a^3' $weft grammar --expand "$tmp/plain"
head -c 40000 "$tmp/lu.txt" | od -An -v -tu4 | tr -s ' ' '\n' | sed 1d >"$tmp/words"
$weft grammar --runs "$tmp/words" | $weft grammar --expand - | cmp -s - "$tmp/words"
verdict "a stream of numbers comes back" $? -eq 0

for bad in 'R0 => a^0' 'R0 => a^99999999999999999999' 'R0 => R1^2\nR1 => a' 'R0 => R1^2\nR1 -> a b' 'R0 => R0^2' \
    'R0 => R1^9999999999\nR1 => R2^9999999999\nR2 => a b' '{"grammar":[[{"symbol":1,"count":0}]]}' \
    '{"grammar":[[{"symbol":1,"count":"x"}]]}' '{"grammar":[[{"count":2}]]}' '{"grammar":[[{"symbol":[],"count":2}]]}'; do
    printf "$bad\n" >"$tmp/bad"
    expect "refused: ${bad//\\n/ }" 1 '' $weft grammar --expand "$tmp/bad"
done
expect "a long run is refused by --limit" 1 '' $weft grammar --expand --limit 100 "$tmp/lu"
expect "--runs has no look-ahead" 2 '' $weft grammar --runs --lookahead 1 "$tmp/odd"
expect "--runs has no binary form" 2 '' $weft grammar --runs -o "$tmp/out" "$tmp/words"
