#!/bin/bash
# SPDX-License-Identifier: MIT
# A recording of paths becomes a full recording (weft rerun). The host's core is held against the emulator's, each
# instruction; then a rerun is held against what the emulator saw of the same program with its probes
# (tests/target/rerun_check.c). make test-long: on each board, more programs, levels and moments of interrupts.
. tests/lib/check.sh
. tests/lib/reruns.sh

core() { # NAME MAKE...: without probes
    local name=$1 elf
    shift
    elf=$(build PROBES=none "$@")
    $weft capture --full "$elf" -o "$tmp/full" >"$tmp/log" 2>&1
    $check "$elf" "$tmp/full" >"$tmp/check" 2>&1
    verdict "$name: the host's core executes what the emulator's does" $? = 0 -a "$(figure instructions)" -gt 40000
    sed 's/^/# /' "$tmp/check"
    verdict "$name: and knows each value, but for those of registers that a chain of handlers leaves" \
        "$(($(figure unknown) * 1000))" -le "$(figure values)"
}

along() { # NAME STATUS MAKE...: with probes of paths
    local name=$1 want=$2 elf
    shift 2
    elf=$(build PROBES=paths "$@")
    $weft capture "$elf" -o "$tmp/paths" >"$tmp/log" 2>&1
    $weft capture --full --trust --argument weft-trace="$tmp/trace" "$elf" -o "$tmp/full" >"$tmp/log" 2>&1
    $weft rerun "$tmp/paths" --elf "$elf" --zero -o "$tmp/rerun" >"$tmp/printed" 2>&1
    verdict "$name: a recording of paths is executed to its end" $? = "$want" -a "$(sed -n 's/ paths are as recorded//p' "$tmp/printed")" -gt 1000
    sed 's/^/# /' "$tmp/printed"
    $check "$elf" "$tmp/full" "$tmp/rerun" >"$tmp/check" 2>&1
    verdict "$name: each instruction, access and value is what the emulator saw" $? = 0 -a "$(figure instructions)" -gt 100000
    sed 's/^/# /' "$tmp/check"
}

core 'kernels' APP=kernels
core 'kernels with double floats' APP=kernels BOARD=mps2-an500
if [ -n "${WEFT_LONG:-}" ]; then
    core 'kernels with single floats' APP=kernels BOARD=mps2-an386
    core 'kernels on a Cortex-M0' APP=kernels BOARD=microbit
    core 'interrupts' APP=interrupts VARIANT=short INTERRUPT_ITEMS=17
    core 'kernels on a Cortex-M33' APP=kernels BOARD=mps2-an505
    core 'threads' APP=threads OPT=-O0
    for app in jpeg bzip2 zlib lz4 thermostat; do
        core "$app" APP=$app
        core "$app -O0" APP=$app OPT=-O0
        along "$app -Os" 0 APP=$app OPT=-Os
    done
fi

[ -z "${WEFT_LONG:-}" ] || along 'kernels -O0' 0 APP=kernels OPT=-O0
along 'jpeg' 0 APP=jpeg
[ -z "${WEFT_LONG:-}" ] || along 'jpeg, each path by itself' 0 APP=jpeg PACK=0 EXACT=1
# Lua takes 11 s to compile.
[ -z "${WEFT_LONG:-}" ] || along 'lua, which asks the host for the time' 3 APP=lua

# With interrupts: the recording is the one that was made while the emulator saw the run. A smaller --icount lets more
# instructions pass between two interrupts.
interrupted() { # NAME STATUS ICOUNT MAKE...
    local name=$1 want=$2 icount=$3 elf least=20 longest=100
    shift 3
    [ "$want" = 0 ] || least=5 longest=10 # its recording may end early, and the program need not come to its end
    elf=$(build APP=interrupts VARIANT=short INTERRUPT_ITEMS=17 PROBES=paths PLACES=1 EXACT=1 "$@")
    timeout $longest $weft capture --icount "$icount" --full --trust --argument weft-trace="$tmp/trace" "$elf" -o "$tmp/full" \
        >"$tmp/log" 2>&1
    $weft rerun "$tmp/trace" --argument weft-trace="$tmp/trace" --elf "$elf" --zero -o "$tmp/rerun" >"$tmp/printed" 2>&1
    verdict "$name: a run with interrupts is executed" "$(case $? in $want) echo so ;; esac)" = so -a "$(sed -n 's/ interrupts came where.*//p' "$tmp/printed")" -gt $least
    sed 's/^/# /' "$tmp/printed"
    $check "$elf" "$tmp/full" "$tmp/rerun" >"$tmp/check" 2>&1
    verdict "$name: each instruction, interrupt, access and value is what the emulator saw" $? = 0 -a "$(figure interrupts)" -gt $least
    sed 's/^/# /' "$tmp/check"
}
interrupted 'M3' 0 3 INPUTS=1
interrupted 'M0' 0 3 BOARD=microbit INPUTS=1
if [ -z "${WEFT_QUICK:-}" ]; then
    [ -z "${WEFT_LONG:-}" ] || interrupted 'M4F -Os' 0 3 BOARD=mps2-an386 OPT=-Os INPUTS=1
    [ -z "${WEFT_LONG:-}" ] || interrupted 'M33 -O0' 0 4 BOARD=mps2-an505 OPT=-O0 INPUTS=1
    interrupted 'M3, too many interrupts' 3 5 OPT=-O0 INPUTS=1
    verdict 'a run that loses events is executed up to that' "$(grep -c 'the recording has a gap here' "$tmp/printed")" = 1
    interrupted 'M3, devices that are not recorded' 3 3
fi
if [ -n "${WEFT_LONG:-}" ]; then
    for board in mps2-an385 microbit mps2-an386 mps2-an500 mps2-an505; do
        for icount in 0 1 2 3 4; do
            for opt in -O0 -O1 -O2 -Os; do
                interrupted "$board $opt --icount $icount" '[03]' $icount BOARD=$board OPT=$opt INPUTS=1
            done
        done
    done
fi

# What a rerun is for: the questions that only a full recording answers.
elf=$(build APP=thermostat PROBES=paths)
$weft capture "$elf" -o "$tmp/paths" >"$tmp/log" 2>&1
$weft rerun "$tmp/paths" --elf "$elf" -o "$tmp/rerun" >"$tmp/log" 2>&1
verdict 'what was in memory at reset need not be known' $? = 0
$weft rerun "$tmp/paths" --elf "$elf" --zero -o "$tmp/rerun" >"$tmp/log" 2>&1
$weft wet build "$tmp/rerun" --elf "$elf" -o "$tmp/wet" >"$tmp/log" 2>&1
verdict 'a trace can be built of it' $? = 0
$weft wet why "$tmp/wet" --elf "$elf" --at set_point --lines 60 >"$tmp/why" 2>&1
verdict 'why: the wrong set point comes from strcpy, as in a full recording' "$(grep -c 'strcpy' "$tmp/why")" -gt 1 -a "$(grep -c 'set_point = -4846' "$tmp/why")" -gt 0

# What cannot be executed is refused, and a recording that breaks off gives what stands before that.
other=$(build APP=jpeg PROBES=paths)
expect 'another image is refused' 1 '' $weft rerun "$tmp/paths" --elf "$other" -o "$tmp/none"
expect 'a full recording is refused' 1 '' $weft rerun "$tmp/full" --elf "$elf" -o "$tmp/none"
verdict 'nothing is written then' ! -e "$tmp/none"
head -c $(($(stat -c %s "$tmp/paths") * 2 / 3)) "$tmp/paths" >"$tmp/cut"
$weft rerun "$tmp/cut" --elf "$elf" --zero -o "$tmp/part" >"$tmp/printed" 2>&1
verdict 'a recording that is cut is executed so far' $? = 3 -a "$(grep -c 'breaks off here\|gap here' "$tmp/printed")" = 1 -a -s "$tmp/part"
{ head -c 12 "$tmp/paths" && printf '\xff' && tail -c +14 "$tmp/paths"; } >"$tmp/damaged" # within its description
$weft rerun "$tmp/damaged" --elf "$elf" --zero -o "$tmp/whole" >"$tmp/printed" 2>"$tmp/said"
verdict 'damage that the execution does not touch is named' $? = 3 -a "$(grep -c 'damaged bytes' "$tmp/said")" = 1 -a -s "$tmp/whole"
elf=$(build APP=interrupts PROBES=paths VARIANT=short INTERRUPT_ITEMS=17)
$weft capture --icount 3 --full --trust --argument weft-trace="$tmp/paths" "$elf" -o "$tmp/full" >"$tmp/log" 2>&1
$weft rerun "$tmp/paths" --argument weft-trace="$tmp/paths" --elf "$elf" --zero -o "$tmp/part" >"$tmp/printed" 2>"$tmp/said"
verdict 'an interrupt whose place is not recorded ends it, by name' $? = 3 -a "$(grep -c 'Handler came in between' "$tmp/said")" = 1
$check "$elf" "$tmp/full" "$tmp/part" >"$tmp/check" 2>&1
verdict 'and what may come after it is not executed' $? = 0 -a "$(figure instructions)" -gt 1000
cat >"$tmp/early.c" <<'C'
#include "boards/board.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/places.h"
#include "port/cortex-m/sinks.h"
#include "port/cortex-m/weft_target.h"
WEFT_RECORDER_DEF(trace, 1024, 256, 0);
static weft_uart_sink uart;
static weft_sink sink;
static volatile unsigned hits, seen;
void IRQ20_Handler(void);
void IRQ20_Handler(void)
{
    hits++;
}
int main(void)
{
    weft_irq_enable(20);
    weft_irq_pend(20);
    weft_barrier();
    weft_board_uart.driver->init(weft_board_uart.base, weft_board_uart.clock_hz, 115200);
    sink = weft_uart_sink_init(&uart, &weft_board_uart, NULL, 0);
    trace_config.sink = &sink;
    weft_places();
    weft_start(&trace, &trace_config);
    for (unsigned i = 0; i < 20; i++) {
        seen += hits;
        weft_irq_pend(20);
        weft_barrier();
    }
    weft_stop();
    return 0;
}
C
elf=$(build APP="$tmp/early.c" SINK=uart PROBES=paths PLACES=1 EXACT=1 APP_STARTS=yes)
$weft capture "$elf" -o "$tmp/paths" >"$tmp/log" 2>&1
$weft rerun "$tmp/paths" --elf "$elf" --zero -o "$tmp/part" >"$tmp/printed" 2>"$tmp/said"
verdict 'what handlers did before the recording is said to be missing' $? = 3 -a "$(grep -c 'enabled before the recording' "$tmp/said")" = 1
cat >"$tmp/waits.c" <<'C'
#include <stdlib.h>
static volatile int flag;
int main(int argc, char **argv)
{
    (void)argv;
    while (argc < 2 && !flag)
        ;
    exit(0);
}
C
elf=$(build APP="$tmp/waits.c" PROBES=paths)
$weft capture --argument 'one two' "$elf" -o "$tmp/paths" >"$tmp/log" 2>&1
$weft rerun "$tmp/paths" --argument 'one two' --elf "$elf" --zero -o "$tmp/part" >"$tmp/printed" 2>&1
verdict 'the command line is what the program was given' $? = 0
$weft rerun "$tmp/paths" --elf "$elf" --zero -o "$tmp/part" >"$tmp/printed" 2>&1
verdict 'a program that waits for ever is left, or parts from its recording' $? = 3 -a "$(grep -c 'waits here for ever\|but the recording has' "$tmp/printed")" = 1
cat >"$tmp/device.c" <<'C'
#include <stdint.h>
struct own { volatile uint8_t byte; volatile int16_t half; volatile uint64_t wide; };
static struct own own = {0xf1, -3, 0x123456789abcdef0};
uint32_t volatile sum;
int main(void)
{
    volatile uint32_t *control = (volatile uint32_t *)0xe000e010, *load = (volatile uint32_t *)0xe000e014;
    volatile uint32_t *ticks = (volatile uint32_t *)0xe000e018;
    uint32_t seen = 0;
    *load = 0xffffff;
    *control = 5;
    for (int i = 0; i < 100; i++) {
        uint32_t now = *ticks;
        if (now & 1)
            seen++;
        seen += now + own.byte + (uint32_t)own.half + (uint32_t)(own.wide >> 32);
        while (*ticks > now - 40)
            ;
    }
    sum = seen;
    return 0;
}
C
elf=$(build APP="$tmp/device.c" PROBES=paths)
$weft capture "$elf" -o "$tmp/paths" >"$tmp/log" 2>&1
$weft rerun "$tmp/paths" --elf "$elf" --zero -o "$tmp/part" >"$tmp/printed" 2>"$tmp/said"
verdict 'what follows from a device that is not recorded is not guessed' $? = 3 -a "$(grep -c 'not recorded' "$tmp/said")" = 1
$weft dump "$tmp/part" --elf "$elf" | grep -q '^0 load 0xe000e018 4 unknown'
verdict 'and its answer is shown as unknown' $? = 0
for how in '' ${WEFT_LONG:+'PACK=0 OPT=-O0' OPT=-Os}; do
    # shellcheck disable=SC2086
    elf=$(build APP="$tmp/device.c" PROBES=paths INPUTS=1 $how)
    $weft capture "$elf" -o "$tmp/paths" >"$tmp/log" 2>&1
    $weft rerun "$tmp/paths" --elf "$elf" --zero -o "$tmp/rerun" >"$tmp/printed" 2>&1
    verdict "INPUTS=1 $how: what a device answered is taken from the recording" $? = 0 -a "$(sed -n 's/ answers of devices.*//p' "$tmp/printed")" -ge 200 -a "$(grep -c 'not known' "$tmp/printed")" = 0
    recorded=$($weft dump --events values "$tmp/paths" --elf "$elf" 2>/dev/null | sed -n 's/^0 value \(0x[0-9a-f]*\) .*ticks$/\1/p' | md5sum)
    executed=$($weft dump "$tmp/rerun" --elf "$elf" | sed -n 's/^0 load 0xe000e018 4 value \([0-9]*\) .*/\1/p' | xargs printf '0x%x\n' | md5sum)
    verdict "INPUTS=1 $how: each at its place" "$recorded" = "$executed"
done
sed -i 's/while (\*ticks > now - 40)/while (*control \& 0x10)/' "$tmp/device.c" # an answer that is always the same
sed -i 's/int main(void)/int main(void)\n/; s/^    sum = seen;/    for (int i = 0; i < 500; i++)\n        seen += *load;\n    sum = seen;/' "$tmp/device.c"
cat >"$tmp/wide.c" <<'C'
#include <stdint.h>
uint64_t volatile sum;
static uint64_t low_after(uint64_t volatile *at) /* the loads' order and registers are the compiler's choice */
{
    return at[0] >> 3 ^ at[0] << 7;
}
int main(void)
{
    volatile uint32_t *control = (volatile uint32_t *)0xe000e010, *load = (volatile uint32_t *)0xe000e014;
    volatile uint64_t *both = (volatile uint64_t *)0xe000e010, *ticks = (volatile uint64_t *)0xe000e018;
    double volatile *number = (double volatile *)0xe000e010;
    uint64_t seen = 0;
    *load = 0xffffff;
    *control = 5;
    for (int i = 0; i < 50; i++) {
        uint64_t now = *both + *ticks;
        if (now & 1)
            seen++;
        seen += now + low_after(ticks) + (*number > 0);
    }
    sum = seen;
    return 0;
}
C
for how in 'PROBES=inputs' 'PROBES=inputs BOARD=microbit' ${WEFT_LONG:+'PROBES=inputs OPT=-O0' \
    'PROBES=inputs BOARD=microbit OPT=-O0' 'PROBES=inputs BOARD=mps2-an500' 'PROBES=paths INPUTS=1'}; do
    # shellcheck disable=SC2086
    elf=$(build APP="$tmp/wide.c" $how)
    $weft capture --full --trust --argument weft-trace="$tmp/trace" "$elf" -o "$tmp/full" >"$tmp/log" 2>&1
    $weft rerun "$tmp/trace" --argument weft-trace="$tmp/trace" --elf "$elf" --zero -o "$tmp/rerun" >"$tmp/printed" 2>&1
    verdict "$how: answers of 64 bits are taken from the recording" $? = 0 -a \
        "$(sed -n 's/ answers of devices.*//p' "$tmp/printed")" -ge 500 -a "$(grep -c 'not known' "$tmp/printed")" = 0
    sed 's/^/# /' "$tmp/printed"
    $check "$elf" "$tmp/full" "$tmp/rerun" >"$tmp/check" 2>&1
    verdict "$how: and each value is what the emulator saw" $? = 0 -a "$(figure instructions)" -gt 3000
    sed 's/^/# /' "$tmp/check"
done
for how in '' OPT=-O0 BOARD=microbit; do
    # shellcheck disable=SC2086
    elf=$(build APP="$tmp/device.c" PROBES=inputs $how)
    $weft capture "$elf" -o "$tmp/inputs" >"$tmp/log" 2>&1
    $weft rerun "$tmp/inputs" --elf "$elf" --zero -o "$tmp/rerun" >"$tmp/printed" 2>&1
    verdict "PROBES=inputs $how: what a device answered is taken from the recording" $? = 0 -a "$(sed -n 's/ answers of devices.*//p' "$tmp/printed")" -ge 700 -a "$(grep -c 'not known' "$tmp/printed")" = 0
    verdict "PROBES=inputs $how: the same answer in a row is one event" \
        "$($weft dump "$tmp/inputs" --elf "$elf" | grep -c 'input value .* times 500$')" = 1
    recorded=$($weft dump "$tmp/inputs" --elf "$elf" |
        awk '$2 == "input" { for (i = 0; i < $6; i++) print $4 }' | md5sum)
    executed=$($weft dump "$tmp/rerun" --elf "$elf" | sed -n 's/^0 load 0xe000e01[048] 4 value \([0-9]*\) .*/\1/p' | md5sum)
    verdict "PROBES=inputs $how: each at its place" "$recorded" = "$executed"
done
