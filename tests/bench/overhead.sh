#!/bin/bash
# SPDX-License-Identifier: MIT
# What the probes cost, as a table in Markdown: executed instructions with probes over without, instructions per probe
# (call and arguments included), bytes per event that leave the target, and the longest run of instructions with
# interrupts masked. The emulator plugin counts exactly.
#     tests/bench/overhead.sh [OPT [APP...]]
set -eu
opt=${1:--O2}
shift $(($# > 0))
apps=${*:-$(cd tests/workloads && ls -d */ | tr -d / | grep -vx adding)}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/weft-test.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

# measure PROBES [MAKE...]: instructions, calls of the path probe and of the access probe, longest masked run
measure() {
    local elf
    elf=$(make -s build-firmware "APP=$app" "OPT=$opt" "PROBES=$1" "${@:2}" | tail -n 1)
    build/host/weft capture "$elf" --count "$tmp/count" --icount 5 2>/dev/null
    awk '$1 == "total" { total = $2 } $1 == "masked" { masked = $2 } $2 == "__weft_path" { paths = $3 } $2 == "__weft_access" { accesses = $3 }
         END { print total, paths, accesses, masked }' "$tmp/count"
}

# bytes PROBES [MAKE...]: of the container; events: paths and accesses, recorded and derived; and the share of derived
# accesses
bytes() {
    local elf
    elf=$(make -s build-firmware "APP=$app" "OPT=$opt" "PROBES=$1" "${@:2}" | tail -n 1)
    build/host/weft capture "$elf" -o "$tmp/out" --icount 5 >/dev/null 2>&1
    build/host/weft info --json --elf "$elf" "$tmp/out" 2>/dev/null | tr -d ' ' |
        sed 's/.*"bytes":\([0-9]*\),"recordings".*"paths":{"recorded":\([0-9]*\).*"derived":{"recorded":\([0-9]*\),"derived":\([0-9]*\),"unknown":\([0-9]*\)}.*/\1 \2 \3 \4 \5/' |
        awk '{ all = $3 + $4 + $5; print $1, $2 + all, all ? 100 * $4 / all : 0 }'
}

echo "Executed instructions on mps2-an385 at $opt; what is derived is not recorded (DERIVE, port/port.mk):"
echo
echo "| workload | without | paths, PACK=0 | times | per path | paths, times | bytes per path | paths, memory | times | per record | derived, % | bytes per path | bytes per event | masked, direct | ring | inputs, times | bytes | masked |"
echo "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
for app in $apps; do
    read -r plain _ < <(measure none)
    read -r some paths _ < <(measure paths PACK=0)
    read -r packed _ < <(measure paths)
    read -r all _ accesses masked < <(measure mem)
    read -r _ _ _ masked_ring < <(measure mem DELIVERY=ring)
    read -r inputs _ _ masked_inputs < <(measure inputs)
    read -r inputs_bytes _ < <(bytes inputs)
    read -r some_bytes some_events _ < <(bytes paths PACK=0)
    read -r packed_bytes packed_events _ < <(bytes paths)
    read -r all_bytes all_events derived < <(bytes mem)
    awk -v app="$(basename "$app")" -v plain="$plain" -v some="$some" -v paths="$paths" -v packed="$packed" -v pb="$packed_bytes" -v pe="$packed_events" -v all="$all" -v accesses="$accesses" \
        -v sb="$some_bytes" -v se="$some_events" -v ab="$all_bytes" -v ae="$all_events" -v derived="$derived" \
        -v inputs="$inputs" -v ib="$inputs_bytes" -v im="$masked_inputs" -v masked="$masked" -v masked_ring="$masked_ring" 'BEGIN {
        printf "| %s | %d | %d | %.2f | %.1f | %.2f | %.2f | %d | %.2f | %.1f | %.0f | %.2f | %.2f | %d | %d | %.2f | %d | %d |\n", app, plain, some, some / plain,
            (some - plain) / paths, packed / plain, pb / pe, all, all / plain, (all - some) / (accesses ? accesses : 1), derived, sb / se, ab / ae,
            masked, masked_ring, inputs / plain, ib, im }'
done | tee "$tmp/rows"
awk -F'|' '{ n++; p += log($5); q += log($7); m += log($10); i += log($17) }
    END { printf "\nGeometric mean: paths with PACK=0 %.2f, paths %.2f, paths and memory %.2f, inputs %.2f times\n\n", exp(p / n), exp(q / n), exp(m / n), exp(i / n) }' "$tmp/rows"
