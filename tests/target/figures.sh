#!/bin/bash
# SPDX-License-Identifier: MIT
# What one command says of a recording, the others say too: calls, instructions, paths and losses of info, functions,
# overview, coverage, paths, each export and the report, of a recording with probes, of one with a gap, and of a full
# recording.
. tests/lib/check.sh
weft=build/host/weft
formats='folded callgrind pprof speedscope perfetto chrome ctf csv sqlite lcov'
take() { # RECORDING COMMAND...: $tmp/said/COMMAND has its JSON
    local in=$1 name
    shift
    name=$(echo "$*" | tr -c 'a-z\n' '_')
    $weft "$@" --json --elf "$elf" "$tmp/$in.weft" >"$tmp/said/$name" 2>>"$tmp/errors"
    echo "$name $?" >>"$tmp/said/statuses"
}

# WORKLOAD and which of its recordings. With WEFT_LONG all of all: run (with probes), gap (the same with two damaged
# frames, whose losses are counted), full.
each="thermostat:run,full threads:gap"
[ "${WEFT_LONG:-}" ] && each=$(for app in adding thermostat threads kernels interrupts jpeg lua; do echo $app:run,gap,full; done)
for one in $each; do
    app=${one%:*}
    elf=$(make -s build-firmware APP=$app PROBES=mem 2>"$tmp/log" | tail -n 1)
    $weft capture --icount 5 "$elf" -o "$tmp/run.weft" >"$tmp/log" 2>&1
    case $one in *full*) $weft capture --full --icount 5 "$elf" -o "$tmp/full.weft" >"$tmp/log" 2>&1 ;; esac
    python3 - "$tmp/run.weft" "$tmp/gap.weft" <<'PY'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
for at in (len(data) // 2, 2 * len(data) // 3):
    data[at] ^= 0x55
open(sys.argv[2], "wb").write(data)
PY
    for in in $(echo ${one#*:} | tr , ' '); do
        rm -rf "$tmp/said"
        mkdir "$tmp/said"
        for command in info functions overview coverage report; do
            case $command in report) take $in report -o "$tmp/page" ;; *) take $in $command ;; esac
        done
        [ $in = full ] || take $in paths -k 1
        for format in $formats; do
            rm -rf "$tmp/out"
            take $in export --as $format -o "$tmp/out"
        done
        python3 tests/target/figures.py $app $in "$tmp/said"
    done
done
