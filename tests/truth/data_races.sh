#!/bin/bash
# SPDX-License-Identifier: MIT
# Commands that work on all cores, in a build with the thread sanitizer: parts of the work share nothing that one of
# them changes. Recordings with probes of several kinds, damaged ones, full ones, whole execution traces, profiles. By
# hand (`make data-races`): the build and the runs take some twenty minutes.
. tests/lib/check.sh
weft=build/host/weft
export TSAN_OPTIONS="halt_on_error=1 exitcode=66 log_path=$tmp/tsan"
runs=0
answered=0

raced() { # COMMAND...: with four threads
    build/tsan/weft "$@" --threads 4 >"$tmp/out" 2>"$tmp/err"
    local status=$?
    runs=$((runs + 1))
    answered=$((answered + (status == 0 || status == 3)))
    [ $status -ne 66 ] && [ $status -lt 128 ] && [ $status -ne 2 ] && return
    echo "not ok weft $* (status $status)"
    cat "$tmp"/tsan.* "$tmp/err" 2>/dev/null | head -n 40 | sed 's/^/# /'
    rm -f "$tmp"/tsan.*
}

firmware() { # MAKE...
    make -s build-firmware "$@" 2>"$tmp/log" | tail -n 1
}

questions() { # ELF RECORDING: all that is asked of a recording with probes
    local elf=$1 in=$2 events as
    raced dump --elf "$elf" "$in"
    raced dump --elf "$elf" --json "$in"
    raced info "$in"
    raced info --json --elf "$elf" "$in"
    for command in overview functions 'functions --tree' coverage paths 'paths -k 3' hot loops 'loops --tree' grammar model \
        stack irq io race "diff $in"; do
        raced $command --elf "$elf" "$in"
    done
    for as in callgrind folded speedscope perfetto chrome ctf pprof lcov sqlite csv; do
        raced export --as $as -o "$tmp/export.$as" --elf "$elf" "$in"
    done
    raced report --elf "$elf" -o "$tmp/report.html" "$in"
    raced merge -o "$tmp/merged" --elf "$elf" "$in"
}

for made in 'interrupts PROBES=mem' 'interrupts PROBES=paths PLACES=1 EXACT=1 INPUTS=1' 'jpeg PROBES=paths' \
    'jpeg PROBES=values' 'threads PROBES=mem CLOCK=timer' 'kernels PROBES=mem CODER=grammar' 'kernels PROBES=mem BUS=tre'; do
    elf=$(firmware APP=$made)
    $weft capture "$elf" -o "$tmp/run.weft" >"$tmp/log" 2>&1
    verdict "recorded: $made" -s "$tmp/run.weft"
    questions "$elf" "$tmp/run.weft"
    size=$(stat -c %s "$tmp/run.weft")
    { head -c $((size / 2)) "$tmp/run.weft" && tail -c $((size / 4)) "$tmp/run.weft"; } >"$tmp/cut.weft"
    questions "$elf" "$tmp/cut.weft"
    case $made in *INPUTS*)
        raced rerun --elf "$elf" -o "$tmp/rerun.weft" "$tmp/run.weft"
        $weft rerun --elf "$elf" -o "$tmp/rerun.weft" "$tmp/run.weft" >"$tmp/log" 2>&1
        questions "$elf" "$tmp/rerun.weft"
        ;;
    esac
done
raced fleet top --elf "$elf" "$tmp/merged"
raced functions --elf "$elf" "$tmp/merged"

elf=$(firmware APP=interrupts PROBES=none)
$weft capture --full "$elf" -o "$tmp/full.weft" >"$tmp/log" 2>&1
verdict 'recorded: a full run' -s "$tmp/full.weft"
raced wet build --elf "$elf" -o "$tmp/run.wet" "$tmp/full.weft"
$weft wet build --elf "$elf" -o "$tmp/run.wet" "$tmp/full.weft" >"$tmp/log" 2>&1
for in in "$tmp/full.weft" "$tmp/run.wet"; do
    for command in info overview functions coverage paths hot loops stack irq io race dump; do
        raced $command --elf "$elf" "$in"
    done
    for as in callgrind perfetto sqlite drcov; do
        raced export --as $as -o "$tmp/export.$as" --elf "$elf" "$in"
    done
    raced report --elf "$elf" -o "$tmp/report.html" "$in"
done
$weft squeeze "$tmp/full.weft" -o "$tmp/squeezed" >"$tmp/log" 2>&1
raced squeeze "$tmp/full.weft" -o "$tmp/squeezed"
verdict "$runs commands run, $answered of them with an answer" "$answered" -gt 300
