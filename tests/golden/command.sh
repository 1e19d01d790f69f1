#!/bin/bash
# SPDX-License-Identifier: MIT
# The command line as such: help, version, exit statuses that every subcommand shares. Of `make test` the sanitizers see
# each help and each file that is damaged or not there; of `make test-long` every run.
ASAN_OPTIONS=detect_leaks=1
. tests/lib/check.sh

weft=build/${WEFT_BUILD:-asan}/weft
plain=$weft
in_long || plain=build/host/weft
commands="seal capture info dump paths grammar hot loops model squeeze unsqueeze wet stack irq io race diff overview rerun"

expect "weft without a command says how to use it" 2 '' $weft
expect "an unknown command is a usage error" 2 '' $weft nonsense
expect "weft --version prints one line" 0 'weft [0-9.]*' $weft --version
for c in $commands; do
    out=$($weft "$c" --help 2>/dev/null)
    verdict "weft $c --help explains itself on standard output" $? -eq 0 -a -n "$out"
    $plain "$c" --no-such-option >/dev/null 2>"$tmp/err"
    verdict "weft $c refuses an unknown option, by its name" $? -eq 2 -a "$(grep -c "^weft $c: " "$tmp/err")" -eq 1
    $plain "$c" >/dev/null 2>&1 </dev/null
    verdict "weft $c without its input is a usage error" $? -eq 2
done
for c in grammar loops model paths info dump; do
    case $c in paths) more="-k 3" ;; *) more="" ;; esac
    $weft "$c" $more "$tmp/absent" >/dev/null 2>"$tmp/err"
    verdict "weft $c names a file that is not there" $? -eq 1 -a -n "$(grep absent "$tmp/err")"
    $plain "$c" $more "$tmp" >/dev/null 2>&1
    verdict "weft $c refuses a folder" $? -eq 1
done
for c in grammar loops model; do
    printf '\1\2\3' >"$tmp/cut"
    $weft "$c" --format u32 "$tmp/cut" >/dev/null 2>"$tmp/err"
    verdict "weft $c names the byte where a u32 stream is cut" $? -eq 1 -a -n "$(grep -i byte "$tmp/err")"
    $plain "$c" --format nonsense "$tmp/cut" >/dev/null 2>&1
    verdict "weft $c refuses an unknown format" $? -eq 2
done

# Options that the documents give.
python3 tests/golden/docs_options.py $plain README.md docs/*.md >"$tmp/options"
sed -i '/: weft /s/^/# /' "$tmp/options"
grep '^#' "$tmp/options"
verdict "the options that the documents give exist: $(tail -n 1 "$tmp/options")" "$(wc -l <"$tmp/options")" = 1
echo 'weft info --sumary FILE' >"$tmp/planted.md"
verdict "one that does not exist is found" \
    "$(python3 tests/golden/docs_options.py $plain "$tmp/planted.md" | sed -n 1p)" = "$tmp/planted.md: weft info has no --sumary"
