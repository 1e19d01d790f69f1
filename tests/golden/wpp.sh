#!/bin/bash
# SPDX-License-Identifier: MIT
# Whole program paths as earlier versions wrote them (method stream, without and with look-ahead), and as this one does.
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
