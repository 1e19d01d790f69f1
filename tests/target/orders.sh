#!/bin/bash
# SPDX-License-Identifier: MIT
# Random orders of control calls in the emulator, with an interrupt anywhere that makes calls too: what is recorded, and
# what is said to be missing, is as a naive model says. tests/fault/port_controls.c tries many more on the host.
. tests/lib/check.sh
cases=$([ -n "${WEFT_LONG:-}" ] && echo 2000 || echo 60)
for build in "mps2-an385 direct" "mps2-an385 ring" "microbit direct" "microbit ring"; do
    set -- $build
    elf=$(make -s build-firmware BOARD="$1" APP=tests/target/programs/orders PROBES=none DELIVERY="$2" \
        FLAGS="-DCASES=$cases" VARIANT="c$cases" 2>"$tmp/make" | tail -n 1)
    timeout 600 qemu-system-arm -M "$1" -display none -monitor none -serial none -icount shift=6 \
        -semihosting-config enable=on,target=native -kernel "$elf" >"$tmp/out" 2>&1
    build/host/tests/target/orders_check <"$tmp/out" >"$tmp/verdict"
    status=$?
    verdict "$1, $2 delivery: $(tail -n 1 "$tmp/verdict")" $status -eq 0 -a "$(grep -c '^end$' "$tmp/out")" -eq $cases
    grep '^#' "$tmp/verdict" | head -n 5
done
