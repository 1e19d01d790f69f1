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
