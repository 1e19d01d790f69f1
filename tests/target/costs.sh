#!/bin/bash
# SPDX-License-Identifier: MIT
# What a path costs, computed from the ELF alone, is what the emulator sees it execute (tests/target/costs_check.c). The
# instructions that are left out serve only the probes: without them the program prints the same. Where loops of one
# path are counted, the paths of their functions are estimated, so these are built with. WEFT_LONG: other workloads than
# kernels and `interrupts`, and these with each set of probes and at each level.
. tests/lib/check.sh
check=build/host/tests/target/costs_check
weft=build/host/weft

field() { # NAME
    sed -n "s/^costs:.* $1=\([0-9]*\).*/\1/p" "$tmp/check"
}

compiler=$(arm-none-eabi-gcc -dumpversion | cut -d . -f 1)
# Where records hold several paths, one that is full costs more, so most costs are bounded.
one() { # NAME BOUND MAKE...: at most one execution in BOUND is of a path whose cost is only bounded or estimated
    local name=$1 bound=$2 elf known status
    shift 2
    elf=$(make -s build-firmware PACK=0 "$@" 2>"$tmp/log" | tail -n 1)
    $weft capture --full "$elf" -o "$tmp/full" >"$tmp/log" 2>"$tmp/printed"
    status=$?
    $check "$elf" "$tmp/full" -v >"$tmp/check" 2>&1
    grep -v '^costs' "$tmp/check" | tail -n 10
    known=$(field exact)
    [[ $elf != *-pack/* ]] || known=$((known + $(field between)))
    verdict "$name: no path executes another number of instructions than the ELF says" "${known}0" -gt 10000 -a "$(field wrong)" = 0
    if [ "$compiler" = 12 ]; then
        verdict "$name: and nearly all of the costs are exact" \
            $((($(field exact) + $(field between) + $(field estimated) - known) * bound)) -le "$known"
    else
        echo "# $name: GCC $compiler: $(field exact) exact, $(field between) bounded, $(field estimated) estimated; the bound is for GCC 12"
    fi
    build/host/tests/target/without_probes "$elf" "$tmp/bare.elf" >"$tmp/log" 2>&1 && $weft seal --again "$tmp/bare.elf" >>"$tmp/log" 2>&1
    $weft capture --full "$tmp/bare.elf" -o "$tmp/full" >>"$tmp/log" 2>"$tmp/bare"
    status+=" $?"
    diff "$tmp/printed" "$tmp/bare" | sed 's/^/# /'
    verdict "$name: it prints the same without what serves its probes" "$status" = '0 0' -a -s "$tmp/bare" -a "$(cmp "$tmp/printed" "$tmp/bare" 2>&1)" = ''
}

[ -z "${WEFT_LONG:-}" ] || one 'jpeg -O2' 100 APP=jpeg PROBES=paths
[ -z "${WEFT_LONG:-}" ] || one 'jpeg -O2, packs' 100 APP=jpeg PROBES=paths PACK=1
if [ -z "${WEFT_QUICK:-}" ]; then
    [ -z "${WEFT_LONG:-}" ] || one 'jpeg -Os, accesses' 1000 APP=jpeg PROBES=mem OPT=-Os
    [ -z "${WEFT_LONG:-}" ] || one 'jpeg -O0' 100 APP=jpeg PROBES=paths OPT=-O0
    [ -z "${WEFT_LONG:-}" ] || one 'bzip2 -O2' 40 APP=bzip2 PROBES=paths
    [ -z "${WEFT_LONG:-}" ] || one 'bzip2 -Os' 1000 APP=bzip2 PROBES=paths OPT=-Os
    [ -z "${WEFT_LONG:-}" ] || one 'kernels -O2, values' 100 APP=kernels PROBES=values
    [ -z "${WEFT_LONG:-}" ] || one 'kernels -Os' 100 APP=kernels PROBES=paths OPT=-Os
    one 'kernels -O2, across calls' 500 APP=kernels PROBES=paths MODE=span
    [ -z "${WEFT_LONG:-}" ] || one 'kernels on a microbit' 100 APP=kernels PROBES=paths BOARD=microbit
    one 'floats that are saved, on a Cortex-M4' 1000000 APP=tests/target/programs/floats_saved.c PROBES=mem \
        BOARD=mps2-an386 OPT=-Og
    one 'jumps by bl on a microbit' 100 APP=tests/target/programs/far_jumps.c PROBES=paths BOARD=microbit OPT=-O0
    [ -z "${WEFT_LONG:-}" ] || one 'kernels -O2, with a forest' 100 APP=kernels PROBES=paths KSF=4
    [ -z "${WEFT_LONG:-}" ] || one 'jpeg -O2, with a forest' 100 APP=jpeg PROBES=paths KSF=4
    [ -z "${WEFT_LONG:-}" ] || one 'zlib -O2, with a forest' 1000 APP=zlib PROBES=paths KSF=4
    one 'interrupts -O2, values' 1000 APP=interrupts PROBES=values VARIANT=short INTERRUPT_ITEMS=17
    [ -z "${WEFT_LONG:-}" ] || one 'interrupts -O2, all items' 1000 APP=interrupts PROBES=mem
    [ -z "${WEFT_LONG:-}" ] || one 'lua -O2' 10 APP=lua PROBES=paths
fi

# Loops of one path, by how much the compiler knows of their passes: each cost is exact.
one 'passes -O2' 1000000 APP=tests/target/programs/passes.c PROBES=paths FLAGS=-DSHORT
if [ -z "${WEFT_QUICK:-}" ]; then
    for opt in ${WEFT_LONG:+-O0 -Os -O3}; do
        one "passes $opt" 1000000 APP=tests/target/programs/passes.c PROBES=paths FLAGS=-DSHORT OPT=$opt
    done
    [ -z "${WEFT_LONG:-}" ] || one 'kernels -O2' 100 APP=kernels PROBES=paths
    one 'kernels -O2, packs' 100 APP=kernels PROBES=paths PACK=1
    [ -z "${WEFT_LONG:-}" ] || one 'kernels with all passes' 100 APP=kernels PROBES=paths EXACT=1
fi
elf=$(make -s build-firmware APP=kernels PROBES=paths PACK=0 2>"$tmp/log" | tail -n 1)
$weft capture "$elf" -o "$tmp/counted.weft" >"$tmp/log" 2>&1
$weft functions --json --elf "$elf" "$tmp/counted.weft" >"$tmp/functions"
verdict "functions with counted loops have no estimates" "$(sed 's/.*"estimated":\([0-9]*\),"lost".*/\1/' "$tmp/functions")" = 0
