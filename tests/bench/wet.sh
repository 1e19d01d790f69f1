#!/bin/bash
# SPDX-License-Identifier: MIT
# Whole execution traces of long runs, as tables 1 to 9 of Zhang & Gupta (MICRO 2004), section 5: sizes, building,
# queries; and a debugger's requests (debug.py). Needs about 4 GB of memory and five minutes. A step that takes longer
# than WEFT_STEP_MAX seconds is ended. BZIP2_TEXT and ZLIB_TEXT are the bytes that the programs compress and decompress;
# 250,000 and 340,000 make 100 million instructions. WEFT_QUICK takes few.
set -u
weft=build/host/weft
work=build/bench/wet
bound="timeout ${WEFT_STEP_MAX:-600}"
mkdir -p $work
make -s build/host/tests/bench/bench_wet

tables() { # NAME: the reports of `weft wet build --json`
    python3 - $1 $work/$1.json <<'PY'
import json, sys
name, r = sys.argv[1], json.load(open(sys.argv[2]))
n, mb = r["statements"], 1e6
o, t1, t2 = r["original"], r["tier1"], r["tier2"]
print("%s: %d paths executed %.2f million times" % (name, r["nodes"], r["timestamps"] / mb))
print("  table 1     statements    original MB   tier 1 MB   tier 2 MB    original / tier 2   bytes per statement")
print("              %10.2f M %13.1f %11.1f %11.1f %20.1f %19.4f" %
      (n / mb, o["bytes"] / mb, t1["bytes"] / mb, t2["bytes"] / mb, o["bytes"] / t2["bytes"], r["bytes_per_statement"]))
print("  tables 2, 3               original MB   original / tier 1   original / tier 2   bytes per statement: tier 1, tier 2")
for key in ("timestamps", "values", "edges"):
    print("              %-12s %12.1f %19.2f %19.2f %29.4f %7.4f"
          % (key, o[key] / mb, o[key] / max(t1[key], 1), o[key] / max(t2[key], 1), t1[key] / n, t2[key] / n))
print("              %-12s %82.4f %7.4f" % ("program", t1["program"] / n, t2["program"] / n))
print("  table 5     built in %.1f s (%.1f s of CPU): %.2f million statements per second; peak memory %.2f GB"
      % (r["seconds"], r["cpu_seconds"], n / r["seconds"] / mb, r["peak_memory"] / 1e9))
PY
}

histories() { # NAME: table 4, architecture histories
    for model in cortex-m7 stm32f4; do
        $bound $weft wet misses $work/$1.wet --model $model --json >$work/$1.misses || return
        python3 - $model $work/$1.json $work/$1.misses <<'PY'
import json, sys
n, r = json.load(open(sys.argv[2]))["statements"], json.load(open(sys.argv[3]))
print("  table 4     %-10s bytes per statement: bits, kept; missed" % sys.argv[1])
for key in ("branches", "loads", "stores", "fetches"):
    c = r[key]
    print("              %-10s %7.4f %7.4f %9.3f %%"
          % (key, c["executions"] / 8 / n, c["bytes"] / n, 100 * c["misses"] / max(c["executions"], 1)))
PY
    done
}

run() { # APP TEXT_SIZE
    local elf=$work/$1.elf
    touch tests/workloads/$1/$1.c # another TEXT_SIZE is another program
    cp "$(make -s firmware BOARD=mps2-an385 APP=$1 OPT=-O2 PROBES=none TEXT_SIZE=$2 2>/dev/null | tail -n 1)" $elf || return
    touch tests/workloads/$1/$1.c
    $bound $weft capture --full $elf -o $work/$1.weft || return
    $bound $weft wet build $work/$1.weft --elf $elf -o $work/$1.tier1 --tier 1 >/dev/null || return
    $bound $weft wet build $work/$1.weft --elf $elf -o $work/$1.wet --json >$work/$1.json || return
    tables $1
    histories $1
    $bound build/host/tests/bench/bench_wet $work/$1.tier1 $work/$1.wet
    $bound python3 tests/bench/debug.py $weft $work/$1.wet $elf ${WEFT_QUICK:+10}
    rm -f $work/$1.tier1 $work/$1.weft
}

if [ -n "${WEFT_QUICK:-}" ]; then
    run bzip2 ${BZIP2_TEXT:-6000}
    run zlib ${ZLIB_TEXT:-12000}
else
    run bzip2 ${BZIP2_TEXT:-250000}
    run zlib ${ZLIB_TEXT:-340000}
fi
