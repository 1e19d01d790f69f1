#!/bin/bash
# SPDX-License-Identifier: MIT
# What the probes cost, as a table in Markdown: executed instructions with probes over without, instructions per probe (call and
# arguments included), and bytes per event that leave the target. The emulator plugin counts exactly.
#     tests/bench/overhead.sh [OPT [APP...]]
set -eu
opt=${1:--O2}
shift $(($# > 0))
apps=${*:-$(cd tests/workloads && ls -d */ | tr -d / | grep -vx adding)}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/weft-test.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

# measure PROBES: instructions, calls of the path probe and of the access probe
measure() {
    local elf
    elf=$(make -s build-firmware "APP=$app" "OPT=$opt" "PROBES=$1" | tail -n 1)
    build/host/weft capture "$elf" --count "$tmp/count" --icount 5 2>/dev/null
    awk '$1 == "total" { total = $2 } $2 == "__weft_path" { paths = $3 } $2 == "__weft_access" { accesses = $3 }
         END { print total, paths, accesses }' "$tmp/count"
}

# bytes PROBES: of the container, and events in it
bytes() {
    local elf
    elf=$(make -s build-firmware "APP=$app" "OPT=$opt" "PROBES=$1" | tail -n 1)
    build/host/weft capture "$elf" -o "$tmp/out" --icount 5 --json 2>/dev/null |
        sed 's/.*"events":\([0-9]*\),"bytes":\([0-9]*\).*/\2 \1/'
}

echo "Executed instructions on mps2-an385 at $opt:"
echo
echo "| workload | without | paths | times | instructions per path | paths, memory | times | instructions per access | bytes per path | bytes per event |"
echo "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
for app in $apps; do
    read -r plain _ < <(measure none)
    read -r some paths _ < <(measure paths)
    read -r all _ accesses < <(measure mem)
    read -r some_bytes some_events < <(bytes paths)
    read -r all_bytes all_events < <(bytes mem)
    awk -v app="$(basename "$app")" -v plain="$plain" -v some="$some" -v paths="$paths" -v all="$all" -v accesses="$accesses" \
        -v sb="$some_bytes" -v se="$some_events" -v ab="$all_bytes" -v ae="$all_events" 'BEGIN {
        printf "| %s | %d | %d | %.2f | %.1f | %d | %.2f | %.1f | %.2f | %.2f |\n", app, plain, some, some / plain,
            (some - plain) / paths, all, all / plain, (all - some) / accesses, sb / se, ab / ae }'
done
echo
