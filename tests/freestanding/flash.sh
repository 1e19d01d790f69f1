#!/bin/bash
# SPDX-License-Identifier: MIT
# Prints the flash that a recorder takes with each of its coders, and fails where it takes more than it once did.
# Compiled with -Os. Only functions that are used are linked, and nothing of the C library or of the port is counted.
set -u
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
events='weft_recorder_init weft_recorder_path weft_recorder_finish'
raw="$events weft_recorder_access weft_recorder_value"
forest='weft_profiler_ksf weft_recorder_kpath'
predictors='weft_bus_coder_bfcm weft_value_coder_bfcm'
cores='cortex-m0 cortex-m3'

make -s build/small/{cortex-m0,cortex-m3}.a || exit 1

bytes() { # CPU SYMBOL...: of these, and of what they call
    local cpu=$1
    shift
    # shellcheck disable=SC2046
    arm-none-eabi-ld -r --gc-sections $(printf ' -u %s' "$@") "build/small/$cpu.a" -o "$out/linked.o" || exit 1
    arm-none-eabi-size -A -d "$out/linked.o" | awk '/^\.(text|rodata|data)/ { sum += $2 } END { print sum }'
}
row() { # NAME SYMBOL...
    local name=$1 cpu
    shift
    printf '# %-40s' "$name"
    for cpu in $cores; do
        printf '%8d' "$(bytes "$cpu" "$@")"
    done
    echo
}
at_most() { # NAME CPU LIMIT SYMBOL...
    local name=$1 cpu=$2 limit=$3 size
    shift 3
    size=$(bytes "$cpu" "$@")
    [ "$size" -le "$limit" ] || echo -n 'not '
    echo "ok on $cpu, $name take at most $limit bytes"
}

printf '# %-40s%8s%8s\n' 'bytes of flash' M0 M3
# The words are lists of symbols.
# shellcheck disable=SC2086
{
    row 'recorder: paths' $events
    row 'recorder: paths, accesses, values' $raw
    row '  with loops' $raw weft_control_coder_loops
    row '  with a grammar' $raw weft_control_coder_grammar
    row '  with address engines' $raw weft_model_coder_tre
    row '  with predictors' $raw $predictors
    row '  with a k-slab forest' $raw $forest
    all="$raw $forest $predictors weft_control_coder_loops weft_control_coder_grammar weft_model_coder_tre"
    row 'recorder with all of them' $all
    row 'black box: ring of paths' weft_blackbox_begin weft_blackbox_open weft_blackbox_hold weft_blackbox_sum \
        weft_blackbox_keep_sum weft_blackbox_resume weft_blackbox_empty
    row 'black box: packed' weft_blackbox_packed_begin weft_blackbox_packed_path weft_blackbox_packed_open \
        weft_blackbox_packed_hold weft_blackbox_packed_sum weft_blackbox_packed_keep_sum weft_blackbox_packed_resume \
        weft_blackbox_packed_empty
    at_most 'the recorder and its raw coders' cortex-m0 6144 $raw
    at_most 'the recorder and its raw coders' cortex-m3 6144 $raw
    at_most 'the recorder and all coders' cortex-m0 17184 $all
    at_most 'the recorder and all coders' cortex-m3 16384 $all
}
