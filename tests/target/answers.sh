#!/bin/bash
# SPDX-License-Identifier: MIT
# Commands about recordings answer what a naive program computes from the dump (tests/target/answers_check.py): of old
# recordings without their images, of one with values, of one with interrupts (make test-long).
. tests/lib/check.sh
check() { # NAME ARGUMENT...
    local name=$1
    shift
    python3 -B tests/target/answers_check.py build/host/weft "$@" >"$tmp/out" 2>&1
    local status=$?
    grep '^#' "$tmp/out" | head -n 20
    verdict "$name: $(tail -n 1 "$tmp/out")" $status -eq 0
}
firmware() { # APP MAKE...
    elf=$(make -s build-firmware APP="$@" | tail -n 1)
    build/host/weft capture --icount 3 "$elf" -o "$tmp/run.weft" >"$tmp/log" 2>&1
    check "$*" "$tmp/run.weft" "$elf"
}
recordings=(tests/golden/v3/loss.weft tests/golden/v3/stacked.weft)
in_long && recordings=(tests/golden/v*/*.weft)
for recording in "${recordings[@]}"; do
    check "$recording" "$recording"
done
# Contexts are 32 bits; the gap of this recording gives its status.
for pair in 4294967294:3 4294967295:3 4294967296:1; do
    build/host/weft paths --context ${pair%:*} tests/golden/v3/loss.weft >"$tmp/out" 2>&1
    verdict "paths --context ${pair%:*}: status ${pair#*:}" $? -eq ${pair#*:}
done
firmware thermostat PROBES=values
if in_long; then
    firmware interrupts PROBES=mem
    firmware jpeg PROBES=paths
    firmware kernels PROBES=mem BUS=tre CODER=grammar
fi
