#!/bin/bash
# SPDX-License-Identifier: MIT
# weft capture: each sink, programs that end badly, and files that are not firmware.
. tests/lib/check.sh
weft=build/${WEFT_BUILD:-asan}/weft
export WEFT_QEMU_PLUGIN=build/host/weft_qemu.so
firmware() {
    make -s build-firmware "$@" | tail -n 1
}
# capture NAME STATUS PATTERN ARGUMENT...: the result is one JSON object
capture() {
    local name=$1 status=$2 pattern=$3
    shift 3
    expect "$name" "$status" "$pattern" $weft capture --json -o "$tmp/out.weft" "$@"
}

program=$(firmware APP=kernels PROBES=paths SINK=semihost)
paths=$($weft capture "$program" -o "$tmp/a.weft" --json 2>/dev/null | sed 's/.*"paths":\([0-9]*\).*/\1/')
for sink in uart ring; do
    capture "the $sink gives all events" 0 ".*\"events\":$paths,.*\"lost\":0,.*" "$(firmware APP=kernels PROBES=paths SINK=$sink)"
done
ring=$(firmware APP=kernels PROBES=paths SINK=ring)
arm-none-eabi-strip -o "$tmp/stripped.elf" "$ring"
capture "an image with a ring and no symbols is refused" 1 '' "$tmp/stripped.elf"
verdict "and what to keep is said" "$(grep -c 'has no symbols' "$tmp/stderr")" -eq 1
capture "another machine than the image's" 1 '' --machine microbit "$ring"
verdict "and the machine is named" "$(grep -c "machine 'microbit'" "$tmp/stderr")" -ge 1
arm-none-eabi-objcopy -R .weft.board "$program" "$tmp/unnamed.elf"
capture "--sink names what the image does not" 0 ".*\"events\":$paths,.*\"lost\":0,.*" --sink semihost "$tmp/unnamed.elf"
expect "--sink knows three kinds" 2 '' $weft capture --sink usb "$program" -o "$tmp/out.weft"
repeat=$(firmware APP=interrupts VARIANT=short INTERRUPT_ITEMS=17 PROBES=paths)
$weft capture "$repeat" -o "$tmp/a.weft" --icount 5 2>/dev/null >&2
$weft capture "$repeat" -o "$tmp/b.weft" --icount 5 2>/dev/null >&2
verdict "--icount repeats interrupts exactly" "$(cmp "$tmp/a.weft" "$tmp/b.weft" && echo same)" = same

cat >"$tmp/ends.c" <<'END'
#include <stdint.h>
volatile uint32_t sum;
int main(void)
{
    for (uint32_t i = 0; i < 1000; i++)
        sum += i;
#if END == 1
    *(volatile uint32_t *)0xa0000000 = 1;
#elif END == 2
    for (;;)
        sum++;
#elif END == 4 /* a digit from the serial line */
    volatile uint32_t *const uart = (volatile uint32_t *)0x40004000;
    uart[2] |= 2;
    while (!(uart[1] & 2))
        sum++;
    return (int)(uart[0] - '0');
#elif END == 5
    for (;;)
        __asm volatile("wfi");
#endif
    return END;
}
END
for end in 1 2 3 4 5; do
    mkdir -p "$tmp/ends$end"
    { echo "#define END $end"; cat "$tmp/ends.c"; } >"$tmp/ends$end/main.c"
done
crash=$(firmware "APP=$tmp/ends1")
endless=$(firmware "APP=$tmp/ends2")
endless_ring=$(firmware "APP=$tmp/ends2" SINK=ring)
code=$(firmware "APP=$tmp/ends3")
reads=$(firmware "APP=$tmp/ends4")
arm-none-eabi-objcopy -R .weft.board "$(firmware "APP=$tmp/ends5" PROBES=none)" "$tmp/asleep.elf"
printf 5 >"$tmp/typed"
capture "--input is what its serial line brings" 0 '.*"exit":5,.*' --input "$tmp/typed" "$reads"
capture "and that is standard input" 0 '.*"exit":5,.*' --input - "$reads" <"$tmp/typed"
capture "or nothing, where that is missing" 1 '' --input "$tmp/missing" "$reads"
capture "and the line cannot carry the trace, too" 2 '' --sink uart --input "$tmp/typed" "$reads"
expect "what runs nothing takes no --icount" 2 '' $weft capture --from-memory "$tmp/typed" --icount 3 -o "$tmp/out.weft"
capture "a crash: status 1, and the events before it" 1 '{"events":999,.*"exit":125,.*' "$crash"
capture "an exit status is reported" 0 '.*"exit":3,.*' "$code"
capture "an endless program is stopped" 1 '{"events":[1-9][0-9]*,.*' --timeout 1 "$endless"
capture "an endless program's ring is read" 1 '{"events":[1-9][0-9]*,.*' --timeout 1 "$endless_ring"
capture "a full recording of an endless program" 0 '{"events":[1-9][0-9]*,.*' --full --timeout 1 "$endless"
capture "the same of firmware that has a start-up of its own, and so ends after ten seconds" 0 '{"events":[1-9][0-9]*,.*' \
    --full "$tmp/asleep.elf"
verdict "and that is said" "$(grep -c 'note: stopped after 10 s' "$tmp/stderr")" -eq 1
$weft capture --timeout 60 "$endless" -o "$tmp/out.weft" >"$tmp/stdout" 2>"$tmp/stderr" &
until [ -n "$(cat /proc/$!/task/$!/children)" ] || ! kill -0 $!; do sleep 0.1; done
sleep 1
kill -INT $!
wait $!
verdict "an interrupt keeps what was recorded" "$(grep -c 'interrupted; what' "$tmp/stderr") $(grep -c events "$tmp/stdout")" = "1 1"

: >"$tmp/empty"
arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -c "$tmp/ends3/main.c" -o "$tmp/object.o"
arm-none-eabi-gcc -mcpu=cortex-a9 -nostdlib -Wl,-emain "$tmp/ends3/main.c" -o "$tmp/cortex-a" 2>/dev/null
arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -nostdlib -Wl,-emain "$tmp/ends3/main.c" -o "$tmp/plain" 2>/dev/null
head -c 3000 "$program" >"$tmp/cut.elf"
for bad in "$tmp/none" "$tmp/empty" Makefile "$tmp" build/host/weft "$tmp/object.o" "$tmp/cortex-a" "$tmp/plain" "$tmp/cut.elf"; do
    capture "${bad##*/} is refused" 1 '' "$bad"
    verdict "${bad##*/}: one line says why" "$(grep -c 'weft capture: ' "$tmp/stderr")" -ge 1
done
capture "firmware without probes is refused" 1 '' "$(firmware APP=kernels PROBES=none)"
capture "an unknown board is refused" 2 '' --board nosuch "$program"
capture "a board that it was not built for: no trace" 1 '' --board microbit --timeout 1 "$program"
expect "no output is a wrong command line" 2 '' $weft capture "$program"
expect "two programs are a wrong command line" 2 '' $weft capture "$program" "$program" -o "$tmp/out.weft"
expect "an output that cannot be written" 4 '' $weft capture "$program" -o "$tmp/none/out.weft"
mkdir -p "$tmp/no"
expect "no emulator" 4 '' env PATH="$tmp/no" $weft capture "$program" -o "$tmp/out.weft"
# Other tests run at the same time, whose folders are empty for a moment.
for wait in 0 0.3 0.7 1.1 1.9; do
    sleep $wait
    left=$(find /tmp -maxdepth 1 -name 'weft-??????' -newer "$tmp/ends.c" -user "$(id -u)" -empty | wc -l)
    [ "$left" -ne 0 ] || break
done
verdict "nothing is left in /tmp" "$left" -eq 0
