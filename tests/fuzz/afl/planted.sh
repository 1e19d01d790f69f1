#!/bin/bash
# SPDX-License-Identifier: MIT
# The planted bug of each reader (plant.py) is found by its fuzzer: planted.sh SET SECONDS READER...
# Prints `ok` or `not ok` for each. Found means: an input on which the planted build ends by a signal, and the right one
# does not.
set -u
fuzz=build/fuzz
folder=$(mktemp -d "${TMPDIR:-/tmp}/weft-planted.XXXXXX")
trap 'rm -rf "$folder"' EXIT
set=$1
seconds=$2
shift 2
status=0
# The tables of the runs are of no interest; each ends at its first finding.
AFL_BENCH_UNTIL_CRASH=1 FUZZ_OUT=$fuzz/$set-out FUZZ_PROGRAM=$fuzz/$set tests/fuzz/afl/run.sh "$seconds" "$@" \
    >"$folder/log" 2>&1
for reader; do
    found=$(find "$fuzz/$set-out/$reader" -path '*/crashes/id*' | head -n 1)
    stats=$fuzz/$set-out/$reader/default/fuzzer_stats
    executions=$(sed -n 's/^execs_done *: //p' "$stats")
    took=$(sed -n 's/^run_time *: //p' "$stats")
    good=no
    if [ -n "$found" ]; then
        ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 "$fuzz/readers" "$reader" "$folder" "$found" \
            >"$folder/right" 2>&1
        [ $? -lt 128 ] && ! grep -q 'Sanitizer\|runtime error' "$folder/right" && good=yes
    fi
    if [ $good = yes ]; then
        echo "ok the bug of $set is found by the fuzzer of $reader, in ${executions} executions, ${took} s"
    else
        echo "not ok the bug of $set is not found by the fuzzer of $reader, in ${executions} executions"
        status=1
    fi
done
exit $status
