#!/bin/bash
# SPDX-License-Identifier: MIT
# What the black box costs and keeps, as a table in Markdown: executed instructions per path (call and arguments
# included) and in all over those without probes, the longest run with interrupts masked, flash of the probes' engine,
# for both forms; and how many times as many paths as a plain ring of 16 bits the packed form keeps in 4 KB.
#     tests/bench/blackbox.sh [BOARD [APP...]]
set -eu
board=${1:-mps2-an385}
shift $(($# > 0))
apps=${*:-$(cd tests/workloads && ls -d */ | tr -d / | grep -vx adding)}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/weft-test.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
make -s build/host/tests/bench/bench_blackbox

# build MAKE...: the ELF
build() {
    make -s build-firmware "APP=$app" "BOARD=$board" "$@" | tail -n 1
}

# measure MAKE...: instructions, paths, longest masked run
measure() {
    build/host/weft capture "$(build "$@")" --count "$tmp/count" --icount 5 2>/dev/null
    awk '$1 == "total" { total = $2 } $1 == "masked" { masked = $2 } $2 == "__weft_last" { paths = $3 }
         END { print total, paths, masked }' "$tmp/count"
}

echo "| workload | without | plain, times | per path | masked | packed, times | per path | masked |"
echo "|---|--:|--:|--:|--:|--:|--:|--:|"
for app in $apps; do
    read -r none _ < <(measure PROBES=none)
    read -r plain paths masked < <(measure PROBES=last BOX=plain)
    read -r packed _ packed_masked < <(measure PROBES=last BOX=packed)
    awk -v app="$app" -v n="$none" -v a="$plain" -v paths="$paths" -v am="$masked" -v b="$packed" -v bm="$packed_masked" \
        'BEGIN { printf "| %s | %d | %.2f | %.1f | %d | %.2f | %.1f | %d |\n", app, n, a / n, (a - n) / paths, am,
                     b / n, (b - n) / paths, bm }'
    build/host/weft capture "$(build PROBES=paths PACK=0)" -o "$tmp/$app.weft" --icount 5 >/dev/null 2>&1 || true
done
echo
build/host/tests/bench/bench_blackbox 4096 "$tmp"/*.weft
