#!/bin/bash
# SPDX-License-Identifier: MIT
# The event ring, decoded from docs/FORMATS.md alone in the middle of a run, holds what the recording then has: paths,
# and accesses with their addresses.
. tests/lib/check.sh
weft=build/host/weft

elf=$(make -s build-firmware APP=interrupts VARIANT=eventring INTERRUPT_ITEMS=24 PROBES=mem DELIVERY=ring SINK=ring \
    AUTO_CFLAGS=-DWEFT_AUTO_RING=1048576 | tail -n 1)
timeout 60 qemu-system-arm -M mps2-an385 -display none -monitor none -serial none -S -icount shift=4 \
    -semihosting-config enable=on,target=native,arg=program -gdb "unix:$tmp/stub,server=on,wait=off" \
    -kernel "$elf" >"$tmp/out" 2>&1 </dev/null &
until [ -S "$tmp/stub" ] || ! kill -0 $!; do sleep 0.05; done

# Stops where thread mode is about to empty the ring: no event is half written then.
ring=weft_delivery_choice.ring
timeout 60 gdb-multiarch -nx -q -batch -ex 'set pagination off' -ex "target remote $tmp/stub" \
    -ex "break weft_delivery_drain if $ring->head - $ring->tail > 8 && (\$xpsr & 511) == 0" \
    -ex 'break weft_target_done' -ex continue -ex "dump binary value $tmp/ring *$ring" \
    -ex "dump binary memory $tmp/slots $ring->slots ($ring->slots+$ring->mask+1)" -ex 'delete 1' -ex continue \
    -ex "dump binary memory $tmp/trace &weft_trace_ring (&weft_trace_ring+1)" -ex kill "$elf" >"$tmp/gdb" 2>&1
wait
$weft capture --from-memory "$tmp/trace" -o "$tmp/app.weft" >"$tmp/log" 2>&1
$weft dump --json --elf "$elf" "$tmp/app.weft" >"$tmp/dump"
verdict "what was recorded after that is whole" $? -eq 0
python3 tests/golden/event_ring_format.py "$tmp/ring" "$tmp/slots" "$tmp/dump" >"$tmp/told"
verdict "docs/FORMATS.md is enough to decode the event ring: $(cat "$tmp/told")" \
    "$(grep -cE '^[1-9][0-9]* paths, [1-9][0-9]* accesses of [1-9] contexts$' "$tmp/told")" = 1
