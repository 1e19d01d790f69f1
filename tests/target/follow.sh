#!/bin/bash
# SPDX-License-Identifier: MIT
# weft capture --follow: what arrives is decoded while it arrives, from a pseudo-terminal in the place of a serial line,
# from files and FIFOs (follow.py), and from an emulator's UART while it runs.
. tests/lib/check.sh
weft=build/host/weft
# Whose objects other tests have.
elf=$(make -s build-firmware APP=jpeg SINK=uart DERIVE=activation | tail -n 1)
$weft capture "$elf" -o "$tmp/run.weft" >"$tmp/log" 2>&1
python3 -B tests/target/follow.py $weft "$tmp/run.weft" "$elf" "$tmp"

# A device that runs. Its clock may make frames a few bytes longer or shorter.
counts() {
    sed -nE 's/^([0-9]+ events), [0-9]+ bytes, ([0-9]+ lost)$/\1 \2/p' "$1"
}
: >"$tmp/serial"
timeout 60 $weft capture --follow "$tmp/serial" --until-end -o "$tmp/live.weft" --elf "$elf" >"$tmp/live" 2>&1 &
follower=$!
timeout 60 qemu-system-arm -M mps2-an385 -kernel "$elf" -display none -monitor none -serial "file:$tmp/serial" \
    -semihosting-config enable=on,target=native,arg=app >/dev/null 2>&1
wait $follower
verdict 'an emulated UART is followed while it runs' $? -eq 0 -a "$(counts "$tmp/live")" = \
    "$(counts "$tmp/log")"

usage() { # NAME OPTIONS...
    local name=$1
    shift
    expect "$name" 2 '' $weft capture "$@"
}
usage 'a speed that no serial line has is refused' --follow /dev/null -o "$tmp/x" --baud 12345
usage '--follow needs a place to write to' --follow /dev/null
usage '--follow takes no image to run' --follow /dev/null -o "$tmp/x" "$elf"
usage '--follow runs nothing' --follow /dev/null -o "$tmp/x" --full
usage '--until-end goes with --follow' --until-end -o "$tmp/x" "$elf"
usage 'the source is not written over' --follow "$tmp/serial" -o "$tmp/serial"
