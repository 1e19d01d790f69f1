#!/bin/bash
# SPDX-License-Identifier: MIT
# Announced accesses and what the machine code then did, as a table in Markdown. tests/target/oracle_check.c explains
# the kinds.
#     tests/bench/honesty.sh [OPTS [APP...]]      HONESTY_SITES=1 adds the sites with exceptions
set -eu
make -s build/host/tests/target/oracle_check
opts=${1:-${WEFT_QUICK:+-O2}}
opts=${opts:--O0 -O2 -Os}
shift $(($# > 0))
apps=${*:-$(cd tests/workloads && ls -d */ | tr -d / | grep -vx adding)}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/weft-test.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

echo "Announced accesses (mps2-an385), and how they were made: *exact*ly; in *pieces* (8 bytes by two instructions, a structure by words);"
echo "*narrow*: only the bytes that are needed; *wide*: by one access that covers it; by a library *routine*; *moved* past another"
echo "probe; *removed* by a later pass of the compiler."
echo
echo "| workload | | announced | exact | pieces | narrow | wide | routine | moved | removed |"
echo "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|"
for app in $apps; do
    for opt in $opts; do
        elf=$(make -s build-firmware "APP=$app" "OPT=$opt" | tail -n 1)
        build/host/weft capture "$elf" -o "$tmp/trace" --watch "$tmp/watch" >/dev/null 2>&1
        build/host/tests/target/oracle_check "$elf" "$tmp/trace" "$tmp/watch" -v >"$tmp/check" || true
        grep '^honesty' "$tmp/check" | tr '=' ' ' | awk -v app="$(basename "$app")" -v opt="$opt" '{
            for (i = 3; i <= NF; i += 2) { all += $i; row = row " " $i " |" }
            printf "| %s | %s | %d |%s\n", app, opt, all, row }'
        [ -z "${HONESTY_SITES:-}" ] || grep '^# ' "$tmp/check" || true
    done
done
echo
