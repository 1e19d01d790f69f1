#!/bin/bash
# SPDX-License-Identifier: MIT
# weft paths, grammar and hot by their command lines: the worked examples of the papers, formats, and what is refused.
# In `make test` the sanitizers see what is refused by one of the commands, and two formats; in `make test-long` all.
ASAN_OPTIONS=detect_leaks=1
. tests/lib/check.sh
weft=build/${WEFT_BUILD:-asan}/weft
asan=$weft plain=$weft
in_long || plain=build/host/weft

text() { printf "$1" >"$tmp/in"; }
rules() { # ARGUMENTS of weft grammar: its text without the check sum
    $weft grammar "$@" >"$tmp/rules" || return
    sed '/^# sum [0-9a-f]\{8\}$/d' "$tmp/rules"
}

# ---- paths: the example of the k-iteration paper ----
text '* 6 2 0 0 2 2 0 0 2 2 0 0 2 3\n'
lines='6\t0
3\t0 0
3\t0 0 2
2\t0 0 2 2
1\t0 0 2 3
3\t0 2
2\t0 2 2
2\t0 2 2 0
1\t0 2 3
6\t2
3\t2 0
3\t2 0 0
3\t2 0 0 2
2\t2 2
2\t2 2 0
2\t2 2 0 0
1\t2 3
1\t3
1\t6
1\t6 2
1\t6 2 0
1\t6 2 0 0'
printf "$lines\n" >"$tmp/want"
$weft paths -k 4 "$tmp/in" >"$tmp/out"
verdict the_4_IPF_of_the_papers_example "$(cmp "$tmp/out" "$tmp/want" 2>&1)" = ''
expect the_1_IPF_is_the_plain_profile 0 '6.0.6.2.1.3.1.6' $weft paths -k 1 "$tmp/in"
expect two_files_add_up 0 '12.0.12.2.2.3.2.6' $weft paths -k 1 "$tmp/in" "$tmp/in"
expect the_top_sequences 0 '6.0.6.2' $weft paths -k 4 --top 2 "$tmp/in"
expect and_sorted_by_count 0 '6.0.6.2.3.0 0' $weft paths -k 4 --top 3 "$tmp/in"
# For the most frequent long sequences alone a file is read twice, and the symbols of a pipe are kept
# (tools/weft/paths_raw.c).
awk 'BEGIN { srand(5); for (i = 0; i < 6000; i++) print (i % 97 == 0 ? "*" : rand() < .1 ? "x" int(rand() * 9) : i % 7) }' \
    </dev/null >"$tmp/long"
$plain paths -k 9 "$tmp/long" "$tmp/long" | sort -s -t "$(printf '\t')" -k 1,1nr >"$tmp/all"
for top in 1 30 1000; do
    head -n $top "$tmp/all" >"$tmp/want"
    $plain paths -k 9 --top $top "$tmp/long" "$tmp/long" | cmp - "$tmp/want" || echo "$top of a file"
    cat "$tmp/long" "$tmp/long" | $plain paths -k 9 --top $top - | cmp - "$tmp/want" || echo "$top of a pipe"
done >"$tmp/differ" 2>&1
verdict a_stream_that_is_gone_through_twice_has_the_same_top "$(cat "$tmp/differ")" = ''
yes abcabdab | tr -d '\n' | head -c 17000000 >"$tmp/long"
build/host/weft paths -k 7 --top 12 --format u8 "$tmp/long" >"$tmp/want"
build/host/weft paths -k 7 --top 12 --format u8 - < <(cat "$tmp/long") >"$tmp/out"
verdict and_a_pipe_that_is_too_long_to_be_kept "$(wc -l <"$tmp/want") $(cmp "$tmp/want" "$tmp/out" 2>&1)" = '12 '
expect and_what_has_too_many_as_frequent_is_counted_as_a_whole 0 '1.1.1.1 2.1.1 2 3' \
    $weft paths -k 8 --top 3 --format text <(seq 9000)
seq 9000 >"$tmp/in"
expect or_read_once_more 0 '1.1.1.1 2.1.1 2 3' $weft paths -k 8 --top 3 "$tmp/in"
# All sequences are printed in pieces, on all cores (tools/weft/paths_lines.c). Of the longest words a piece has more
# than is kept before it is written.
awk 'BEGIN { srand(7); w = "_word_that_makes_lines_long"; w = "a" w w
    for (i = 0; i < 5000; i++) print rand() < .01 ? "*" : w int(rand() * 30) + 10 }' </dev/null >"$tmp/in"
awk '$1 == "*" { n = 0; next } { if (n == 9) n--; for (i = n++; i; i--) word[i] = word[i - 1]; word[0] = text = $1; count[text]++
    for (i = 1; i < n; i++) count[text = word[i] " " text]++ } END { for (text in count) print count[text] "\t" text }' \
    "$tmp/in" | LC_ALL=C sort -t "$(printf '\t')" -k 2 >"$tmp/want"
for threads in 1 2 5; do $plain paths -k 9 --threads $threads "$tmp/in" | cmp - "$tmp/want"; done >"$tmp/differ" 2>&1
$asan paths -k 9 --threads 3 "$tmp/in" | cmp - "$tmp/want" >>"$tmp/differ" 2>&1
verdict all_sequences_are_printed_in_pieces "$(head -n 1 "$tmp/want" | wc -l) $(cat "$tmp/differ")" = '1 ' 
text '1 2 2 3 3 3'
expect the_most_frequent_first 0 '3.3.2.2.2.3 3' $weft paths -k 2 --top 3 "$tmp/in"
expect zero_stands_for_all_by_count 0 '3.3.2.2.2.3 3.1.1.1.1 2.1.2 2.1.2 3' $weft paths -k 2 --top 0 "$tmp/in"
expect paths_in_a_summary 0 '6 paths in sequences of up to 2.*WHAT RUNS *SHARE *TIMES.3 *50.00% *3.2 *33.33% *2..2 of 7 sequences.*' \
    $weft paths -k 2 --top 2 --summary "$tmp/in"
text '* 6 2 0 0 2 2 0 0 2 2 0 0 2 3\n'
expect paths_in_JSON 0 '{"k":1,"events":14,"paths":\[{"path":\[0\],"count":6},.*{"path":\[6\],"count":1}\]}' \
    $weft paths -k 1 --json "$tmp/in"
text 'ab*ab'
expect a_star_starts_anew_in_chars 0 '2.a.2.ab.2.b' $weft paths -k 3 --format chars "$tmp/in"
text 'x 10 9 x'
expect numbers_come_before_words 0 '1.9.1.10.2.x' $weft paths -k 1 "$tmp/in"
text ''
expect no_events_no_paths 0 '' $weft paths -k 3 "$tmp/in"

# ---- grammar: Larus, section 3 ----
text 11111211111
expect look_ahead_finds_C_2_C 0 '{"length":11,"rules":3,"symbols":8,"grammar":\[\[{"rule":1},"2",{"rule":1}\],\[{"rule":2},{"rule":2},"1"\],\["1","1"\]\]}' \
    $weft grammar --format chars --lookahead 1 --json "$tmp/in"
expect without_look_ahead_it_is_folded_twice 0 'R0 -> R1 R2 2 R2 R1.R1 -> 1 1.R2 -> R1 1' \
    rules --format chars "$tmp/in"
text abcabcabcabc
expect abcabcabcabc 0 'R0 -> R1 R1.R1 -> R2 R2.R2 -> a b c' rules --format chars "$tmp/in"
text abcabcabcabcabc
expect abcabcabcabcabc 0 'R0 -> R1 R1 R2.R1 -> R2 R2.R2 -> a b c' rules --format chars "$tmp/in"
text ''
expect the_empty_grammar 0 '{"length":0,"rules":1,"symbols":0,"grammar":\[\[\]\]}' $weft grammar --json "$tmp/in"

# ---- and back ----
back() { # NAME FORMAT: $tmp/in through text, JSON and binary, and the standard input
    $weft grammar --format "$2" "$tmp/in" >"$tmp/g" && $weft grammar --format "$2" --json "$tmp/in" >"$tmp/j" &&
        $weft grammar --expand --format "$2" "$tmp/g" >"$tmp/a" && $weft grammar --expand --format "$2" - <"$tmp/j" >"$tmp/b"
    verdict "$1" "$(cmp "$tmp/in" "$tmp/a" 2>&1)$(cmp "$tmp/in" "$tmp/b" 2>&1)" = ''
}
text 'R1\nR1\n\\a\nR1\n\\\\b\nx->y\n->\nR1\n-5\n007\n'
back words_that_look_like_rules_come_back text
for i in 1 2 3; do head -c 3000 /bin/sh | tr -d '\n'; done >"$tmp/in"
back every_byte_comes_back chars
for i in 1 2 3; do head -c 4000 /bin/sh; done >"$tmp/in"
for format in u8 u16 u32 i64; do
    case $format in u16 | u32) weft=$plain ;; *) weft=$asan ;; esac
    back "binary_${format}_comes_back" $format
done
for format in u8 u16 u32; do
    case $format in u8) weft=$asan ;; *) weft=$plain ;; esac
    $weft grammar --format $format -o "$tmp/w" "$tmp/in" && $weft grammar --expand --format $format "$tmp/w" >"$tmp/a"
    verdict "${format}_comes_back_from_the_binary_file" "$(cmp "$tmp/in" "$tmp/a" 2>&1)" = ''
done

weft=$asan
# ---- a text that was changed ----
text 'abcabcabcabc'
$weft grammar --format chars "$tmp/in" >"$tmp/g"
expect a_text_with_its_sum_is_checked 0 'a.b.c.a.b.c.a.b.c.a.b.c' $weft grammar --expand "$tmp/g"
verdict and_nothing_is_said_of_it ! -s "$tmp/stderr"
sed 's/a b c/a b d/' "$tmp/g" >"$tmp/edited"
expect an_edited_text_is_refused 1 '' $weft grammar --expand "$tmp/edited"
verdict for_its_check_sum "$(grep -c 'the check sum is wrong: it was edited' "$tmp/stderr")" -eq 1
sed 's/a b c/a b d/; /^# sum/d' "$tmp/g" >"$tmp/edited"
expect without_its_sum_it_is_taken_as_it_is 0 'a.b.d.a.b.d.a.b.d.a.b.d' $weft grammar --expand "$tmp/edited"
verdict which_is_said "$(grep -c 'text unchecked' "$tmp/stderr")" -eq 1
{ cat "$tmp/g"; echo '# more'; } >"$tmp/edited"
expect a_text_with_more_after_its_sum_is_refused 1 '' $weft grammar --expand "$tmp/edited"
head -c -1 "$tmp/g" >"$tmp/edited"
expect a_text_that_is_cut_in_its_sum_is_refused 1 '' $weft grammar --expand "$tmp/edited"

# ---- hot: Larus, section 4.2 ----
text abbcabbcabbc
hot="$weft hot --format chars --min-cost 6 --min-length 2 --max-length 3"
expect the_papers_hot_subpaths 0 '6.3.ab.6.3.bc' $hot "$tmp/in"
expect hot_in_JSON 0 '{"subpaths":\[{"path":\["a","b"\],"count":3,"cost":6},{"path":\["b","c"\],"count":3,"cost":6}\]}' $hot --json "$tmp/in"
expect hot_has_defaults 0 '6.3.ab.6.3.bc' $weft hot --format chars "$tmp/in"
expect hot_in_a_summary 0 '12 symbols, cost 12: 2 hot subpaths.*.ab *50.00% *3 *6.bc *50.00% *3 *6.*' $hot --summary "$tmp/in"
expect one_percent_is_hot 0 '.*: 2 hot subpaths.of 2 to 16 symbols that cost 1 or more.*' $weft hot --format chars --summary "$tmp/in"
printf 'a 10\nb 0\n\n' >"$tmp/costs"
expect costs_from_a_file 0 '30.3.ab' $weft hot --format chars --min-cost 20 --min-length 2 --max-length 3 --costs "$tmp/costs" "$tmp/in"
printf 'a ten\n' >"$tmp/costs"
expect costs_that_are_none 1 '' $hot --costs "$tmp/costs" "$tmp/in"

for most in 18446744073709551615 9223372036854775807 2305843009213693952; do
    printf "a $most\nb $most\n" >"$tmp/costs"
    expect "costs_that_add_up_to_too_much_as_$most" 1 '' $weft hot --format chars --costs "$tmp/costs" "$tmp/in"
    expect "in_JSON_too_as_$most" 1 '' $plain hot --json --format chars --costs "$tmp/costs" "$tmp/in"
done
printf 'a 0\nb 1152921504606846975\nc 0\n' >"$tmp/costs"
expect costs_that_just_fit 0 '6917529027641081850.6.b' \
    $weft hot --format chars --min-cost 1 --min-length 1 --max-length 1 --costs "$tmp/costs" "$tmp/in"

# ---- what is refused ----
printf 'abc' >"$tmp/odd"
for command in 'paths -k 2' grammar 'hot --min-cost 1 --min-length 1 --max-length 2'; do
    name=${command%% *}
    [ $name = paths ] && weft=$asan || weft=$plain
    expect "${name}_of_half_an_item" 1 '' $weft $command --format u32 "$tmp/odd"
    expect "${name}_of_no_file" 1 '' $weft $command "$tmp/none"
    expect "${name}_of_a_folder" 1 '' $weft $command "$tmp"
    expect "${name}_in_no_format" 2 '' $weft $command --format ogg "$tmp/in"
    expect "${name}_with_an_unknown_option" 2 '' $weft $command --frobnicate "$tmp/in"
    expect "${name}_without_an_input" 2 '' $weft $command
    expect "${name}_helps" 0 'usage: .*' $weft ${command%% *} --help
done
weft=$asan
expect paths_without_k_count_each_path 0 '1.abbcabbcabbc' $weft paths "$tmp/in"
$plain paths "$tmp/in" >"$tmp/out"
verdict paths_alone_without_k "$($plain paths -k 1 "$tmp/in" | cmp - "$tmp/out" && wc -l <"$tmp/out")" -gt 0
expect paths_with_k_0 2 '' $weft paths -k 0 "$tmp/in"
expect hot_with_crossed_lengths 2 '' $weft hot --min-cost 1 --min-length 3 --max-length 2 "$tmp/in"
expect look_ahead_of_2 2 '' $weft grammar --lookahead 2 "$tmp/in"

bad() { # NAME TEXT
    printf '%b' "$2" >"$tmp/bad"
    expect "$1" 1 '' $weft grammar --expand "$tmp/bad"
}
bad a_grammar_of_nothing ''
bad a_rule_that_uses_itself 'R0 -> R1 a\nR1 -> a R1\n'
bad rules_in_a_ring 'R0 -> R1 a\nR1 -> a R2\nR2 -> R1 b\n'
bad a_rule_that_is_not_there 'R0 -> R1 a\n'
bad a_rule_number_beyond_all 'R0 -> R99999999999999999999 a\n'
bad rules_out_of_order 'R1 -> a b\nR0 -> R1 R1\n'
bad a_line_that_is_none 'R0 -> a\nhello\n'
bad a_rule_of_one_symbol 'R0 -> R1 a\nR1 -> b\n'
bad an_unknown_escape 'R0 -> \\q\n'
bad a_zero_byte 'R0 -> a\000b\n'
bad JSON_that_breaks_off '{"grammar": [[1,2'
bad JSON_without_a_grammar '{"rules": 3}'
bad JSON_with_an_odd_element '{"grammar": [[1, null]]}'
bad JSON_with_a_rule_below_0 '{"grammar": [[{"rule": -1}, 2]]}'
bad a_binary_file_that_breaks_off '\377W'
{
    echo 'R0 -> R1 R1'
    for i in $(seq 1 80); do echo "R$i -> R$((i + 1)) R$((i + 1))"; done
    echo 'R81 -> a a'
} >"$tmp/bomb"
expect a_stream_beyond_all_bounds 1 '' $weft grammar --expand "$tmp/bomb"
head -n 40 "$tmp/bomb" >"$tmp/bad" && echo 'R40 -> a a' >>"$tmp/bad"
expect a_stream_beyond_the_limit 1 '' $weft grammar --expand "$tmp/bad"
text 'a b'
$weft grammar "$tmp/in" >"$tmp/g"
expect words_that_are_no_numbers 1 '' $weft grammar --expand --format u32 "$tmp/g"
expect words_in_the_binary_file 1 '' $weft grammar -o "$tmp/w" "$tmp/in"

# ---- containers ----
v1=tests/golden/v1
for coder in grammar loops; do # the same events by two coders
    $weft grammar $v1/$coder.weft >"$tmp/$coder"
done
verdict the_grammar_of_a_container_does_not_depend_on_its_coder "$(cmp "$tmp/grammar" "$tmp/loops" 2>&1)" = ''
$weft grammar $v1/grammar.weft | $weft grammar --expand - >"$tmp/paths"
awk '$1 == "path" || $2 == "path" { print $NF }' $v1/grammar.events >"$tmp/events"
verdict it_expands_to_the_paths_of_the_container "$(wc -l <"$tmp/paths")" -gt 0 -a "$(cmp "$tmp/paths" "$tmp/events" 2>&1)" = ''
expect gaps_are_named_by_grammar 3 'R0 -> .*' $weft grammar $v1/loss.weft
verdict and_on_standard_error "$(grep -c 'gap:' "$tmp/stderr")" -gt 0
expect gaps_are_named_by_hot 3 '.*' $weft hot --min-cost 1 --min-length 1 --max-length 2 $v1/loss.weft
expect paths_want_a_profile_or_an_ELF 1 '' $weft paths -k 2 $v1/plain.weft
$weft paths -k 1 $v1/grammar.weft >"$tmp/paths"
awk '$1 == "path" || $2 == "path" { count[$NF]++ } END { for (p in count) print count[p] "\t" p }' $v1/grammar.events | sort -n -k 2 >"$tmp/counts"
verdict single_paths_want_neither -s "$tmp/paths" -a "$(cmp "$tmp/paths" "$tmp/counts" 2>&1)" = ''
expect paths_from_nowhere 2 '' $weft paths -k 2 --from memory $v1/plain.weft
expect an_ELF_that_is_none 1 '' $weft paths -k 2 --elf "$tmp/in" $v1/plain.weft
expect one_context 0 'R0 -> .*' rules --context 0 $v1/interrupts.weft
