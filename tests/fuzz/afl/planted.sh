#!/bin/bash
# SPDX-License-Identifier: MIT
# A planted bug (planted.c) is found by the fuzzers of containers and traces: planted.sh SECONDS.
# Prints `ok` or `not ok` for each.
set -u
fuzz=build/fuzz
folder=$(mktemp -d "${TMPDIR:-/tmp}/weft-planted.XXXXXX")
trap 'rm -rf "$folder"' EXIT
status=0
for reader in container wet; do
    # The tables of the run are of no interest; it ends at the first finding.
    AFL_BENCH_UNTIL_CRASH=1 FUZZ_OUT=$fuzz/planted-out FUZZ_PROGRAM=$fuzz/planted tests/fuzz/afl/run.sh "$1" $reader \
        >"$folder/log" 2>&1
    found=$(find "$fuzz/planted-out/$reader" -path '*/crashes/id*' | wc -l)
    executions=$(sed -n 's/^execs_done *: //p' "$fuzz/planted-out/$reader/default/fuzzer_stats")
    if [ "$found" -gt 0 ]; then
        echo "ok the planted bug is found by the fuzzer of $reader, in ${executions} executions"
    else
        echo "not ok the planted bug is not found by the fuzzer of $reader, in ${executions} executions"
        status=1
    fi
done
exit $status
