#!/bin/bash
# SPDX-License-Identifier: MIT
# weft model: printed loops, the way back in every form, bad input. In `make test` the sanitizers see the ways
# back of half of the streams, and those of depth 2 and from binary numbers are of four; `make test-long`: of all.
ASAN_OPTIONS=detect_leaks=1
. tests/lib/check.sh
weft=build/${WEFT_BUILD:-asan}/weft

numbers() { # a file of numbers, one per line, as 64-bit little-endian
    perl -ne 'print pack("q<", $_)' "$1" >"$1.i64"
}

triangle() { for ((i = 0; i < 9; i++)); do for ((j = 0; j <= i; j++)); do echo $((1000 + 72 * i + 8 * j)); done; done; }
tiled() { # 10 by 10 in tiles of 4
    for ((a = 0; a < 10; a += 4)); do for ((b = 0; b < 10; b += 4)); do
        for ((i = a; i < a + 4 && i < 10; i++)); do for ((j = b; j < b + 4 && j < 10; j++)); do
            echo $((10 * i + j)); done; done
    done; done
}
cholesky() { for ((i = 0; i < 12; i++)); do for ((j = 0; j < i; j++)); do for ((k = 0; k < j; k++)); do
    echo $((12 * i + k)); done; done; done; }
noise() { local x=7; for ((i = 0; i < 150; i++)); do
    x=$(((x * 1103515245 + 12345) % 2147483648)); echo $((x - 1000000000)); done; }

rational() { # rows whose start and end are i divided by a number
    for ((i = 0; i < 20; i++)); do for ((j = ($1); j <= ($2); j++)); do echo $((800 * i + 8 * j)); done; done
}
short() { for ((i = 0; i < 12; i++)); do for ((j = 0; j < $1; j++)); do for ((k = 0; k <= i + 3; k++)); do
    echo $(((i * $1 + j) * 8 + 4000 * k)); done; done; done; }

triangle >"$tmp/triangle"
rational 0 'i / 2' >"$tmp/half"
rational '(i + 2) / 3' 'i' >"$tmp/third"
rational 0 'i < 12 ? i / 2 : 6' >"$tmp/capped"
short 2 >"$tmp/short"
short 20 >"$tmp/long"
tiled >"$tmp/tiled"
cholesky >"$tmp/cholesky"
noise >"$tmp/noise"
: >"$tmp/empty"
echo 42 >"$tmp/one"
for ((i = 0; i < 50; i++)); do echo -3; done >"$tmp/constant"
printf '%s\n' -9223372036854775808 9223372036854775807 -9223372036854775808 0 9223372036854775807 >"$tmp/ends"

expect triangle_prints_two_loops 0 '// depth 2, 45 accesses.for (i1 = 0; i1 <= 8; i1++).  for (i2 = 0; i2 <= i1; i2++'\
').    access(1000 + 72\*i1 + 8\*i2);' \
    $weft model "$tmp/triangle"
expect half_a_triangle_is_two_loops 0 '// depth 2, 110 accesses.for (i1 = 0; i1 <= 19; i1++).  for (i2 = 0; i2 <= flo'\
'ord(i1, 2); i2++).    access(800\*i1 + 8\*i2);' \
    $weft model "$tmp/half"
expect rows_from_a_third_on_are_two_loops 0 '// depth 2, 140 accesses.for (i1 = 0; i1 <= 19; i1++).  for (i2 = ceild('\
'.*3); i2 <= .*' \
    $weft model "$tmp/third"
expect half_and_a_constant_are_two_faces 0 '// depth 2, 98 accesses.for (i1 = 0; i1 <= 19; i1++).  for (i2 = 0; i2 <='\
' min(6, floord(i1, 2)); i2++).    access(800\*i1 + 8\*i2);' \
    $weft model "$tmp/capped"
expect a_loop_of_two_is_a_divisor 0 '// depth 2, .*floord(i1 + 6, 2); i2++).*' $weft model "$tmp/short"
expect a_loop_of_twenty_stays 0 '// depth 3, .*  for (i2 = 0; i2 <= 19; i2++).    for (i3 = 0; i3 <= i1 + 3; i3++).*' \
    $weft model "$tmp/long"
expect constant_is_one_loop 0 '// depth 1, 50 accesses.for (i1 = 0; i1 <= 49; i1++).  access(-3);' \
    $weft model "$tmp/constant"
expect nothing_is_no_nest 0 '// no accesses' $weft model "$tmp/empty"
expect json_of_one_value 0 '{"accesses":1,.*"nests":\[{"depth":0,"accesses":1,.*"coefficients":\[\],"base":42,"upper"'\
':\[\],"lower":\[\]}\],"bytes":[0-9]*,"exact":true}' \
    $weft model --json "$tmp/one"
expect json_of_a_tiled_matrix 0 '{"accesses":100,.*"nests":\[{"depth":4,"accesses":100,"whole":true,"coefficients":\['\
'[^]]*\],"base":0,"upper":.*"exact":true}' \
    $weft model --json "$tmp/tiled"
expect cholesky_is_one_nest_of_three 0 '{"accesses":220,.*"nests":\[{"depth":3,[^}]*"coefficients":\[12,0,1\].*"exact'\
'":true}' \
    $weft model --json "$tmp/cholesky"

asan=$weft
for f in triangle half third capped short tiled cholesky noise empty one constant ends; do
    weft=$asan
    case $f${WEFT_LONG:-} in half | third | short | cholesky | one | constant) weft=build/host/weft ;; esac
    $weft model "$tmp/$f" -o "$tmp/binary" >"$tmp/loops" 2>/dev/null
    $weft model --expand "$tmp/loops" >"$tmp/back"
    verdict "${f}_text_and_back" "$(cmp "$tmp/$f" "$tmp/back" 2>&1)" = ""
    $weft model --expand "$tmp/binary" >"$tmp/back"
    verdict "${f}_binary_and_back" "$(cmp "$tmp/$f" "$tmp/back" 2>&1)" = ""
    case $f${WEFT_LONG:-} in half | third | capped | short | cholesky | one | constant | empty) continue ;; esac
    $weft model --single --max-depth 2 - <"$tmp/$f" 2>/dev/null | $weft model --expand - >"$tmp/back"
    verdict "${f}_single_of_depth_2_and_back" "$(cmp "$tmp/$f" "$tmp/back" 2>&1)" = ""
    numbers "$tmp/$f"
    $weft model --format i64 "$tmp/$f.i64" 2>/dev/null | $weft model --expand - --format i64 >"$tmp/back"
    verdict "${f}_i64_and_back" "$(cmp "$tmp/$f.i64" "$tmp/back" 2>&1)" = ""
done
weft=$asan

# The text grammar, by hand.
loops() { printf '%s\n' "$1" | $weft model --expand - | tr '\n' ' '; }
verdict loops_with_min_and_max "$(loops 'for (i1 = 0; i1 <= 3; i1++) for (i2 = max(0, i1 - 1); i2 <= min(2, i1'\
'); i2++) access(10*i1 + i2);')" = '0 10 11 21 22 32 '
verdict loops_with_floord_and_ceild "$(loops 'for (i1 = 0; i1 <= 4; i1++) for (i2 = ceild(i1, 2); i2 <= floord'\
'(2*i1 + 1, 3); i2++) access(i2);')" = '0 1 1 2 2 3 '
verdict first_accesses_only "$(loops 'while (n++ < 2) for (i1 = 0; i1 <= 4; i1++) access(-i1);')" = '0 -1 '
verdict numbers_in_hexadecimal "$(loops 'for (i1 = 0; i1 <= 0x2; i1++) access(0x20040F0c + 0X10*i1);')" = \
    '537136908 537136924 537136940 '
verdict values_in_a_row "$(loops 'access(5, -6, 7); // raw')" = '5 -6 7 '

refused() {
    local name=$1 text=$2 word=$3
    printf '%s\n' "$text" >"$tmp/bad"
    timeout 60 $weft model --expand "$tmp/bad" >"$tmp/out" 2>"$tmp/err"
    verdict "$name" "$? $(grep -c "$word" "$tmp/err")" = '1 1'
}
refused no_loops 'hello' 'line 1'
refused half_a_loop 'for (i1 = 0; i1 <= 3' 'line'
refused inner_index_in_a_bound 'for (i1 = 0; i1 <= i2; i1++) access(0);' 'index'
refused zero_divisor 'for (i1 = 0; i1 <= floord(3, 0); i1++) access(0);' 'divisor'
refused number_too_large 'access(99999999999999999999);' '64 bits'
refused address_leaves_64_bits 'for (i1 = 0; i1 <= 3; i1++) access(9223372036854775807 + i1);' '64 bits'
refused empty_loops_without_end 'for (i1 = 0; i1 <= 4611686018427387904; i1++) for (i2 = 1; i2 <= 0; i2++) access(i2)'\
';' 'line'

expect option_unknown 2 '' $weft model --fast "$tmp/one"
expect input_missing 2 '' $weft model
expect two_inputs 2 '' $weft model "$tmp/one" "$tmp/one"
expect depth_out_of_range 2 '' $weft model --max-depth 99 "$tmp/one"
expect file_missing 1 '' $weft model "$tmp/nowhere"
expect folder_for_a_file 1 '' $weft model --format i64 "$tmp"
echo '1 2 x' >"$tmp/bad"
expect word_for_a_number 1 '' $weft model "$tmp/bad"
printf 'abcdefghijk' >"$tmp/bad"
expect part_of_a_number 1 '' $weft model --format i64 "$tmp/bad"
$weft model "$tmp/tiled" -o "$tmp/binary" >/dev/null 2>&1
python3 - $weft "$tmp/binary" "${WEFT_LONG:-9}" >"$tmp/cut" <<'END'
import subprocess, sys
whole = open(sys.argv[2], "rb").read()
for size in range(1, len(whole), int(sys.argv[3])):
    status = subprocess.run([sys.argv[1], "model", "--expand", "-"], input=whole[:size], capture_output=True, timeout=20).returncode
    if status != 1 and not (size == 8 and status == 0): # 8 bytes are a number, too
        print(size, status)
print("all")
END
verdict cut_binary_is_refused "$(shown <"$tmp/cut")" = all
