#!/bin/bash
# SPDX-License-Identifier: MIT
# weft squeeze and unsqueeze: round trips in every format, both directions; damaged files. `make test` tries every fifth
# cut and flip with the sanitizers, `make test-long` each.
. tests/lib/check.sh
weft=build/${WEFT_BUILD:-asan}/weft

seq 5 3 2000 >"$tmp/text"
printf 'abcabcabcdabc' >"$tmp/chars"
head -c 4000 tests/run >"$tmp/binary"
truncate -s 4000 "$tmp/binary"
for format in text chars u8 u16 u32 i64; do
    case $format in text | chars) in=$tmp/$format ;; *) in=$tmp/binary ;; esac
    $weft squeeze --format $format "$in" -o "$tmp/out" >/dev/null
    $weft unsqueeze "$tmp/out" >"$tmp/back"
    [ $format = chars ] && echo >>"$in"
    verdict "squeeze_round_trip_$format" "$(cmp "$in" "$tmp/back" && echo same)" = same
done
$weft squeeze "$tmp/text" -o "$tmp/out" >/dev/null
expect unsqueeze_to_a_file 0 '' $weft unsqueeze "$tmp/out" -o "$tmp/back"
verdict and_that_is_what_it_would_print "$(cmp "$tmp/text" "$tmp/back" && echo same)" = same
expect unsqueeze_to_a_file_and_json 0 '{"values":666,.*' $weft unsqueeze --json "$tmp/out" -o "$tmp/again"
verdict and_that_is_the_same "$(cmp "$tmp/text" "$tmp/again" && echo same)" = same
expect unsqueeze_not_over_its_input 2 '' $weft unsqueeze "$tmp/out" -o "$tmp/out"
expect what_does_not_fit_leaves_no_file 1 '' $weft unsqueeze --format u8 "$tmp/out" -o "$tmp/bytes"
verdict it_is_not_there ! -e "$tmp/bytes"
$weft unsqueeze --backward "$tmp/out" | tac >"$tmp/back"
verdict squeeze_backward_is_the_mirror "$(cmp "$tmp/text" "$tmp/back" && echo same)" = same
$weft squeeze --backward - -o "$tmp/mirror" <"$tmp/text" >/dev/null
verdict squeeze_from_the_end "$(cmp "$tmp/text" <($weft unsqueeze "$tmp/mirror" | tac) && echo same)" = same
expect squeeze_json 0 '{"values":666,"bytes":[0-9]*,"method":"[a-z-]*","context":[0-9]*}.*' \
    $weft squeeze --json "$tmp/text" -o "$tmp/json"
expect squeeze_wants_numbers 1 '' $weft squeeze --format text <(echo 1 2 x) -o "$tmp/bad"
expect squeeze_unknown_format 2 '' $weft squeeze --format odd "$tmp/text" -o "$tmp/bad"
expect unsqueeze_absent_file 1 '' $weft unsqueeze "$tmp/absent"

size=$(stat -c %s "$tmp/out")
step=$(in_long && echo 1 || echo 5)
bad=0
for ((cut = 0; cut < size; cut += step)); do
    head -c $cut "$tmp/out" >"$tmp/cut"
    $weft unsqueeze "$tmp/cut" >/dev/null 2>&1
    [ $? -eq 1 ] || bad=$((bad + 1))
done
verdict "unsqueeze_refuses_every_cut" $bad -eq 0
bad=0
for ((at = 0; at < size; at += step)); do
    cp "$tmp/out" "$tmp/flip"
    byte=$(od -An -tu1 -j $at -N1 "$tmp/out")
    printf "\\x$(printf %02x $((byte ^ (1 << (at % 8)))))" | dd of="$tmp/flip" bs=1 seek=$at conv=notrunc status=none
    $weft unsqueeze "$tmp/flip" >"$tmp/back" 2>/dev/null
    status=$?
    [ $status -le 1 ] || bad=$((bad + 1))
done
verdict "unsqueeze_survives_every_flip" $bad -eq 0
