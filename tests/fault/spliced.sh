#!/bin/bash
# SPDX-License-Identifier: MIT
# Parts of derived files and of whole execution traces that are missing, doubled, moved or another file's
# (tests/fault/spliced.py): with status 0 the output is that of a whole file. Merged profiles: tests/fault/frames.sh.
# `make test` tries six changes of each file, and of traces those of two versions; `make test-long` 3,000 of all.
. tests/lib/check.sh
weft=build/host/weft
count=$([ -n "${WEFT_LONG:-}" ] && echo 3000 || echo 6)
spliced() { # KIND FILE...
    tests/fault/spliced.py $weft "$count" "$@" | shown | tail -n 1
}
for kind in nest wpp sqz mod; do
    verdict "no splice of a $kind file changes its stream in silence" \
        "$(spliced $kind tests/golden/derived/*.$kind-?)" = '0 wrong, 0 killed'
done
verdict "nor what commands say of a whole execution trace" \
    "$(spliced wet tests/golden/wet/v1$(in_long && echo '[012]-tier?' || echo '[12]-tier2').wet)" = '0 wrong, 0 killed'
