#!/bin/bash
# SPDX-License-Identifier: MIT
# What instructions read and write, by experiment in the emulator (experiments.c), against what Weft believes. It needs
# no decoder but for choosing instructions: objdump says which ones are not defined, or no hint of a Cortex-M (pldw is a
# load there in QEMU 10). WEFT_LONG: more.
. tests/lib/check.sh
check=build/host/tests/target/reads_check

experiments() { # BOARD COUNT SEED
    $check list $2 $3 >"$tmp/all.h"
    python3 - "$tmp/all.h" "$tmp/all.bin" <<'PY'
import re, struct, sys
with open(sys.argv[2], "wb") as out:
    for line in open(sys.argv[1]):
        first, second = [int(x, 16) for x in re.findall(r"0x\w+", line)][1:]
        out.write(struct.pack("<HH", first, second or 0xbf00))
PY
    arm-none-eabi-objdump -D -b binary -marm -Mforce-thumb "$tmp/all.bin" |
        grep -E 'UNDEFINED|UNPREDICTABLE|\bpldw\b' | sed -E 's/^ *([0-9a-f]+):.*/\1/' >"$tmp/bad"
    python3 - "$tmp/all.h" "$tmp/bad" >"$tmp/list.h" <<'PY'
import sys
bad = {int(line, 16) // 4 for line in open(sys.argv[2])}
sys.stdout.writelines(line for i, line in enumerate(open(sys.argv[1])) if i not in bad)
PY
    cp tests/target/experiments/experiments.c "$tmp"
    timeout 500 qemu-system-arm -M $1 -display none -monitor none -serial none -no-reboot -semihosting-config \
        enable=on,target=native -kernel \
        "$(make -s build-firmware BOARD=$1 APP="$tmp/experiments.c" PROBES=none OPT=-O2 2>"$tmp/make" | tail -n 1)" \
        >"$tmp/results" 2>"$tmp/err"
    verdict "reads_$1_each_instruction_was_tried" "$(wc -l <"$tmp/results")" = "$(wc -l <"$tmp/list.h")"
    verdicts "reads_$1" $check judge $2 $3 "$tmp/results"
}
experiments mps2-an505 $((1200 * (1 + 9 * ${WEFT_LONG:-0}))) 1
experiments mps2-an386 $((600 * (1 + 9 * ${WEFT_LONG:-0}))) 2
