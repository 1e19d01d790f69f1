#!/bin/bash
# SPDX-License-Identifier: MIT
# A program compiled with probes prints what it prints without them, at -O0, -O2 and -Os, with each probe set, both ways
# of delivery, and on boards of every architecture: there one program with the ring or with values, on a Cortex-M0 both.
# WEFT_LONG: each set of probes at each level, all on each board, and what the oracle compares too: larger programs, and
# others than `interrupts` at each level.
set -u
run() { # BOARD APP OPT PROBES DELIVERY: prints the program's output and exit code
    local app=$2
    [ -n "${WEFT_LONG:-}" ] || [ "$app" != interrupts ] || app='interrupts VARIANT=short INTERRUPT_ITEMS=17'
    # shellcheck disable=SC2086 # APP and its settings
    elf=$(make -s build-firmware BOARD="$1" APP=$app OPT="$3" PROBES="$4" DELIVERY="$5" SINK="${6:-ring}" | tail -n 1)
    [ -e "$elf" ] || return 1
    timeout 60 qemu-system-arm -M "$1" -display none -monitor none -serial none \
        -semihosting-config enable=on,target=native,arg=program -kernel "$elf" 2>&1 </dev/null
    echo "exit code $?"
}

one() { # BOARD APP OPT
    local kinds=("paths direct" "values direct" "mem ring")
    if [ -z "${WEFT_LONG:-}" ] && [ "$1" = mps2-an385 ]; then
        kinds=("paths direct")
        [ "$3" != -O0 ] || kinds=("values direct")
        [ "$3" != -Os ] || kinds=("mem ring")
    elif [ -z "${WEFT_LONG:-}" ]; then
        kinds=("mem ring")
        [ "$2" = interrupts ] || kinds=("values direct")
    fi
    plain=$(run "$1" "$2" "$3" none direct semihost)
    if ! grep -q checksum <<<"$plain" || ! grep -q 'exit code 0' <<<"$plain"; then
        echo "# $plain"
        echo "not ok $1 $2 $3 runs without probes"
        return
    fi
    for kind in "${kinds[@]}"; do
        traced=$(run "$1" "$2" "$3" $kind)
        if [ "$plain" = "$traced" ]; then
            echo "ok $1 $2 $3 prints the same with probes ($kind)"
        else
            diff <(echo "$plain") <(echo "$traced") | head | sed 's/^/# /'
            echo "not ok $1 $2 $3 prints the same with probes ($kind)"
        fi
    done
}
export -f run one

{
    for app in jpeg bzip2 interrupts kernels threads; do
        for opt in -O0 -O2 -Os; do
            case $app$opt in interrupts-O[0s] | kernels-O2) ;; *) [ -n "${WEFT_LONG:-}" ] || continue ;; esac
            echo "mps2-an385 $app $opt"
        done
    done
    for board in mps2-an386 mps2-an500 mps2-an505 mps3-an547 netduinoplus2 lm3s6965evb emcraft-sf2 microbit; do
        # Other boards have the same processors as these.
        case $board in
        netduinoplus2 | lm3s6965evb | emcraft-sf2 | mps2-an500) [ -n "${WEFT_LONG:-}" ] || continue ;;
        esac
        [[ -z "${WEFT_LONG:-}" && $board = mps3-an547 ]] || echo "$board interrupts -O2"
        case $board in mps2-an386 | mps2-an500 | mps2-an505) [ -n "${WEFT_LONG:-}" ] || continue ;; esac
        echo "$board kernels -O2"
    done
} | xargs -P "${JOBS:-2}" -I {} bash -c 'one {}'
