#!/bin/bash
# SPDX-License-Identifier: MIT
# Capture names the tasks of FreeRTOS that used all of their stacks. The recording is kept; the status is 1. Lists that
# are damaged lead to nothing worse than fewer tasks.
. tests/lib/check.sh
weft=build/host/weft
elf=$(make -s build-firmware APP=tests/target/programs/task_stacks.c OPT=-O0 SINK=ring PROBES=paths 2>&1 | tail -n 1)
run() { # SPENT [LINK|fault]: the capture's status is in $status, what it says in $tmp/log
    $weft capture "$elf" --argument "task_stacks $*" -o "$tmp/run.weft" >"$tmp/log" 2>&1
    status=$?
}
says() { # NAME STATUS TEXT: '' says nothing of stacks
    verdict "$1" "$status $(grep -o '[0-9]* of [0-9]* tasks used all of their stacks: [^ .][^.]*' "$tmp/log")" = "$2 $3"
}

run 0
says "stacks with room left: nothing is said" 0 ''
verdict "nor of a fault" "$(grep -c 'when it was stopped' "$tmp/log")" -eq 0
run 0 fault
verdict "a program that ended in a fault's handler: which, and that stacks may be why" "$(grep -c \
    'note: the program was in HardFault when .* probes take up to 1,250 bytes of each' "$tmp/log")" -eq 1
run 2
says "two that are used up are named" 1 '2 of 8 tasks used all of their stacks: T0, T1'
[ -s "$tmp/run.weft" ]
verdict "and the recording is kept" $? -eq 0
run 7
verdict "of many, five are named" "$(grep -cE ': 7 of 8 tasks .*: (T[0-6], ){4}T[0-6] and 2 more\.' "$tmp/log")" -eq 1
run 8
says "where no stack has the byte, the kernel does not write it" 0 ''
# Task 3 is the only one in the list whose first link is damaged.
for link in 0 1 0x1000 0xfffffff0 0xe000e100; do
    run 1 $link
    says "a list that leads to $link" 1 '1 of 7 tasks used all of their stacks: T0'
done
