#!/bin/bash
# SPDX-License-Identifier: MIT
# Makes tests/fuzz/corpus of what the last `make fuzz` reached, and of what is there: for each reader the fewest inputs
# that reach the same edges (afl-cmin), in the order of their hashes, up to KILOBYTES of a reader: 24 by default; image
# needs 110, container 64, wet 48, full 40. Findings are kept in any case: files named bug-* stay.
#     keep.sh READER...        after make fuzz
set -eu
corpus=tests/fuzz/corpus
work=build/fuzz/keep # afl-cmin refuses folders for temporary files
rm -rf $work
mkdir -p $work
trap 'rm -rf "$work"' EXIT
export AFL_QUIET=1 ASAN_OPTIONS=abort_on_error=1:detect_leaks=0:symbolize=0:allocator_may_return_null=1
for reader; do
    mkdir -p "$work/all" "$work/few" "$work/run" "$corpus/$reader"
    find "build/fuzz/out/$reader/default/queue" "$corpus/$reader" -type f -name '[!.]*' ! -path '*/.*' ! -name 'bug-*' |
        while read -r file; do cp "$file" "$work/all/$(sha256sum <"$file" | cut -c1-12)"; done
    afl-cmin -t 20000 -m none -i "$work/all" -o "$work/few" -- build/fuzz/readers "$reader" "$work/run" >"$work/log" 2>&1 ||
        { tail -n 5 "$work/log"; exit 1; }
    find "$corpus/$reader" -type f ! -name 'bug-*' -delete
    size=0
    while read -r bytes name; do
        [ $((size + bytes)) -le $((${KILOBYTES:-24} * 1024)) ] || continue
        size=$((size + bytes))
        cp "$work/few/$name" "$corpus/$reader/"
    done < <(find "$work/few" -type f -printf '%s %f\n' | sort -k 2)
    echo "$reader: $(find "$work/all" -type f | wc -l) inputs, $(find "$work/few" -type f | wc -l) without repetition," \
        "$(find "$corpus/$reader" -type f | wc -l) kept"
    rm -rf "$work"/*
done
