#!/bin/bash
# SPDX-License-Identifier: MIT
# However a program ends, the emulator ends with it: exit codes come through, a fault prints the registers and exits
# with 125, an interrupt without a handler with 126. A trace that was being recorded is complete up to the fault.
# make test-long: a Cortex-M4, too, and such traces of a Cortex-M0.
set -u
run() { # BOARD WAY
    timeout 20 qemu-system-arm -M "$1" -display none -monitor none -serial none \
        -semihosting-config "enable=on,target=native,arg=faults,arg=$2" -kernel "$elf" 2>&1 </dev/null
    echo "status $?"
}
expect() { # BOARD WAY STATUS PATTERN...
    local board=$1 way=$2 status=$3 out
    shift 3
    out=$(run "$board" "$way")
    for pattern in "begin $way" "status $status\$" "$@"; do
        if ! grep -qE "$pattern" <<<"$out"; then
            sed 's/^/# /' <<<"$out"
            echo "not ok $board: $way: no '$pattern'"
            return
        fi
    done
    echo "ok $board: $way ends with status $status"
}

for board in mps2-an385 mps2-an505 ${WEFT_LONG:+netduinoplus2} microbit; do
    elf=$(make -s build-firmware BOARD=$board APP=tests/target/programs/faults.c PROBES=none OPT=-O1 | tail -n 1)
    expect $board plain 0
    expect $board main 3
    expect $board exit 42
    expect $board abort 134
    expect $board undefined 125 'fault: exception=0x00000003' 'pc=0x' 'r4=0x.* r11=0x'
    expect $board arm 125 'exception=0x00000003'
    expect $board masked 125 'exception=0x00000003'
    expect $board interrupt 126 'exception=0x00000017'
    # The nRF51 of the emulator has no bus fault; below its RAM lies nothing that faults, either.
    [ $board = microbit ] && continue
    expect $board bus 125 'bfar=0xf0000000'
    expect $board overflow 125
done

weft=build/host/weft
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for board in mps2-an385 ${WEFT_LONG:+microbit}; do
    for way in undefined overflow; do
        [ "$board $way" = "microbit overflow" ] && continue
        elf=$(make -s build-firmware BOARD=$board APP=tests/target/programs/faults.c PROBES=mem OPT=-O1 | tail -n 1)
        $weft capture "$elf" -o "$out/fault.weft" --argument "faults $way" >"$out/log" 2>&1
        $weft dump "$out/fault.weft" --elf "$elf" >"$out/dump" 2>>"$out/log"
        if grep -q "fault: exception" "$out/log" && grep -q 'entry main' "$out/dump" && $weft info "$out/fault.weft" | grep -q 'stats 1' &&
            { [ $way != overflow ] || [ "$(grep -c 'entry deeper' "$out/dump")" -gt 500 ]; }; then
            echo "ok $board: $way: the trace goes up to the fault"
        else
            tail -n 8 "$out/log" | sed 's/^/# /'
            echo "not ok $board: $way: the trace goes up to the fault"
        fi
    done
done

# A handler's weft_stop that interrupts weft_poll is refused, and the recording goes on to its end.
elf=$(make -s build-firmware APP=tests/target/programs/stops SINK=uart DELIVERY=ring PROBES=mem | tail -n 1)
if $weft capture "$elf" -o "$out/stops.weft" >"$out/log" 2>&1 && grep -q 'stops: 1 from the handler, 0 at the end' "$out/log" &&
    [ "$($weft dump "$out/stops.weft" --elf "$elf" --events bus | grep -c ' store .* sum ')" -eq 3000 ]; then
    echo "ok weft_stop does not interrupt weft_poll"
else
    sed 's/^/# /' "$out/log"
    echo "not ok weft_stop does not interrupt weft_poll"
fi
