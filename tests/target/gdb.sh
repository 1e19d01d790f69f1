#!/bin/bash
# SPDX-License-Identifier: MIT
# What docs/HARDWARE.md and docs/ADOPTION.md let a debugger do while a program runs, through the emulator's gdb stub:
# pause, go on, sample a function, stop; end a recording, and dump its ring.
. tests/lib/check.sh
weft=$PWD/build/host/weft
elf=$PWD/$(make -s build-firmware APP=tests/target/programs/gdb_controls.c PROBES=paths SINK=ring PACK=0 \
    PLUGIN_MORE=control=work AUTO_CFLAGS=-DWEFT_AUTO_RING=32768 2>"$tmp/log" | tail -n 1)

debug() { # GDB-COMMAND...: from the start of main; $tmp/run.weft
    local words=() command
    for command in "$@"; do words+=(-ex "$command"); done
    rm -f "$tmp/stub"
    qemu-system-arm -M mps2-an385 -display none -monitor none -serial none -S \
        -gdb "unix:$tmp/stub,server=on,wait=off" -semihosting-config enable=on,target=native,arg=program \
        -kernel "$elf" >"$tmp/out" 2>&1 </dev/null &
    until [ -S "$tmp/stub" ] || ! kill -0 $! 2>/dev/null; do sleep 0.05; done
    (cd "$tmp" && timeout 60 gdb-multiarch -q -batch -ex "target remote stub" -ex 'break phase_begins' "${words[@]}" \
        -ex kill "$elf") >"$tmp/gdb.out" 2>&1 </dev/null
    kill $! 2>/dev/null
    wait $! 2>/dev/null
    "$weft" capture --from-memory "$tmp/ring.bin" "$elf" -o "$tmp/run.weft" >"$tmp/log" 2>&1
    status=$?
}
worked() { # how often work was entered in each phase
    "$weft" dump --elf "$elf" --events control "$tmp/run.weft" 2>"$tmp/gaps" |
        awk '$2 == "event" { phase = $NF } $2 == "entry" && $3 == "work" { n[phase]++ }
             END { for (i = 1; i <= 5; i++) printf "%d ", n[i] }'
}
said() { grep -cF "$1" "$2"; } # TEXT DOCUMENT

pause='set var weft_control_word = 1'
sample='set var *(int *)&weft_function_work = 100'
verdict "the document has these commands" "$(tr '\n' ' ' <docs/HARDWARE.md | grep -cF -e "$pause")$(tr '\n' ' ' \
    <docs/HARDWARE.md | grep -cF -e "$sample")$(tr '\n' ' ' <docs/HARDWARE.md | grep -cF '2 resumes, 3 stops')" = 111
debug continue continue "$pause" continue 'set var weft_control_word = 2' continue "$sample" continue \
    'set var weft_control_word = 3' continue 'dump binary value ring.bin weft_trace_ring'
verdict "gdb pauses a recording, lets it go on, samples a function, and stops it" "$(worked)" = "200 0 200 2 0 "
verdict "the pause and the sampling are named" "$(grep -c 'was paused' "$tmp/gaps")$(grep -c 'one activation in 100' \
    "$tmp/gaps")" = 11

# Requests with an argument: only handlers, which there are none of; all contexts again.
debug continue continue 'set var weft_control_word = 4 | 16 << 8' continue 'set var weft_control_word = 6' continue \
    continue continue 'call weft_target_end()' 'dump binary value ring.bin weft_trace_ring'
verdict "gdb filters contexts" "$(worked)" = "200 0 200 200 200 "
verdict "and ends the recording: nothing of the ring is missing" "$(said 'no end record' "$tmp/log")" -eq 0

debug continue continue 'call weft_target_end()' 'dump binary value ring.bin weft_trace_ring'
verdict "a call ends a recording in the middle, and the ring's dump is the recording" $status -eq 0 -a \
    "$(worked)" = "200 0 0 0 0 "
verdict "as docs/ADOPTION.md says" "$(said 'call weft_target_end()' docs/ADOPTION.md)" -eq 1
