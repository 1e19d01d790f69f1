#!/bin/bash
# SPDX-License-Identifier: MIT
# Every command takes its input from a file, a pipe with a name and standard input alike.
. tests/lib/check.sh
weft=build/${WEFT_BUILD:-asan}/weft

seq 7 3 3000 >"$tmp/in"
tr '\n' ' ' <tests/run | head -c 2000 >"$tmp/words"
same() {
    local name=$1
    shift
    "$@" "$tmp/$input" >"$tmp/file" 2>/dev/null
    "$@" <(cat "$tmp/$input") >"$tmp/pipe" 2>/dev/null
    "$@" - <"$tmp/$input" >"$tmp/stdin" 2>/dev/null
    verdict "$name" "$(test -s "$tmp/file" && cmp "$tmp/file" "$tmp/pipe" && cmp "$tmp/file" "$tmp/stdin" && echo same)" = same
}
input=words
same loops_from_a_pipe $weft loops
same detector_from_a_pipe $weft loops --window 16
same grammar_from_a_pipe $weft grammar
same paths_from_a_pipe $weft paths -k 3
same hot_from_a_pipe $weft hot --min-cost 2 --min-length 2 --max-length 3
input=in
same model_from_a_pipe $weft model
input=squeezed
$weft squeeze <(cat "$tmp/in") -o "$tmp/squeezed" >/dev/null
same unsqueeze_from_a_pipe $weft unsqueeze
for form in loops model; do
    input=$form.bin
    case $form in loops) option=--binary ;; model) option=-o ;; esac
    $weft $form $option "$tmp/$input" "$tmp/in" >/dev/null 2>&1
    same expand_${form}_from_a_pipe $weft $form --expand
done
input=plain
cp tests/golden/v1/plain.weft "$tmp/plain"
same dump_from_a_pipe $weft dump
expect a_container_on_a_pipe_is_told 1 '' $weft loops <(cat "$tmp/plain")
