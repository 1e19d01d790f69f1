#!/bin/bash
# SPDX-License-Identifier: MIT
# Random programs (csmith), each in one of ten ways, judged by the emulator (tests/target/oracle.sh).
#     tests/truth/random_programs.sh [COUNT [FIRST [BOARD]]]      COUNT seeds from FIRST on; default 100, 1, mps2-an385
set -u
count=${1:-100} first=${2:-1} board=${3:-mps2-an385}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/weft-test.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
ways=("-O0" "-O2 PROBES=values" "-Os PACK=1" "-O3" "-O1 PROBES=values" "-O2 CODER=loops BUS=tre" "-Og PROBES=values"
    "-O3 PROBES=paths" "-O2 DELIVERY=ring DERIVE=path" "-Os DERIVE=activation PROBES=values")
tried=0 failed=0
for ((seed = first; seed < first + count; seed++)); do
    program=$tmp/random$seed.c
    (cd "$tmp" && csmith --seed "$seed" --no-volatiles --max-funcs 12 --max-block-depth 4 --no-packed-struct >"$program")
    # Not those that take long, or do not end.
    gcc -w -O1 -I/usr/include/csmith "$program" -o "$tmp/native" && timeout 1 "$tmp/native" >"$tmp/log" 2>&1 || continue
    read -ra way <<<"${ways[seed % ${#ways[@]}]}"
    ORACLE_TIMEOUT=60 tests/target/oracle.sh "$program" "${way[0]}" FLAGS="-I/usr/include/csmith -w" BOARD="$board" "${way[@]:1}" \
        >"$tmp/said" 2>&1
    tried=$((tried + 1))
    # A program may have no values to compare, and one that is short may announce more than a thousandth for nothing.
    if grep '^not ok' "$tmp/said" | grep -v 'values equal=0 other=0$' | grep -vq ': honesty'; then
        failed=$((failed + 1))
        echo "not ok seed $seed ${way[*]}"
        sed 's/^/# /' "$tmp/said"
    fi
    rm -rf build/fw/"$board"/random$seed-* "$program"
done
echo "$tried programs of $count seeds, $failed not as the emulator saw them"
[ $tried -gt 0 ] && [ $failed -eq 0 ]
