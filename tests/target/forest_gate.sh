#!/bin/bash
# SPDX-License-Identifier: MIT
# An interrupt at each instruction of a probe that counts a path at a known edge of the k-slab forest ends the recording
# and begins another one, with another forest or with the same. The path is counted once, and at its own sequence
# (tests/target/programs/gate). Without the probe's second look at the gate, 20 of 56 instants were wrong.
. tests/lib/check.sh
for build in "mps2-an385 direct" "mps2-an385 ring" "microbit direct"; do
    set -- $build
    elf=$(make -s build-firmware BOARD="$1" APP=tests/target/programs/gate PROBES=none DELIVERY="$2" | tail -n 1)
    timeout 60 qemu-system-arm -M "$1" -display none -monitor none -serial none -icount shift=6 \
        -semihosting-config enable=on,target=native -kernel "$elf" >"$tmp/out" 2>&1
    status=$?
    sed 's/^/# /' "$tmp/out"
    within=$(sed -n 's/.*, \([0-9]*\) of them within the probe.*/\1/p' "$tmp/out")
    verdict "$1, $2 delivery: an interrupt that begins a recording anywhere in a probe costs no path" \
        $status -eq 0 -a "${within:-0}" -ge 40
done

# A handler takes the same paths as the probe that it interrupts, and so makes the same nodes
# (tests/target/programs/shared_nodes). With ring delivery it would lose its paths, and count them as lost. A node's
# first child was once made twice, at 18 of 99 instants: it was looked for before the nodes were counted.
for board in mps2-an385 microbit; do
    elf=$(make -s build-firmware BOARD="$board" APP=tests/target/programs/shared_nodes PROBES=none | tail -n 1)
    timeout 120 qemu-system-arm -M "$board" -display none -monitor none -serial none -icount shift=6 \
        -semihosting-config enable=on,target=native -kernel "$elf" >"$tmp/out" 2>&1
    status=$?
    sed 's/^/# /' "$tmp/out"
    instants=$(sed -n 's/^\([0-9]*\) instants, .*/\1/p' "$tmp/out")
    verdict "$board: a handler that makes the same nodes anywhere in a probe leaves one forest" \
        $status -eq 0 -a "${instants:-0}" -ge 2000
done
