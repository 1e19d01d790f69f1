#!/bin/bash
# SPDX-License-Identifier: MIT
# The real client goes out of calls of a program that calls itself, in both directions (debug_recursion.py), on a
# Cortex-M3 and an M0; and a recording that lost a frame (debug_gaps.py). make test-long: more instants, and without
# optimisation.
. tests/lib/check.sh
weft=build/host/weft

for way in mps2-an385:-O1 microbit:-Os ${WEFT_LONG:+mps2-an385:-O0 microbit:-O0 mps2-an505:-O2}; do
    IFS=: read -r board opt <<<"$way"
    cp "$(make -s build-firmware BOARD=$board APP=tests/target/programs/recursion.c PROBES=none OPT=$opt 2>"$tmp/make" |
        tail -n 1)" "$tmp/x.elf" &&
        $weft capture --full --icount 0 "$tmp/x.elf" -o "$tmp/x.weft" >/dev/null 2>&1 &&
        $weft wet build "$tmp/x.weft" --elf "$tmp/x.elf" -o "$tmp/x.wet" >/dev/null
    python3 tests/target/debug_recursion.py "$board$opt" $weft "$tmp/x.wet" "$tmp/x.elf" $((40 * (1 + 4 * ${WEFT_LONG:-0})))
done

# A recording of probes without one of its frames.
cp "$(make -s build-firmware BOARD=mps2-an385 APP=tests/target/programs/short_calls.c PROBES=values OPT=-O1 2>"$tmp/make" |
    tail -n 1)" "$tmp/gaps.elf" && $weft capture --icount 0 "$tmp/gaps.elf" -o "$tmp/gaps.weft" >/dev/null 2>&1
python3 tests/target/debug_gaps.py short_calls $weft "$tmp/gaps.weft" "$tmp/gaps.elf" "$tmp" 2>/dev/null
