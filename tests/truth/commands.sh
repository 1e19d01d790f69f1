#!/bin/bash
# SPDX-License-Identifier: MIT
# All that is asked of recordings, while another program looks for mistakes that the answers do not show:
#
#     commands.sh races      the build with the thread sanitizer: do parts of the work share what one of them changes?
#     commands.sh memory     valgrind: is memory read that was never written? (The address sanitizer does not see it.)
#
# Of recordings with probes of several kinds, damaged ones, full ones, whole execution traces, profiles. By hand (`make
# data-races`, `make memcheck`): 17 and 35 minutes where they were last run.
. tests/lib/check.sh
weft=build/host/weft
runs=0
answered=0
case ${1:-} in
races)
    export TSAN_OPTIONS="halt_on_error=1 exitcode=66 log_path=$tmp/watched"
    watched=(build/tsan/weft)
    parts=(--threads 4)
    apps=('interrupts PROBES=mem' 'interrupts PROBES=paths PLACES=1 EXACT=1 INPUTS=1' 'jpeg PROBES=paths' 'jpeg PROBES=values'
        'threads PROBES=mem CLOCK=timer' 'kernels PROBES=mem CODER=grammar' 'kernels PROBES=mem BUS=tre')
    bare=interrupts place=samples_made
    ;;
memory)
    watched=(valgrind -q --error-exitcode=66 --leak-check=no --max-stackframe=8000000 --log-file="$tmp/watched.%p" $weft)
    parts=(--threads 1)
    apps=('kernels PROBES=mem' 'kernels PROBES=paths' 'kernels PROBES=values' 'thermostat PROBES=mem CLOCK=timer'
        'kernels PROBES=mem CODER=grammar' 'kernels PROBES=mem BUS=tre' 'thermostat PROBES=paths PLACES=1 EXACT=1 INPUTS=1')
    bare=thermostat place=set_point
    ;;
*)
    echo "usage: $0 races|memory" >&2
    exit 2
    ;;
esac

asked() { # COMMAND...
    "${watched[@]}" "$@" "${parts[@]}" >"$tmp/out" 2>"$tmp/err"
    judged $? "$@"
}

judged() { # STATUS COMMAND...
    local status=$1
    shift
    runs=$((runs + 1))
    answered=$((answered + (status == 0 || status == 3)))
    if [ $status -eq 66 ] || [ $status -ge 128 ] || [ $status -eq 2 ]; then
        echo "not ok weft $* (status $status)"
        cat "$tmp"/watched.* "$tmp/err" 2>/dev/null | head -n 40 | sed 's/^/# /'
    fi
    rm -f "$tmp"/watched.*
}

firmware() { # MAKE...
    make -s build-firmware "$@" 2>"$tmp/log" | tail -n 1
}

questions() { # ELF RECORDING: all that is asked of a recording with probes
    local elf=$1 in=$2 events as
    asked dump --elf "$elf" "$in"
    asked dump --elf "$elf" --json "$in"
    asked info "$in"
    asked info --json --elf "$elf" "$in"
    for command in overview functions 'functions --tree' coverage paths 'paths -k 3' hot loops 'loops --tree' grammar model \
        stack irq io race "diff $in"; do
        asked $command --elf "$elf" "$in"
    done
    for as in callgrind folded speedscope perfetto chrome ctf pprof lcov sqlite csv; do
        asked export --as $as -o "$tmp/export.$as" --elf "$elf" "$in"
    done
    asked report --elf "$elf" -o "$tmp/report.html" "$in"
    asked merge -o "$in.profile" --label "version=$(basename "$in" .weft)" --elf "$elf" "$in"
}

for made in "${apps[@]}"; do
    elf=$(firmware APP=$made)
    $weft capture "$elf" -o "$tmp/run.weft" >"$tmp/log" 2>&1
    verdict "recorded: $made" -s "$tmp/run.weft"
    questions "$elf" "$tmp/run.weft"
    size=$(stat -c %s "$tmp/run.weft")
    { head -c $((size / 2)) "$tmp/run.weft" && tail -c $((size / 4)) "$tmp/run.weft"; } >"$tmp/cut.weft"
    questions "$elf" "$tmp/cut.weft"
    case $made in *INPUTS*)
        asked rerun --elf "$elf" -o "$tmp/rerun.weft" "$tmp/run.weft"
        $weft rerun --elf "$elf" -o "$tmp/rerun.weft" "$tmp/run.weft" >"$tmp/log" 2>&1
        questions "$elf" "$tmp/rerun.weft"
        ;;
    esac
done
for question in top 'top -k 3' rare uncovered 'compare --before version=run --after version=cut'; do
    asked fleet $question --elf "$elf" "$tmp/run.weft.profile" "$tmp/cut.weft.profile"
done
asked size "$elf"
asked capture "$elf" -o "$tmp/again.weft"
asked functions --elf "$elf" "$tmp/run.weft.profile"

elf=$(firmware APP=$bare PROBES=none)
$weft capture --full "$elf" -o "$tmp/full.weft" >"$tmp/log" 2>&1
verdict 'recorded: a full run' -s "$tmp/full.weft"
asked wet build --elf "$elf" -o "$tmp/run.wet" "$tmp/full.weft"
$weft wet build --elf "$elf" -o "$tmp/run.wet" "$tmp/full.weft" >"$tmp/log" 2>&1
for in in "$tmp/full.weft" "$tmp/run.wet"; do
    for command in info overview functions coverage paths hot loops stack irq io race dump; do
        asked $command --elf "$elf" "$in"
    done
    for as in callgrind perfetto sqlite drcov; do
        asked export --as $as -o "$tmp/export.$as" --elf "$elf" "$in"
    done
    asked report --elf "$elf" -o "$tmp/report.html" "$in"
done
for question in why slice 'slice --forward' values addresses 'misses --model cortex-m7'; do
    asked wet $question "$tmp/run.wet" --elf "$elf" --at $place
done
asked wet control "$tmp/run.wet" --backward
python3 tests/truth/debug_session.py "${watched[@]}" gdb "$tmp/run.wet" --elf "$elf" --stdio >"$tmp/out" 2>"$tmp/err"
judged $? gdb
asked capture --full "$elf" -o "$tmp/again.weft"
$weft squeeze "$tmp/full.weft" -o "$tmp/squeezed" >"$tmp/log" 2>&1
asked squeeze "$tmp/full.weft" -o "$tmp/squeezed"
# A stream that is long enough to be predicted while its grammar grows, and back.
python3 -c 'import random; random.seed(1); print(*(random.choice((i % 50, random.randrange(9))) for i in range(700000)))' \
    >"$tmp/stream"
asked grammar "$tmp/stream" -o "$tmp/stream.wpp"
$weft grammar "$tmp/stream" -o "$tmp/stream.wpp"
asked grammar --expand "$tmp/stream.wpp"
verdict "$runs commands run, $answered of them with an answer" "$answered" -gt 300
