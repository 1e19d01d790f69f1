#!/bin/bash
# SPDX-License-Identifier: MIT
# Files whose check sums are right, and which no Weft wrote (tests/fault/resealed.py): no command dies, hangs or takes
# memory without bound, and with status 0 what commands say agrees. Three changes of each kind; WEFT_LONG: 1,500.
. tests/lib/check.sh
weft=build/host/weft
count=$([ -n "${WEFT_LONG:-}" ] && echo 1500 || echo "${WEFT_CHANGES:-3}")
for i in 1 2; do
    $weft merge --label v=$i tests/golden/v3/copies.weft -o "$tmp/$i.weft-profile" >"$tmp/log" 2>&1
done
$weft merge "$tmp/1.weft-profile" "$tmp/2.weft-profile" -o "$tmp/3.weft-profile" >"$tmp/log"
resealed() { # KIND FILE...
    verdict "no resealed change of a file does harm, or gets answers that do not agree: $1" \
        "$(python3 tests/fault/resealed.py $weft "${WEFT_SEED:-1}" "$count" "$@" | tee "$tmp/said" | tail -n 1)" = '0 found'
    grep '^#' "$tmp/said"
}
resealed container tests/golden/v3/{copies,grammar,loss}.weft tests/golden/v2/marks.weft
resealed full tests/fault/wet/small.weft
resealed wet tests/golden/wet/v1[1-4]-tier?.wet
resealed profile "$tmp"/[123].weft-profile
resealed squeezed tests/golden/derived/numbers.sqz-2
resealed nest tests/golden/derived/words.nest-2
resealed model tests/golden/derived/numbers.mod-2
resealed grammar tests/golden/wpp/v2.wpp
