#!/bin/bash
# SPDX-License-Identifier: MIT
# Probes in critical sections of the program: what ends a frame waits until the section has ended. Nothing is lost, and
# what came out is what the emulator saw. Without a worker, since that would wait anyway. WEFT_LONG: on a microbit, too,
# with each set of probes; else there those with accesses are measured.
. tests/lib/check.sh
weft=build/host/weft
for board in mps2-an385 ${WEFT_LONG:+microbit}; do
    for probes in paths mem; do
        elf=$(make -s build-firmware BOARD=$board APP=tests/target/programs/critical.c PROBES=$probes VARIANT=no-worker \
            AUTO_CFLAGS=-DWEFT_AUTO_IRQ=-1 2>"$tmp/log" | tail -n 1)
        $weft capture "$elf" --icount 5 -o "$tmp/run.weft" >"$tmp/log" 2>&1
        verdict "$board, $probes: nothing is lost" $? -eq 0
        $weft dump --events control --elf "$elf" "$tmp/run.weft" | awk '$2 == "path" || $2 == "entry"' >"$tmp/$board.$probes"
        verdict "$board, $probes: all activations are there" "$(grep -c 'entry step' "$tmp/$board.$probes")" = 15000
        $weft capture "$elf" --icount 5 --count "$tmp/count" >"$tmp/log" 2>&1
        most=$(awk '$1 == "masked" { print $2 }' "$tmp/count")
        echo "# $board, $probes: masked for $most instructions at most"
        # 10 paths, of which the program's own part is some 400 instructions. To end a frame takes 8,000.
        verdict "$board, $probes: no frame ends in a section" "$most" -gt 1000 -a "$most" -lt 4000
    done
    verdict "$board: memory probes change no path" "$(cut -d ' ' -f 2- "$tmp/$board.paths" | grep -c path)" = \
        "$(cut -d ' ' -f 2- "$tmp/$board.mem" | grep -c path)"
done

# Elsewhere the recorder holds interrupts for 100 instructions at most (docs/COSTS.md has the figures); another
# compiler's code may take some more.
limit=100
[ "$(arm-none-eabi-gcc -dumpversion)" = 12.2.1 ] || limit=125
masked() { # BOARD APP MAKE...
    elf=$(make -s build-firmware BOARD="$1" APP="$2" VARIANT=short INTERRUPT_ITEMS=17 "${@:3}" 2>"$tmp/log" | tail -n 1)
    $weft capture "$elf" --icount 5 --count "$tmp/count" >"$tmp/log" 2>&1
    most=$(awk '$1 == "masked" { print $2 }' "$tmp/count")
    verdict "$*: interrupts are masked for $limit instructions at most" "$most" -gt 20 -a "$most" -le $limit
    grep -m 3 '^mask ' "$tmp/count" | sed 's/^/# /'
}
masked mps2-an385 interrupts PROBES=paths PLACES=1
masked microbit interrupts PROBES=mem
masked microbit interrupts PROBES=mem KSF=4
masked microbit threads PROBES=mem CLOCK=timer
masked microbit interrupts PROBES=mem CLOCK=systick
masked microbit thermostat PROBES=values
if in_long; then
    masked mps2-an385 interrupts PROBES=paths
    masked mps2-an385 interrupts PROBES=mem
    masked microbit interrupts PROBES=paths
    masked microbit interrupts PROBES=paths PLACES=1
    masked microbit interrupts PROBES=mem CLOCK=timer
    masked microbit kernels PROBES=values PLACES=1
fi
