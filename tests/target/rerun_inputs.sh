#!/bin/bash
# SPDX-License-Identifier: MIT
# Recordings of what came from outside and of counts alone (PROBES=inputs) become full recordings (weft rerun): each
# instruction, interrupt, access and value is held against what the emulator saw of the same run
# (tests/target/rerun_check.c). make test-long: on each board and level.
. tests/lib/check.sh
. tests/lib/reruns.sh

# Only what a second execution needs, and counts: PROBES=inputs.
compared() { # NAME STATUS INTERRUPTS ELF: at least N of them
    local name=$1 want=$2 least=$3 elf=$4
    timeout 100 $weft capture --icount 3 --full --trust --argument weft-trace="$tmp/trace" "$elf" -o "$tmp/full" \
        >"$tmp/log" 2>&1
    $weft rerun "$tmp/trace" --argument weft-trace="$tmp/trace" --elf "$elf" --zero -o "$tmp/rerun" >"$tmp/printed" 2>&1
    verdict "$name: a run of which only inputs were recorded is executed" $? = "$want" -a \
        "$(grep -c '^[1-9][0-9]* counts\? of laps ' "$tmp/printed")" = 1
    sed 's/^/# /' "$tmp/printed"
    $check "$elf" "$tmp/full" "$tmp/rerun" >"$tmp/check" 2>&1
    verdict "$name: each instruction, interrupt, access and value is what the emulator saw" \
        $? = 0 -a "$(figure interrupts)" -ge "$least" -a "$(figure instructions)" -gt 30000
    sed 's/^/# /' "$tmp/check"
}
counted() { # NAME STATUS INTERRUPTS MAKE...
    local name=$1 want=$2 least=$3
    shift 3
    compared "$name" "$want" "$least" "$(build PROBES=inputs "$@")"
}
# The same program with N other build ids. The recording has them, so each moves the interrupts a little.
moved() { # N NAME INTERRUPTS MAKE...
    local count=$1 name=$2 least=$3 elf
    shift 3
    elf=$(build PROBES=inputs "$@")
    arm-none-eabi-objcopy -O binary --only-section=.note.gnu.build-id "$elf" "$tmp/note"
    for ((id = 1; id <= count; id++)); do
        { head -c 16 "$tmp/note"; printf '%020d' $id; } >"$tmp/other"
        arm-none-eabi-objcopy --update-section .note.gnu.build-id="$tmp/other" "$elf" "$tmp/app.elf" 2>"$tmp/log"
        compared "$name, build id $id" 0 "$least" "$tmp/app.elf"
    done
}
short="APP=interrupts VARIANT=short INTERRUPT_ITEMS=17"
counted 'inputs, jpeg' 0 0 APP=jpeg
verdict 'inputs: a recording takes less than 256 bytes where nothing comes from outside' "$(stat -c %s "$tmp/trace")" -lt 256
# shellcheck disable=SC2086
counted 'inputs, M3' 0 70 $short
counted 'inputs, threads' 0 40 APP=threads
if [ -z "${WEFT_QUICK:-}" ]; then
    # shellcheck disable=SC2086
    counted 'inputs, M0' 0 70 $short BOARD=microbit
    counted 'inputs, threads -O0 on a Cortex-M0' 0 40 APP=threads OPT=-O0 BOARD=microbit
fi
if [ -n "${WEFT_LONG:-}" ]; then
    for board in mps2-an385 microbit mps2-an386 mps2-an500 mps2-an505; do
        for opt in -O0 -O1 -O2 -Os; do
            # shellcheck disable=SC2086
            counted "inputs, $board $opt" 0 40 $short BOARD=$board OPT=$opt
            counted "inputs, threads $board $opt" 0 40 APP=threads BOARD=$board OPT=$opt
        done
    done
    # shellcheck disable=SC2086
    for board in microbit mps2-an385; do
        moved 25 "inputs, $board" 70 $short BOARD=$board
        moved 25 "inputs, threads, $board" 40 APP=threads BOARD=$board
    done
    counted 'inputs, lua, which asks the host for the time' 3 0 APP=lua
fi
# Volatile loads of RAM, which record nothing: interrupts come within their probes.
cat >"$tmp/ram.c" <<'C'
#include <stdint.h>
#include <stdio.h>
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/systick_clock.h"
static uint32_t cells[64];
volatile uint32_t *volatile at = cells;
static volatile uint32_t ticks;
void SysTick_Handler(void);
void SysTick_Handler(void)
{
    ticks++;
    at = cells + ticks % 60;
}
int main(void)
{
    uint32_t sum = 0;
    WEFT_SYST_RVR = 3001;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
    while (ticks < 150) {
        volatile uint32_t *p = at;
        sum += *p;
        *p = sum * 31 + ticks;
        sum ^= p[1];
    }
    WEFT_SYST_CSR = 0;
    printf("%08lx\n", (unsigned long)sum);
    return 0;
}
C
counted 'inputs, interrupts in probes that record nothing' 0 150 APP="$tmp/ram.c"
[ -n "${WEFT_QUICK:-}" ] || counted 'inputs, the same on a Cortex-M0' 0 150 APP="$tmp/ram.c" BOARD=microbit
# Interrupts in a function of Weft's that calls others, and so has something else in lr.
cat >"$tmp/calls.c" <<'C'
#include <stdint.h>
#include <stdio.h>
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/systick_clock.h"
static volatile uint32_t ticks;
void SysTick_Handler(void);
void SysTick_Handler(void)
{
    ticks++;
}
int main(void)
{
    uint32_t sum = 0;
    WEFT_SYST_RVR = 1777;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
    while (ticks < 150) {
        weft_systick_tick();
        sum = sum * 31 + ticks;
    }
    WEFT_SYST_CSR = 0;
    printf("%08lx\n", (unsigned long)sum);
    return 0;
}
C
counted 'inputs, interrupts in calls of Weft on a Cortex-M0' 0 150 APP="$tmp/calls.c" BOARD=microbit
[ -n "${WEFT_QUICK:-}" ] || counted 'inputs, the same on a Cortex-M3' 0 150 APP="$tmp/calls.c"
# What something else wrote into memory: weft_input_memory reports it, weft_check_memory checks; interrupts in both.
counted 'inputs, bytes that a device wrote' 0 12 APP=tests/target/programs/outside.c
verdict 'and they are the bytes of the recording' \
    "$(grep -c '^732 bytes of memory came\|^14 check sums of memory are as recorded' "$tmp/printed")" = 2
sed '/^#include <stdint/i #define NOT_REPORTED' tests/target/programs/outside.c >"$tmp/unreported.c"
elf=$(build APP="$tmp/unreported.c" PROBES=inputs)
$weft capture --icount 3 "$elf" -o "$tmp/inputs" >"$tmp/log" 2>&1
$weft rerun "$tmp/inputs" --elf "$elf" --zero -o "$tmp/part" >"$tmp/printed" 2>"$tmp/said"
verdict 'inputs: bytes that a device wrote and nothing reported are noticed by a check sum' $? = 3 -a \
    "$(grep -c 'the 63 bytes from 0x[0-9a-f]* on are not those that it had' "$tmp/said")" = 1
cat >"$tmp/pieces.c" <<'C'
#include <stdint.h>
#include <stdio.h>
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/places.h"
#include "port/cortex-m/systick_clock.h"
static volatile uint32_t ticks;
static uint8_t bytes[40];
static volatile uint8_t one;
void SysTick_Handler(void);
void SysTick_Handler(void)
{
    ticks++;
}
int main(void)
{
    uint32_t sum = 0;
    WEFT_SYST_RVR = 3333;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
    while (ticks < 150) {
        for (unsigned i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)(sum = sum * 31 + i + ticks);
        weft_input_memory(bytes + sum % 5, sum % 35);
        weft_check_memory(bytes + 1, sum % 39);
        one = bytes[20];
    }
    WEFT_SYST_CSR = 0;
    printf("%08lx\n", (unsigned long)sum);
    return 0;
}
C
counted 'inputs, interrupts where memory is reported and checked' 0 150 APP="$tmp/pieces.c"
[ -n "${WEFT_QUICK:-}" ] || counted 'inputs, the same on a Cortex-M0' 0 150 APP="$tmp/pieces.c" BOARD=microbit
# The calls may stay where nothing is counted. A second execution along paths then knows nothing of these bytes.
elf=$(build APP="$tmp/pieces.c" PROBES=paths PLACES=1 EXACT=1)
$weft capture --icount 3 "$elf" -o "$tmp/paths" >"$tmp/log" 2>&1
$weft rerun "$tmp/paths" --elf "$elf" --zero -o "$tmp/part" >"$tmp/printed" 2>"$tmp/said"
verdict 'paths: bytes that something else wrote are unknown' $? = 0 -a "$(grep -c ' values are not known' "$tmp/printed")" = 1
elf=$(build APP="$tmp/ram.c" PROBES=inputs PLUGIN_MORE=exclude=SysTick_Handler VARIANT=unseen)
$weft capture --icount 3 "$elf" -o "$tmp/inputs" >"$tmp/log" 2>&1
$weft rerun "$tmp/inputs" --elf "$elf" --zero -o "$tmp/part" >"$tmp/printed" 2>"$tmp/said"
verdict 'inputs: a handler without probes may have run, and is named' $? = 3 -a "$(grep -c 'missing: SysTick_Handler' "$tmp/said")" = 1
cat >"$tmp/words.c" <<'C'
static volatile int sum;
int main(int argc, char **argv)
{
    (void)argv;
    for (int i = 0; i < 1000 * argc; i++)
        sum += i;
    return 0;
}
C
elf=$(build APP="$tmp/words.c" PROBES=inputs)
$weft capture --argument 'one two' "$elf" -o "$tmp/inputs" >"$tmp/log" 2>&1
verdict 'inputs: a capture that has its end only is good' $? = 0
$weft rerun "$tmp/inputs" --argument 'one two' --elf "$elf" --zero -o "$tmp/part" >"$tmp/printed" 2>&1
verdict 'inputs: with the same command line it counts as far' $? = 0 -a "$(grep -c '^1 count of laps is as recorded' "$tmp/printed")" = 1
$weft rerun "$tmp/inputs" --argument 'one' --elf "$elf" --zero -o "$tmp/part" >"$tmp/printed" 2>&1
verdict 'inputs: another way is noticed by the count' $? = 3 -a "$(grep -c 'has counted .* laps, but the recording has' "$tmp/printed")" = 1
for command in paths functions hot 'export --as folded' 'diff'; do
    # shellcheck disable=SC2086
    expect "inputs: $command says what the recording is" 1 '' $weft $command "$tmp/inputs" --elf "$elf" \
        $([ "$command" != diff ] || echo "$tmp/inputs") $([ "$command" = "${command#export}" ] || echo -o "$tmp/none")
    verdict 'and what to do' "$(grep -c 'weft rerun' "$tmp/stderr")" = 1
done
head -c $(($(stat -c %s "$tmp/inputs") - 20)) "$tmp/inputs" >"$tmp/cut"
$weft rerun "$tmp/cut" --argument 'one two' --elf "$elf" --zero -o "$tmp/part" >"$tmp/printed" 2>&1
verdict 'inputs: a recording without its end is not executed past that' $? = 3
