#!/bin/bash
# SPDX-License-Identifier: MIT
# Where an interrupt does what takes long (weft_poll_in), the probes take at most 200 bytes of a task's stack; even of
# one that masks interrupts for longer than the ring lasts: what is lost then is counted.
. tests/lib/check.sh
app=tests/target/programs/task_stack
most=200

# used PROBES [MAKE...]: bytes of the task's stack in $used, the line that it prints in $said, the recording in $tmp/out
used() {
    local elf
    elf=$(make -s build-firmware "APP=$app" OPT=-O2 "PROBES=$1" "${@:2}" | tail -n 1)
    build/${WEFT_BUILD:-asan}/weft capture "$elf" -o "$tmp/out" --icount 5 >"$tmp/log" 2>&1
    said=$(grep '^stack' "$tmp/log")
    used=$(sed 's/stack: \([0-9]*\) .*/\1/' <<<"$said")
}

elf=$(make -s build-firmware "APP=$app" OPT=-O2 PROBES=none | tail -n 1)
plain=$(qemu-system-arm -M mps2-an385 -display none -monitor none -serial none \
    -semihosting-config enable=on,target=native -kernel "$elf" 2>&1 | grep '^stack')
without=$(sed 's/stack: \([0-9]*\) .*/\1/' <<<"$plain")
verdict "the task says what it uses without probes" "${without:-0}" -gt 0
for build in "paths direct" "mem direct" "values direct" "mem ring" "mem direct CODER=grammar"; do
    set -- $build
    used "$1" "DELIVERY=$2" "${@:3}"
    echo "# $build: $without without, $used with; $(tail -n 1 "$tmp/log")"
    verdict "$build: the program does what it did" "${said#*,}" = "${plain#*,}"
    verdict "$build: at most $most bytes more" $((used - without)) -le $most
done
used values DELIVERY=direct
lost=$(sed -n 's/.* \([0-9]*\) lost$/\1/p' "$tmp/log")
verdict "what a long mask costs is counted" "${lost:-0}" -gt 0
