#!/bin/bash
# SPDX-License-Identifier: MIT
# Parts of derived files and of whole execution traces that are missing, doubled, moved or another file's
# (tests/fault/spliced.py): with status 0 the output is that of a whole file. Merged profiles: tests/fault/frames.sh.
. tests/lib/check.sh
weft=build/host/weft
count=$([ -n "${WEFT_LONG:-}" ] && echo 3000 || echo 12)
spliced() { # KIND FILE...
    tests/fault/spliced.py $weft "$count" "$@" | shown | tail -n 1
}
for kind in nest wpp sqz mod; do
    verdict "no splice of a $kind file changes its stream in silence" \
        "$(spliced $kind tests/golden/derived/*.$kind-?)" = '0 wrong, 0 killed'
done
verdict "nor what commands say of a whole execution trace" \
    "$(spliced wet tests/golden/wet/v1[012]-tier?.wet)" = '0 wrong, 0 killed'
