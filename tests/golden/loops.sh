#!/bin/bash
# SPDX-License-Identifier: MIT
# weft loops: the worked examples, every output form, bad input. `make test` tries every fifth truncation, `make
# test-long` each.
ASAN_OPTIONS=detect_leaks=1
. tests/lib/check.sh
weft=build/${WEFT_BUILD:-asan}/weft

# given NAME TEXT WANT OPTION...: TEXT on standard input gives WANT.
given() {
    local name=$1 text=$2 want=$3 out
    shift 3
    out=$(printf '%s' "$text" | $weft loops "$@" - 2>"$tmp/err")
    [ "$out" = "$want" ] || printf '# got:    %s\n# wanted: %s\n' "$out" "$want"
    verdict "$name" "$out" = "$want"
}

# refused NAME STATUS WORD OPTION...: fails with the status and a message that contains WORD.
refused() {
    local name=$1 want=$2 word=$3
    shift 3
    $weft loops "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    local status=$?
    [ $status -eq "$want" ] && grep -q "$word" "$tmp/err" || { echo "# status $status"; sed 's/^/# /' "$tmp/err"; }
    verdict "$name" "$status $(grep -c "$word" "$tmp/err")" = "$want 1"
}

verdict a_byte_of_0_is_shown "$(printf 'a\0b\0b\0b\0' | $weft loops --format chars -)" = 'a(\x00b)^3\x00'
given optimal_first_example abaababaabaab '(ab(a)^2b)^2(a)^2b' --optimal --format chars
given greedy_first_example abaababaabaab 'ab(a)^2ba(b(a)^2)^2b' --greedy --format chars
given optimal_second_example abaababaababaabaab '(ab(a)^2b)^3(a)^2b' --optimal --format chars
given greedy_second_example abaababaababaabaab '(ab(a)^2b)^2a(b(a)^2)^2b' --greedy --format chars
given nested_example EababababFEababababFEababababF '(E(ab)^4F)^3' --format chars
given nested_example_near_optimal EababababFEababababFEababababF '(E(ab)^4F)^3' --near-optimal --format chars
given nested_example_in_a_window EababababFEababababFEababababF '(E(ab)^4F)^3' --window 8 --format chars
given optimal_is_the_default abaababaabaab '(ab(a)^2b)^2(a)^2b' --format chars
given tokens '1 2 3 3 1 2 3 3 4' '( 1 2 ( 3 )^2 )^2 4'
given words 'load store load store halt' '( load store )^2 halt'
given nothing '' ''
given one_symbol x x --format chars
given newlines_are_no_symbols $'ab\nab\n' '(ab)^2' --format chars
given u8 'aabaab' '( ( 97 )^2 98 )^2' --format u8
given u32 'aaaabbbb' '1633771873 1650614882' --format u32
given json '1 1 2' '{"length":3,"symbols":2,"loops":1,"depth":1,"nest":"( 1 )^2 2"}' --json
given tree aabaab '100.00% 2 x 3  at 0, 6 symbols
 66.67%   2 x 1  at 0, 2 symbols' --tree --format chars
given tree_json '1 1 2' '{"length":3,"symbols":2,"loops":1,"depth":1,"nest":"( 1 )^2 2","tree":[{"depth":1,"start":0,"iterations":2,"body":1,"span":2,"share":0.66666666666666662966,"iterations_max":2,"places":1}]}' --json --tree

# Loops that differ in their iterations alone are one, in the tree and in the summary.
given tree_of_equal_loops abccabccabccabcccccdccccccc ' 59.26% 4 x 4  at 0, 16 symbols
 29.63%   2 x 1  at 2, 2 symbols
 37.04% 3..7 x 1  at 16, 10 symbols, 2 places' --tree --format chars
given summary abccabccabccabcccccdccccccc '27 symbols: 4 loops, 2 deep; written as a nest, 6 symbols
(ab(c)^2)^4(c)^3d(c)^7

WHAT RUNS                                       SHARE  TIMES x SYMBOLS    PLACES
a b c                                          59.26%            4 x 4         1
  c                                            29.63%            2 x 1         1
c                                              37.04%         3..7 x 1         2

`weft loops --tree --min-share 0` shows where they are,
`weft loops ... | cat` the nest.' --summary --format chars
for i in $(seq 1 40); do for ((n = 0; n <= i; n++)); do echo $i $i; done; echo x$i; done >"$tmp/many"
$weft loops --summary "$tmp/many" >"$tmp/out"
verdict a_summary_shows_a_dozen_loops "$(grep -c %  "$tmp/out")" -eq 12 -a -n "$(grep '^12 of 40 loops' "$tmp/out")"
verdict the_largest_ones "$(grep -cE '^(29|3[0-9]|40) .*%' "$tmp/out")" -eq 12
python3 - "$weft" "$tmp/many" >"$tmp/terminal" <<'PY'
import os, pty, sys
pty.spawn([sys.argv[1], "loops", sys.argv[2]])
PY
verdict on_a_terminal_it_is_the_default "$(grep -c '^12 of 40 loops' "$tmp/terminal")" -eq 1

# The binary form and back, for each format.
head -c 4000 /dev/urandom >"$tmp/noise"
for i in 1 2 3 4 5; do cat "$tmp/noise"; done >"$tmp/u8"
for format in u8 u16 u32 i64; do
    $weft loops --format $format --binary "$tmp/nest" "$tmp/u8" >/dev/null && $weft loops --expand "$tmp/nest" --format $format >"$tmp/back"
    cmp -s "$tmp/u8" "$tmp/back"
    verdict "binary_and_back_$format" $? -eq 0
done
tr -dc 'a-d' <"$tmp/u8" >"$tmp/chars"
for method in --optimal --greedy --near-optimal '--window 16'; do
    $weft loops $method --format chars --binary "$tmp/nest" "$tmp/chars" >/dev/null && $weft loops --expand "$tmp/nest" --format chars >"$tmp/back"
    cmp -s "$tmp/chars" "$tmp/back"
    verdict "binary_and_back_${method%% *}" $? -eq 0
done
printf 'one two three two three one\n' >"$tmp/text"
$weft loops --binary "$tmp/nest" "$tmp/text" >/dev/null
verdict binary_keeps_words "$($weft loops --expand "$tmp/nest" | tr '\n' ' ')" = 'one two three two three one '

# Damage: truncations. Flips of each bit: tests/fault/derived.sh.
size=$(stat -c %s "$tmp/nest")
bad=0
step=$(in_long && echo 1 || echo 5)
for ((at = 0; at < size; at += step)); do
    head -c $at "$tmp/nest" >"$tmp/cut"
    $weft loops --expand "$tmp/cut" >/dev/null 2>"$tmp/err"
    [ $? -eq 1 ] && [ -s "$tmp/err" ] || bad=$((bad + 1))
done
verdict truncated_files_are_refused $bad -eq 0

refused no_input 2 input
refused two_methods 2 method --optimal --greedy -
refused unknown_option 2 unrecognized --fast -
refused small_window 2 4096 --window 7 -
refused bad_format 2 format --format u64 -
refused missing_file 1 'cannot read' "$tmp/none"
refused a_directory 1 'cannot read' "$tmp"
refused elf_without_recording 2 recording --elf "$weft" "$tmp/text"
refused not_a_nest 1 'byte 0' --expand "$tmp/text"
printf 'abc' >"$tmp/odd"
refused cut_item 1 'byte' --format u32 "$tmp/odd"
$weft loops --help | grep -q -- --near-optimal
verdict help $? -eq 0
