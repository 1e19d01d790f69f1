#!/bin/bash
# SPDX-License-Identifier: MIT
# Whole program paths as earlier versions wrote them (method stream, without and with look-ahead), and as this one does.
# `make test` tries every ninth flip and cut, `make test-long` each.
ASAN_OPTIONS=detect_leaks=1
. tests/lib/check.sh
weft=build/${WEFT_BUILD:-asan}/weft

sum="724963304 34312"
for file in v2 v2-ahead; do
    $weft grammar --expand tests/golden/wpp/$file.wpp >"$tmp/$file"
    verdict "$file is read" "$(cksum <"$tmp/$file")" = "$sum"
done
$weft grammar -o "$tmp/v3.wpp" "$tmp/v2"
verdict "this version writes method stream of version 3" "$(od -An -tx1 -N3 "$tmp/v3.wpp" | tr -d ' ')" = ff570e
verdict "and reads it" "$($weft grammar --expand "$tmp/v3.wpp" | cksum)" = "$sum"

# Long enough to be predicted while the grammar grows, and to be printed while it is read.
python3 -c 'import random; random.seed(1); print(*(random.choice((i % 50, random.randrange(9))) for i in range(600000)))' |
    tr ' ' '\n' >"$tmp/long"
$weft grammar --threads 1 -o "$tmp/alone.wpp" "$tmp/long"
$weft grammar --threads 3 -o "$tmp/long.wpp" "$tmp/long"
cmp "$tmp/alone.wpp" "$tmp/long.wpp"
verdict "a long stream gives the same file with one thread and with three" $? -eq 0
for threads in 1 3; do
    $weft grammar --threads $threads --expand "$tmp/long.wpp" | cmp - "$tmp/long"
    verdict "and that file gives the stream: --threads $threads" "${PIPESTATUS[*]}" = '0 0'
done
$weft grammar --expand "$tmp/long.wpp" 2>"$tmp/log" >/dev/full
verdict "a full disk is named while the stream is printed" "$? $(grep -c 'No space left' "$tmp/log")" = '4 1'
(cat "$tmp/long" && echo word) >"$tmp/words"
$weft grammar -o "$tmp/words.wpp" "$tmp/words" 2>"$tmp/log"
verdict "a word at the end of a long stream is refused" "$? $(grep -c 'numbers of 32 bits' "$tmp/log")" = '1 1'
test ! -e "$tmp/words.wpp"
verdict "and leaves no file" $? -eq 0

python3 - "$weft" "$tmp/v3.wpp" "$tmp/v2" >"$tmp/wrong" <<'PY'
import os, subprocess, sys
weft, path, stream = sys.argv[1:]
step = 1 if os.environ.get("WEFT_LONG") else 9
content, wanted = open(path, "rb").read(), open(stream, "rb").read()
changed = [content[:cut] for cut in range(0, len(content), 29 * step)]
for bit in range(0, 8 * len(content), 101 * step): # each bit of a byte has its turn
    changed.append(content[:bit // 8] + bytes([content[bit // 8] ^ 1 << bit % 8]) + content[bit // 8 + 1:])
runs = [subprocess.run([weft, "grammar", "--expand", "-"], input=each, capture_output=True) for each in changed]
wrong = [run for run in runs if run.returncode < 0 or (not run.returncode and run.stdout != wanted)]
print(len(runs) >= 16, len(wrong))
PY
verdict "no flip or cut of it gives another stream in silence" "$(cat "$tmp/wrong")" = 'True 0'
