#!/bin/bash
# SPDX-License-Identifier: MIT
# An image without symbols does not say which machine code a path is: instructions are estimated then, and each command
# that counts them says so. An image without call frame information does not say what a frame takes: status 3.
. tests/lib/check.sh
weft=$PWD/build/host/weft
elf=$(make -s build-firmware APP=interrupts VARIANT=short INTERRUPT_ITEMS=17 PROBES=paths 2>"$tmp/log" | tail -n 1)
cp "$elf" "$tmp/whole.elf"
arm-none-eabi-strip -o "$tmp/stripped.elf" "$elf"
arm-none-eabi-objcopy -g "$elf" "$tmp/frameless.elf"
cd "$tmp" || exit 1
$weft seal stripped.elf frameless.elf >log 2>&1
$weft capture whole.elf --icount 5 -o run.weft >log 2>&1

says() { # STATUS HOW-OFTEN IMAGE COMMAND...: a line of estimates
    local status=$1 times=$2 image=$3 found
    shift 3
    $weft "$@" run.weft --elf "$image.elf" >out 2>err
    found=$?
    verdict "${*:1:3}: $image" $found -eq "$status" -a "$(grep -c 'instructions are estimated' err)" -eq "$times"
}

for command in functions overview irq 'report -o page.html'; do
    # shellcheck disable=SC2086 # words
    says 0 0 whole $command
    # shellcheck disable=SC2086 # words
    says 0 1 stripped $command
done
for format in callgrind folded pprof speedscope perfetto chrome csv sqlite; do
    says 0 1 stripped export --as $format -o out.$format
done
says 0 0 stripped export --as lcov -o out.lcov
for command in overview irq 'report -o page.html' 'export --as folded -o out.folded'; do
    # shellcheck disable=SC2086 # words
    says 0 1 stripped $command --json
    verdict "${command%% *} --json: their number" "$(grep -c '"estimated":[1-9]' out)" -eq 1
done
says 0 0 whole diff run.weft
says 0 1 stripped diff run.weft
says 0 1 stripped diff --json run.weft
verdict "diff --json: their number, of both" "$(grep -c '"estimated":{"a":\([1-9][0-9]*\),"b":\1}' out)" -eq 1
says 0 0 whole stack
says 3 0 frameless stack
verdict "and says why" "$(grep -c 'the frames of [0-9]* activations are not known' err)" -eq 1
