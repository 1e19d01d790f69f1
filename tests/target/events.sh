#!/bin/bash
# SPDX-License-Identifier: MIT
# weft_event and names: in both ways of delivery, each event is in the trace in its order, or counted as lost; contexts
# and events have the names that the firmware gave.
. tests/lib/check.sh
weft=build/host/weft

for delivery in direct ring; do
    elf=$(make -s build-firmware APP=tests/target/programs/events.c PROBES=paths DELIVERY=$delivery \
        AUTO_CFLAGS=-DWEFT_AUTO_NAMES=16 VARIANT=named | tail -n 1)
    $weft capture "$elf" -o "$tmp/$delivery.weft" --icount 5 >"$tmp/log" 2>"$tmp/printed"
    verdict "$delivery: it is recorded without loss" $? -eq 0
    verdict "$delivery: capture counts the events that info counts" "$(cut -d ' ' -f 1 "$tmp/log")" -eq \
        "$($weft info "$tmp/$delivery.weft" --json | grep -o '"events":[0-9]*' | head -n 1 | cut -d : -f 2)"
    $weft dump "$tmp/$delivery.weft" --elf "$elf" --events control >"$tmp/$delivery.txt"
    verdict "$delivery: levels are there, in order" \
        "$(grep -c ' event level' "$tmp/$delivery.txt") $(sed -n 's/.* event level \([0-9]*\).*/\1/p' "$tmp/$delivery.txt" | sort -nc && echo sorted)" = "200 sorted"
    verdict "$delivery: their name is a format, which the host fills in" "$($weft dump "$tmp/$delivery.weft" --elf "$elf" \
        --events control --json | grep -c '"text":"level [0-9]*, [0-9]*","name":"level %u, %u","values":\[')" -eq 200
    ticks=$(sed -n 's/.*, \([0-9]*\) ticks/\1/p' "$tmp/printed")
    verdict "$delivery: and each tick of the handler" "$ticks" -gt 20 -a "$(grep -c ' event tick' "$tmp/$delivery.txt")" -eq "$ticks"
    # As the program does it: 1 to 6 sends into a queue of 4, then 5 receives.
    verdict "$delivery: queue operations are those of the program" \
        "$(grep -c ' queue send [a-z_0-9]*$' "$tmp/$delivery.txt") $(grep -c ' queue send failed [a-z_0-9]*$' "$tmp/$delivery.txt")" = "597 99"
    verdict "$delivery: tasks have their names" "$($weft dump "$tmp/$delivery.weft" --context Rx --elf "$elf" --events control | grep -c 'entry receive')" -eq 1000
    $weft functions "$tmp/$delivery.weft" --elf "$elf" --tree >"$tmp/tree.txt"
    verdict "$delivery: in other views too" "$(grep -c 'context Rx$\|context Tx$' "$tmp/tree.txt")" -eq 2
    $weft stack "$tmp/$delivery.weft" --elf "$elf" >"$tmp/stack.txt"
    verdict "$delivery: and in those of stacks, where no number stands for one" "$(grep -cE ' bytes  (Rx|Tx), ' \
        "$tmp/stack.txt") $(grep -c 'main .*  (thread mode)$' "$tmp/stack.txt") $(grep -c 'context' "$tmp/stack.txt")" = '2 1 0'
done
elf=$(make -s build-firmware APP=tests/target/programs/events.c PROBES=paths CLOCK=timer STAMPS=0 \
    AUTO_CFLAGS=-DWEFT_AUTO_NAMES=16 VARIANT=stamped | tail -n 1)
$weft capture "$elf" -o "$tmp/stamped.weft" --icount 5 >"$tmp/log" 2>"$tmp/printed"
$weft dump "$tmp/stamped.weft" --elf "$elf" --events control >"$tmp/stamped.txt"
ticks=$(sed -n 's/.*, \([0-9]*\) ticks/\1/p' "$tmp/printed")
verdict "with a clock, interrupts that the kernel announces begin and end with stamps" "$ticks" -gt 20 -a \
    "$(awk '$1 != 15 { next } $2 == "entry" { stage = 1 } $2 == "event" { stage = stage == 2 ? 3 : 0 }
            $2 == "stamp" && stage == 1 { stage = 2 } $2 == "stamp" && stage == 3 { stage = 0; n++ }
            END { print n + 0 }' "$tmp/stamped.txt")" -eq "$ticks"
hooks() { # OPERATIONS: how many hooks of queues, and of tasks, FreeRTOS's header defines
    printf '#define configUSE_TRACE_FACILITY 1\n#include "port/rtos/freertos.h"\n' |
        arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -I. -DWEFT_FREERTOS_OPERATIONS="$1" -E -dM -x c - >"$tmp/macros"
    echo "$(grep -c 'define trace.*QUEUE' "$tmp/macros") $(grep -c 'define traceTASK' "$tmp/macros")"
}
verdict "operations of FreeRTOS may be left out, tasks stay" "$(hooks 1), $(hooks 0)" = "10 3, 0 3"
