#!/bin/bash
# SPDX-License-Identifier: MIT
# The hooks for Zephyr and ThreadX (FreeRTOS: events.sh), each called by a small kernel as its own kernel calls them:
# threads have their names, operations are events in the program's order, interrupts begin and end with stamps.
. tests/lib/check.sh
weft=build/host/weft

one() { # KERNEL PUT GET FAILED LDFLAGS [FLAGS]: names of events
    local name=$1 elf
    elf=$(make -s build-firmware APP="tests/target/programs/$name" PROBES=paths CLOCK=timer STAMPS=0 \
        FLAGS="-Itests/target/programs/$name ${6-}" VARIANT="${6:+switch}" AUTO_CFLAGS=-DWEFT_AUTO_NAMES=16 \
        APP_LDLIBS="$5" 2>"$tmp/log" | tail -n 1)
    $weft capture --icount 0 "$elf" -o "$tmp/run.weft" >"$tmp/log" 2>"$tmp/printed"
    verdict "$name${6:+ $6}: it is recorded without loss" $? -eq 0
    $weft dump --elf "$elf" --events control "$tmp/run.weft" >"$tmp/dump"
    # Of 100 rounds, each fifth puts 1, 2, 3, 4 and 5 items into a queue of 4.
    verdict "$name${6:+ $6}: operations are those of the program" \
        "$(grep -c " $2 [a-z_]*\$" "$tmp/dump") $(grep -c " $3 [a-z_]*\$" "$tmp/dump") $(grep -c " $4 [a-z_]*\$" "$tmp/dump")" = "280 280 20"
    verdict "$name${6:+ $6}: threads have their names" \
        "$($weft dump --context Producer --elf "$elf" --events control "$tmp/run.weft" | grep -c 'entry produce')" -eq 100 -a \
        "$($weft dump --context Consumer --elf "$elf" --events control "$tmp/run.weft" | grep -c 'entry consume')" -eq 100
    ticks=$(sed -n 's/.*, \([0-9]*\) ticks/\1/p' "$tmp/printed")
    echo "# $ticks ticks, $(grep -c "^15 stamp" "$tmp/dump") stamps"
    verdict "$name${6:+ $6}: interrupts begin and end with stamps" "$ticks" -gt 3 -a \
        "$(grep -c '^15 stamp' "$tmp/dump")" -ge $((2 * ticks))
}

# A ring that forgot its first frames has the names all the same.
ring() { # KERNEL EVENT
    local elf
    elf=$(make -s build-firmware APP="tests/target/programs/$1" PROBES=paths CLOCK=timer STAMPS=0 SINK=ring VARIANT=forgets \
        FLAGS="-Itests/target/programs/$1" AUTO_CFLAGS='-DWEFT_AUTO_RING=4096 -DWEFT_AUTO_FRAME=256' \
        2>"$tmp/log" | tail -n 1)
    $weft capture --icount 0 "$elf" -o "$tmp/ring.weft" >"$tmp/log" 2>&1
    verdict "$1: a ring forgets" $? -eq 3
    $weft dump --elf "$elf" --events control "$tmp/ring.weft" >"$tmp/dump" 2>/dev/null
    verdict "$1: but no names" "$(grep -c " event $2 [a-z_]*\$" "$tmp/dump")" -gt 5 -a \
        "$(grep -c ' context Consumer ' "$tmp/dump")" -gt 0 -a \
        "$(grep -cE ' context [0-9]{3,}| event id [0-9]+' "$tmp/dump")" -eq 0
}
# Room for the names of the operations and one thread.
unnamed() {
    local elf
    elf=$(make -s build-firmware APP=tests/target/programs/zephyr PROBES=paths SINK=ring VARIANT=unnamed \
        FLAGS=-Itests/target/programs/zephyr AUTO_CFLAGS='-DWEFT_AUTO_NAMES=10' 2>"$tmp/log" | tail -n 1)
    $weft capture --icount 0 "$elf" -o "$tmp/unnamed.weft" >"$tmp/log" 2>&1
    verdict "names that found no room are noted, with the macro" "$(grep -c 'has no name.*-DWEFT_AUTO_NAMES' "$tmp/log")" -eq 1
}
ring zephyr 'semaphore take'
unnamed
one zephyr 'semaphore give' 'queue get' 'queue operation failed' ''
# As a current kernel announces threads on a Cortex-M.
one zephyr 'queue put' 'queue get' 'queue operation failed' '' -DCONFIG_USE_SWITCH=1
wrap=
for function in queue_send queue_receive semaphore_put semaphore_get mutex_put mutex_get; do
    wrap="$wrap -Wl,--wrap=_tx_$function"
done
one threadx 'semaphore put' 'queue receive' 'operation failed' "$wrap"
