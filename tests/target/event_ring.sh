#!/bin/bash
# SPDX-License-Identifier: MIT
# The event ring, decoded from docs/FORMATS.md alone in the middle of a run, holds what the recording then has: paths,
# and accesses with their addresses.
. tests/lib/check.sh
weft=build/host/weft

elf=$(make -s build-firmware APP=interrupts VARIANT=eventring INTERRUPT_ITEMS=17 PROBES=mem DELIVERY=ring SINK=ring \
    AUTO_CFLAGS=-DWEFT_AUTO_RING=1048576 | tail -n 1)
# Stops where thread mode is about to empty the ring: no event is half written then. In one run of fifty the ring never
# holds some events there, so that is tried again.
ring=weft_delivery_choice.ring
for _ in 1 2 3 4; do
    rm -f "$tmp/stub" "$tmp/ring" "$tmp/slots"
    timeout 60 qemu-system-arm -M mps2-an385 -display none -monitor none -serial none -S -icount shift=4 \
        -semihosting-config enable=on,target=native,arg=program -gdb "unix:$tmp/stub,server=on,wait=off" \
        -kernel "$elf" >"$tmp/out" 2>&1 </dev/null &
    until [ -S "$tmp/stub" ] || ! kill -0 $!; do sleep 0.05; done
    timeout 60 gdb-multiarch -nx -q -batch -ex 'set pagination off' -ex "target remote $tmp/stub" \
        -ex "break weft_delivery_drain if $ring->head - $ring->tail > 2 && (\$xpsr & 511) == 0" \
        -ex 'break weft_target_done' -ex continue -ex "dump binary value $tmp/ring *$ring" \
        -ex "dump binary memory $tmp/slots $ring->slots ($ring->slots+$ring->mask+1)" -ex 'delete 1' -ex continue \
        -ex "dump binary memory $tmp/trace &weft_trace_ring (&weft_trace_ring+1)" -ex kill "$elf" >"$tmp/gdb" 2>&1
    wait
    [ -z "$(python3 tests/golden/event_ring_format.py "$tmp/ring" "$tmp/slots")" ] || break
done
$weft capture --from-memory "$tmp/trace" -o "$tmp/app.weft" >"$tmp/log" 2>&1
# While gdb looks, time may go on: the timers' interrupts may then fill the ring, and what does not fit is lost.
$weft dump --json --elf "$elf" "$tmp/app.weft" >"$tmp/dump" 2>"$tmp/lost"
python3 tests/golden/event_ring_format.py "$tmp/ring" "$tmp/slots" "$tmp/dump" >"$tmp/told"
verdict "docs/FORMATS.md is enough to decode the event ring: $(cat "$tmp/told")" \
    "$(grep -cE '^[1-9][0-9]* paths, [0-9]+ accesses of [1-9] contexts$' "$tmp/told")" = 1
