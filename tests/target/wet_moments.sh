#!/bin/bash
# SPDX-License-Identifier: MIT
# The snapshots and the schedule of a .wet file of many windows, decoded from the documents alone, are what the
# statements of the run leave. The program is made of instructions that tests/golden/thumb.py knows.
. tests/lib/check.sh
weft=build/host/weft

cat >"$tmp/many.s" <<'ASM'
    .syntax unified
    .thumb
    .section .vectors, "a"
    .word 0x20001000, start + 1
    .fill 13, 4, 0
    .word tick + 1
    .text
    .global start
    .type start, %function
start:
    ldr r0, =0xe000e010
    movs r1, #250
    str r1, [r0, #4]
    movs r1, #7
    str r1, [r0, #0]
    ldr r4, =0x20000000
    ldr r5, =6144
    movs r6, #0
again:
    mov r0, r6
    bl mix
    str r0, [r4, #4]
    ldr r1, [r4, #8]
    adds r1, r1, r0
    str r1, [r4, #8]
    and r2, r6, #63
    add r7, r4, r2, lsl #4
    str r6, [r7, #16]
    ldr r1, [r7, #20]
    adds r6, #1
    cmp r6, r5
    bne again
    movs r0, #0x18
    ldr r1, =0x20026
    bkpt 0xab
    b .
    .type mix, %function
mix:
    push {r4, lr}
    eor r0, r0, r0, lsl #3
    pop {r4, pc}
    .type tick, %function
tick:
    ldr r0, =0x20000800
    ldr r1, [r0, #0]
    adds r1, #1
    str r1, [r0, #0]
    bx lr
ASM
arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -nostdlib -nostartfiles "$tmp/many.s" -o "$tmp/many.elf" \
    -Wl,--section-start=.vectors=0,-Ttext=0x40,-Tdata=0x20000000,--build-id=none,-e,start
$weft seal "$tmp/many.elf"
$weft capture --full --icount 0 "$tmp/many.elf" -o "$tmp/many.weft" >/dev/null 2>&1
for tier in 1 2; do
    $weft wet build "$tmp/many.weft" --elf "$tmp/many.elf" -o "$tmp/many.wet" --tier $tier >/dev/null
    python3 tests/golden/wet_moment_format.py "$tmp/many.wet" >"$tmp/told"
    status=$?
    verdict "snapshots and schedule are what the statements leave, tier $tier: $(cat "$tmp/told")" $status -eq 0 \
        -a "$(grep -cE '^19 windows, 2 batches, [1-9][0-9]* entries:' "$tmp/told")" -eq 1
done
# One that says another thing is refused: a state of a register is one more.
python3 - "$tmp/many.wet" <<'PY' 2>"$tmp/refused"
import sys
sys.path.insert(0, "tests/golden")
import wet_moment_format as m
trace = m.Trace(open(sys.argv[1], "rb").read())
snapshots = m.Snapshots(trace.moments[0], trace.version)
snapshots.windows[7][0][6] += 1
m.compare(trace, snapshots, list(m.scheduled(m.Reader(trace.moments[1]), len(snapshots.windows))))
PY
verdict "a state that is wrong is noticed" $? -ne 0 -a "$(grep -c 'location 6 is wrong' "$tmp/refused")" -eq 1
