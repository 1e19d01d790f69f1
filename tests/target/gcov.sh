#!/bin/bash
# SPDX-License-Identifier: MIT
# weft coverage against gcov on the target: each workload is built again with gcov's counters, which it prints in
# the emulator. Each line and each branch that both know must have the same count. A few places are named where gcov's
# own counters contradict what it prints (tests/target/gcov/compare.py): there they are right, and so must Weft be.
. tests/lib/check.sh
weft=build/host/weft
arm-none-eabi-gcc -mthumb -mcpu=cortex-m3 -O2 -Wall -Wextra -Werror -c tests/target/gcov/dump.c -o "$tmp/dump.o"

against() { # APP FLAGS KNOWN...: places where gcov prints something else than it counted
    local app=$1 flags=$2 elf
    shift 2
    elf=$(make -s build-firmware APP="$app" PROBES=none OPT=-O0 VARIANT=counted \
        FLAGS="--coverage -fprofile-info-section=gcov_infos $flags" APP_LDLIBS="$tmp/dump.o -lgcov" 2>"$tmp/log" |
        tail -n 1)
    $weft capture --full "$elf" -o "$tmp/counted.weft" >"$tmp/printed" 2>&1
    elf=$(make -s build-firmware APP="$app" PROBES=paths OPT=-O0 ${flags:+VARIANT=flags FLAGS="$flags"} 2>"$tmp/log" |
        tail -n 1)
    $weft capture "$elf" -o "$tmp/run.weft" >"$tmp/log" 2>&1
    $weft coverage --json --elf "$elf" "$tmp/run.weft" >"$tmp/coverage.json"
    python3 -B tests/target/gcov/compare.py "$tmp/printed" "$tmp/coverage.json" "$@" >"$tmp/result"
    tail -n 30 "$tmp/result" | cut -c 1-150 | sed 's/^/# /'
    read -r _ same differ _ branches others _ theirs ours < <(tail -n 1 "$tmp/result")
    app=$(basename "$app")
    verdict "$app: $same lines and $branches lines with branches count as gcov's do, $# places are named" \
        "${same:-0}" -gt 25 -a "${differ:-99}" -eq 0 -a "${branches:-0}" -gt 4 -a "${others:-99}" -eq 0
    [ $# -gt 0 ] || verdict "$app: both have $theirs ways out of branches" "${ours:-none}" = "$theirs"
}

against thermostat ''
against tests/target/gcov/unwound.c ''
against tests/target/gcov/switches.c ''
against kernels ''
against jpeg ''
[ -n "${WEFT_LONG:-}" ] || exit 0
against bzip2 ''
against zlib '' inflate.c:1125
against lz4 '' lz4.c:448 lz4.c:663 lz4.c:1959 lz4hc.c:340 lz4hc.c:504 lz4hc.c:588 lz4hc.c:836 lz4hc.c:291 lz4hc.c:306 \
    lz4hc.c:308 lz4hc.c:432
# Lua caches strings by the addresses of literals, which the counters move: without that, both run alike.
against lua "-DSTRCACHE_N=1 -DSTRCACHE_M=1" lobject.c:230 lvm.c:1727
