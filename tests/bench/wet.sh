#!/bin/bash
# SPDX-License-Identifier: MIT
# Whole execution traces of long runs: sizes, building, queries, as the tables of Zhang & Gupta (MICRO 2004), section 5.
# Needs about 3 GB of memory and some minutes; WEFT_QUICK takes short runs.
set -u
weft=build/host/weft
work=build/bench/wet
mkdir -p $work
make -s build/host/tests/bench/bench_wet

table() { # NAME FILE: the report of `weft wet build --json`
    python3 - "$@" <<'PY'
import json, sys
name, r = sys.argv[1], json.load(open(sys.argv[2]))
n, mb = r["statements"], 1e6
o, t1, t2 = r["original"], r["tier1"], r["tier2"]
print("%s: %.2f million statements, %d paths executed %.2f million times" % (name, n / mb, r["nodes"], r["timestamps"] / mb))
print("  table 1    original %.1f MB, compressed %.1f MB, %.1f times smaller, %.4f bytes a statement"
      % (o["bytes"] / mb, r["bytes"] / mb, o["bytes"] / r["bytes"], r["bytes_per_statement"]))
print("  table 2/3                original MB    / tier 1    / tier 2   bytes a statement in tier 2")
for key in ("timestamps", "values", "edges"):
    print("             %-12s %12.1f %11.2f %11.2f %12.4f" % (key, o[key] / mb, o[key] / max(t1[key], 1), o[key] / max(t2[key], 1), t2[key] / n))
print("             %-12s %36s %12.4f" % ("program", "", t2["program"] / n))
print("  table 5    built in %.1f s: %.2f million statements a second" % (r["seconds"], n / r["seconds"] / mb))
PY
}

run() { # APP TEXT_SIZE
    local elf=$work/$1.elf
    touch tests/workloads/$1/$1.c # another TEXT_SIZE is another program
    cp "$(make -s firmware BOARD=mps2-an385 APP=$1 OPT=-O2 PROBES=none TEXT_SIZE=$2 2>/dev/null | tail -n 1)" $elf || return
    touch tests/workloads/$1/$1.c
    local start=$(date +%s.%N)
    $weft capture --full $elf -o $work/$1.weft --json >$work/$1.capture || return
    python3 -c "import json; e = json.load(open('$work/$1.capture'))['events']; t = $(date +%s.%N) - $start; print('captured %d instructions in %.1f s: %.1f million a second' % (e, t, e / t / 1e6))"
    $weft wet build $work/$1.weft --elf $elf -o $work/$1.wet --json >$work/$1.json || return
    table $1 $work/$1.json
    build/host/tests/bench/bench_wet $work/$1.wet
    $weft wet build $work/$1.weft --elf $elf -o $work/$1.tier1 --tier 1 >/dev/null && build/host/tests/bench/bench_wet $work/$1.tier1
    rm -f $work/$1.tier1 $work/$1.weft
}

if [ -n "${WEFT_QUICK:-}" ]; then
    run bzip2 6000
    run zlib 12000
else
    run bzip2 230000
    run zlib 335000
fi
