#!/bin/bash
# SPDX-License-Identifier: MIT
# SWO: firmware sends its recording to a model of the ITM (programs/swo), since the emulator has none; what leaves the
# model's pin is read back, whole, with bytes missing, and while it arrives.
. tests/lib/check.sh
weft=$PWD/build/host/weft
elf=$PWD/$(make -s build-firmware APP=tests/target/programs/swo PROBES=mem DERIVE=path | tail -n 1)
(cd "$tmp" && timeout 60 qemu-system-arm -M mps2-an385 -display none -monitor none -serial none -icount 4 \
    -semihosting-config enable=on,target=native,arg=app -kernel "$elf") >"$tmp/out" 2>&1 </dev/null
verdict "the program ends" "$(grep -c '^swo: ' "$tmp/out")" -eq 1
cd "$tmp" || exit 1

$weft capture --from-swo pin.swo -o back.weft --json >json 2>log
verdict "what a probe takes from the pin is the recording" $? -eq 0 -a "$(cmp back.weft frames.weft && echo same)" = same
verdict "overflows of the ITM are reported" "$(grep -c 'overflow packets, the first at byte' log)" -eq 1 -a \
    "$(grep -oE '"overflows": *[0-9]+' json | grep -oE '[0-9]+$')" -gt 0
$weft dump --elf "$elf" frames.weft --events control >want
verdict "of a run that did something" "$(grep -c ' entry mix' want)" -eq 8000
$weft dump --elf "$elf" back.weft --events control | cmp -s - want
verdict "and tells what ran" $? -eq 0

# The probe lost bytes.
size=$(stat -c %s pin.swo)
{ head -c $((size / 2)) pin.swo; tail -c $((size / 2 - 100)) pin.swo; } >hole.swo
$weft capture --from-swo hole.swo -o hole.weft >hole.txt 2>log
verdict "lost bytes are a gap" $? -eq 3 -a "$(grep -c 'gap' log)" -ge 1
lost=$(sed -nE 's/^[0-9]+ events, [0-9]+ bytes, ([0-9]+) lost$/\1/p' hole.txt)
all=$(sed -nE 's/.*"events": *([0-9]+).*/\1/p' json)
echo "# of $all events 100 lost bytes cost $lost"
verdict "which costs the frames that they were in" "$lost" -gt 0 -a "$lost" -lt $((all / 5))
$weft dump --elf "$elf" hole.weft --events control >rest 2>/dev/null
tail -n 1000 want >end
tail -n 1000 rest | cmp -s - end
verdict "and what comes later is read" $? -eq 0

head -c $((size - 60)) pin.swo >short.swo
$weft capture --from-swo short.swo -o short.weft >/dev/null 2>log
verdict "a recording whose end is missing is a gap" $? -eq 3 -a "$(grep -c 'no end record' log)" = 1

# While it arrives.
cat pin.swo | $weft capture --follow - --swo -o live.weft >live 2>log
verdict "and followed while it arrives" $? -eq 0 -a "$(cmp live.weft frames.weft && echo same)" = same

# Through the TPIU's formatter, as stream 1, with another stream.
cat >format.py <<'P'
data = open("pin.swo", "rb").read()
out, at = bytearray(), 0
while at < len(data):
    frame = bytearray(16)
    frame[0] = 1 << 1 | 1
    for i in range(1, 13):
        byte = data[at] if at < len(data) else 0
        at += 1
        frame[i] = byte if i % 2 else byte & 0xfe
        frame[15] |= 0 if i % 2 else (byte & 1) << i // 2
    frame[13] = data[at] if at < len(data) else 0
    at += 1
    frame[14] = 2 << 1 | 1
    out += (b"\xff\xff\xff\x7f" if len(out) % 640 == 0 else b"") + frame
open("framed.swo", "wb").write(out)
P
python3 format.py
$weft capture --from-swo framed.swo --tpiu 1 -o framed.weft >framed 2>log
verdict "and out of the formatter's frames" $? -eq 0 -a "$(cmp framed.weft frames.weft && echo same)" = same

expect "a port that is silent is an error" 1 '' $weft capture --from-swo pin.swo --itm-port 3 -o none.weft
verdict "which names what was there" "$(grep -c 'none are stimulus port 3' stderr)" -eq 1 -a ! -e none.weft
expect "--swo goes with --follow" 2 '' $weft capture --swo -o x "$elf"
expect "--from-swo takes a file" 2 '' $weft capture --from-swo pin.swo --follow - -o x
expect "--itm-port goes with SWO" 2 '' $weft capture --itm-port 2 -o x "$elf"
expect "a port that there is not" 2 '' $weft capture --from-swo pin.swo --itm-port 256 -o x
expect "a file that is not a pin's stream" 1 '' $weft capture --from-swo "$elf" -o x
verdict "its damage is not named place by place" "$(wc -l <"$tmp/stderr")" -le 26
expect "a device without an end" 1 '' $weft capture --from-swo /dev/zero -o x
expect "a source whose reads fail" 1 '' timeout 20 $weft capture --from-swo /proc/self/mem -o none.weft
verdict "which is said" "$(grep -c "cannot read '/proc/self/mem' after byte 0: " stderr)" -eq 1 -a ! -e none.weft
expect "a growing one whose reads fail" 1 '' timeout 20 $weft capture --follow /proc/self/mem -o none.weft
mkfifo pipe
cat pin.swo >pipe &
timeout 20 $weft capture --from-swo pipe -o pipe.weft >pipe.txt 2>log
verdict "a pipe that is read once, up to its end" $? -eq 0 -a "$(cmp pipe.weft frames.weft && echo same)" = same
expect "a pipe without a byte" 1 '' timeout 20 $weft capture --from-swo <(true) -o none.weft
expect "a source that is not there" 1 '' $weft capture --from-swo absent.swo -o x

# The real sink, where there is no ITM: it refuses, the program goes on, and capture says what is missing.
cd "$OLDPWD" || exit 1
itm=$(make -s build-firmware APP=adding PROBES=paths SINK=itm | tail -n 1)
timeout 60 qemu-system-arm -M mps2-an385 -display none -monitor none -serial none \
    -semihosting-config enable=on,target=native,arg=app -kernel "$itm" >"$tmp/out" 2>&1 </dev/null
verdict "without an ITM the program runs to its end" $? -eq 0
expect "weft capture says that the emulator has no SWO" 1 '' $weft capture "$itm" -o "$tmp/no.weft"
verdict "and what to do" "$(grep -c 'from-swo' "$tmp/stderr")" -eq 1
