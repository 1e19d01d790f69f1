#!/bin/bash
# SPDX-License-Identifier: MIT
# Full recordings of programs without Weft, instruction by instruction against the register log that the emulator prints
# of the same run; and what becomes of a file that is cut. make test-long: Cortex-M4, M7 and M33, too.
. tests/lib/check.sh
check=build/host/tests/target/full_check

# The log has an entry for each block that is translated. Older emulators are made to translate single instructions by
# the plugin, which needs that of them.
single=()
[ "$(qemu-system-arm --version | sed -nE 's/.*version ([0-9]+).*/\1/p')" -lt 9 ] || single=(-accel tcg,one-insn-per-tb=on)

# against_log NAME MACHINE ELF
against_log() {
    timeout 100 qemu-system-arm -M "$2" "${single[@]}" -display none -monitor none -serial null \
        -semihosting-config enable=on,target=native -icount shift=6 -kernel "$3" -plugin "build/host/weft_qemu.so,mode=full,out=$tmp/full" \
        -d cpu,fpu,nochain -D "$tmp/log" >"$tmp/out" 2>&1 </dev/null
    if $check "$tmp/full" "$tmp/log" >"$tmp/result"; then
        echo "ok full $1: $(cat "$tmp/result")"
    else
        sed 's/^/# /' "$tmp/out" "$tmp/result" | tail
        echo "not ok full $1"
    fi
}

# own CORE MACHINE COMPILER-FLAGS: an ARMv8-M board has its memory elsewhere
own() {
    name=$1 machine=$2 move=
    shift 2
    [ "$machine" != mps2-an505 ] || move='s/ORIGIN = 0,/ORIGIN = 0x10000000,/; s/0x20000000/0x38000000/; s/0x20003000/0x38003000/'
    for file in exceptions.c exceptions.ld; do
        sed "$move" "tests/target/full/$file" >"$tmp/$file"
    done
    arm-none-eabi-gcc -O1 -ffreestanding -nostdlib -masm-syntax-unified -Wall -Wextra -Werror -mthumb "$@" -T "$tmp/exceptions.ld" \
        "$tmp/exceptions.c" -o "$tmp/own.elf" && against_log "exceptions on a $name" "$machine" "$tmp/own.elf"
    $check "$tmp/full" >"$tmp/events"
    verdict "exceptions on a $name nest and chain" "$(grep -c 'exception 11 -> 14 entry\|exception 0 -> 15 entry' "$tmp/events")" -gt 3
}

# Of the sweep over the moments at which the most urgent exception comes some hit the one before another's handler
# begins: that one begins from thread mode, or chained to a system call.
interrupted_at_once() {
    verdict "a handler on a $1 is interrupted before its first instruction" \
        "$(grep -A 1 'exception 0 -> 14 entry' "$tmp/events" | grep -c 'exception 14 -> 15 entry')" -gt 0
    verdict "a chained handler on a $1 is interrupted before its first instruction" \
        "$(grep -A 1 'exception 11 -> 14 entry' "$tmp/events" | grep -c 'exception 14 -> 15 entry')" -gt 0
}

# Three exceptions are entered before the first instruction of any handler: all are there, each with its own return,
# and thread mode goes on as the thread that it was.
three_at_once() {
    verdict "two handlers on a $1 are interrupted before their first instructions" \
        "$(grep -A 2 'exception 0 -> 14 entry' "$tmp/events" | grep -A 1 'exception 14 -> 4 entry' |
            grep -c 'exception 4 -> 3 entry')" -eq 1
    verdict "both handlers on a $1 go on, and thread mode after them" \
        "$(grep -c 'exception 3 -> 4 return\|exception 4 -> 14 return' "$tmp/events")" -eq 2
    verdict "one thread on a $1" "$(build/host/weft functions --json --elf "$tmp/own.elf" "$tmp/full" 2>"$tmp/log" |
        python3 -c 'import json, sys
print(*[f["calls"] for f in json.load(sys.stdin)["functions"] if f["name"] == "reset"])')" -eq 1
}

own Cortex-M3 mps2-an385 -mcpu=cortex-m3
interrupted_at_once Cortex-M3
three_at_once Cortex-M3
verdict "faults are incomplete instructions" "$(grep -c 'incomplete' "$tmp/events")" -eq 2
! in_long || own Cortex-M4 mps2-an386 -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16
if in_long; then
    own Cortex-M7 mps2-an500 -mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-d16
    interrupted_at_once Cortex-M7
    three_at_once Cortex-M7
fi
! in_long || own Cortex-M33 mps2-an505 -mcpu=cortex-m33 -mfloat-abi=hard -mfpu=fpv5-sp-d16
own Cortex-M55 mps3-an547 -mcpu=cortex-m55 -mfloat-abi=hard
interrupted_at_once Cortex-M55
three_at_once Cortex-M55
[ -n "${WEFT_QUICK:-}" ] || own Cortex-M0 microbit -mcpu=cortex-m0

elf=$(make -s build-firmware APP=interrupts VARIANT=short INTERRUPT_ITEMS=17 PROBES=none | tail -n 1)
expect "weft capture --full counts instructions" 0 '{"events":[1-9][0-9]*,"bytes":[1-9][0-9]*,"lost":0,.*"exit":0.*}' \
    build/host/weft capture "$elf" --full --json -o "$tmp/whole"
events_of() { # FILE: of its JSON object
    grep -o '"events":[0-9]*' "$1" | head -n 1
}
build/host/weft capture "$elf" --full --json -o "$tmp/whole" >"$tmp/captured.json" 2>"$tmp/log"
build/host/weft info --json "$tmp/whole" >"$tmp/info.json"
verdict "weft capture --full counts the events that weft info does" \
    "$(events_of "$tmp/captured.json")" = "$(events_of "$tmp/info.json")"
build/host/weft dump "$tmp/whole" 2>"$tmp/log" | sed -E 's/^([0-9]+ (instruction|skipped|incomplete) [^ ]*).*/\1/' >"$tmp/dump"
python3 tests/golden/full_format.py "$tmp/whole" | cmp - "$tmp/dump"
verdict "tools/qemu/FULL.md is enough to decode a full recording with interrupts" "${PIPESTATUS[*]}" = "0 0" -a \
    "$(grep -c ' exception from ' "$tmp/dump")" -gt 20
size=$(stat -c %s "$tmp/whole")
good=0
for part in 0 5 6 40 100 $((size / 3)) $((size / 2)) $((size - 30)) $((size - 1)); do
    head -c "$part" "$tmp/whole" >"$tmp/cut"
    build/asan/tests/target/full_check "$tmp/cut" 2>&1 | tail -n 1 | grep -q 'cut\|not a full recording\|not a file\|no end' && good=$((good + 1))
done
verdict "a cut recording is read up to the cut, and says so" $good -eq 9
