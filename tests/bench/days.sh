#!/bin/bash
# SPDX-License-Identifier: MIT
# What a profile that holds costs on the target (port/cortex-m/weft_profile.h): for each workload, run once as a day,
# the bytes that are sent, the paths that are counted and lost, flash of the engine and of the probes, RAM. K=2 in the
# environment: sequences of up to 2 paths (default 4).
#     tests/bench/days.sh [NODES [APP...]]
set -u
nodes=${1:-300}
k=${K:-4}
shift
apps=${*:-$(cd tests/workloads && ls -d */ | tr -d / | grep -vx adding)}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/weft-test.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
echo "| workload | paths of the run | lost | bytes sent | engine, flash | probes, flash | RAM |"
echo "|---|--:|--:|--:|--:|--:|--:|"
for app in $apps; do
    # As WEFT_PROFILE_DEF: no accesses, a small frame, one buffer.
    sizes="-DWEFT_AUTO_KSF_NODES=$nodes -DWEFT_AUTO_FRAME=512 -DWEFT_AUTO_SPARE=0 -DWEFT_AUTO_SLOTS=1 -DWEFT_AUTO_NAMES=0"
    elf=$(make -s build-firmware "APP=$app" PROBES=paths KSF=$k KSF_ONLY=1 KSF_HOLDS=1 "AUTO_CFLAGS=$sizes" \
        "VARIANT=day$nodes" 2>"$tmp/log" | tail -n 1)
    plain=$(make -s build-firmware "APP=$app" PROBES=none 2>>"$tmp/log" | tail -n 1)
    build/host/weft capture "$elf" -o "$tmp/t.weft" >"$tmp/log" 2>&1
    build/host/weft merge --json "$tmp/t.weft" -o "$tmp/t.p" >"$tmp/merged" 2>>"$tmp/log"
    build/host/weft size --json --without "$plain" "$elf" >"$tmp/size" 2>>"$tmp/log"
    python3 - "$app" "$tmp/merged" "$tmp/size" "$(stat -c %s "$tmp/t.weft")" <<'P'
import json, sys
app, merged, size = sys.argv[1], json.load(open(sys.argv[2])), json.load(open(sys.argv[3]))
all_paths = merged["paths"] + merged["lost"]
print("| %s | %d | %.1f %% | %s | %s | %s | %s |" % (app, all_paths, 100 * merged["lost"] / max(1, all_paths), sys.argv[4],
                                                  size["engine"], size["probes"], size["ram"]))
P
done
