#!/bin/bash
# SPDX-License-Identifier: MIT
# weft coverage against gcov on the target: each workload is built once more with gcov's counters, which it prints in
# the emulator. gcov splits blocks at calls, where a statement over several lines may count for another of its lines,
# and prunes less of what is inlined always: so few lines of large programs differ.
. tests/lib/check.sh
weft=build/host/weft
arm-none-eabi-gcc -mthumb -mcpu=cortex-m3 -O2 -Wall -Wextra -Werror -c tests/target/gcov/dump.c -o "$tmp/dump.o"

against() { # APP LINES BRANCHES WAYS: at most LINES and BRANCHES differ; WAYS is yes: gcov has as many ways
    local app=$1 elf
    elf=$(make -s build-firmware APP="$app" PROBES=none OPT=-O0 VARIANT=counted \
        FLAGS="--coverage -fprofile-info-section=gcov_infos" APP_LDLIBS="$tmp/dump.o -lgcov" 2>"$tmp/log" | tail -n 1)
    $weft capture --full "$elf" -o "$tmp/counted.weft" >"$tmp/printed" 2>&1
    elf=$(make -s build-firmware APP="$app" PROBES=paths OPT=-O0 2>"$tmp/log" | tail -n 1)
    $weft capture "$elf" -o "$tmp/run.weft" >"$tmp/log" 2>&1
    $weft coverage --json --elf "$elf" "$tmp/run.weft" >"$tmp/coverage.json"
    python3 -B tests/target/gcov/compare.py "$tmp/printed" "$tmp/coverage.json" >"$tmp/result"
    tail -n 30 "$tmp/result" | cut -c 1-100 | sed 's/^/# /'
    read -r _ same differ _ branches others _ theirs ours < <(tail -n 1 "$tmp/result")
    app=$(basename "$app")
    verdict "$app: $same lines and $branches lines with branches count as gcov's do, $differ and $others do not" \
        "${same:-0}" -gt 25 -a "${differ:-99}" -le "$2" -a "${branches:-0}" -gt 4 -a "${others:-99}" -le "$3"
    [ "$4" != yes ] || verdict "$app: both have $theirs ways out of branches" "${ours:-none}" = "$theirs"
}

against thermostat 0 0 yes
against tests/target/gcov/unwound.c 0 0 yes
against kernels 0 0 yes
against bzip2 6 2 yes
against jpeg 2 1 yes
[ -z "${WEFT_LONG:-}" ] || against zlib 9 0 yes
[ -z "${WEFT_LONG:-}" ] || against lz4 13 13 no
[ -z "${WEFT_LONG:-}" ] || against lua 11 17 no
