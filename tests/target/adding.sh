#!/bin/bash
# SPDX-License-Identifier: MIT
# The example of adding Weft to one's own firmware (tests/workloads/adding, quoted by the README) works and records what
# the program does.
set -u
weft=build/host/weft
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for delivery in direct ring; do
    elf=$(make -s build-firmware APP=adding SINK=uart PROBES=mem OPT=-O1 DELIVERY=$delivery | tail -n 1)
    if $weft capture "$elf" -o "$out/adding.weft" >"$out/log" 2>&1 && grep -q '^adding: ' "$out/log"; then
        echo "ok the example runs ($delivery)"
    else
        sed 's/^/# /' "$out/log"
        echo "not ok the example runs ($delivery)"
    fi
    # table[2..31]: 20 times one load and one store, 10 times the same.
    stores=$($weft dump "$out/adding.weft" --elf "$elf" --events bus | awk '$2 == "store" && / main| table|adding\.c/' | wc -l)
    if [ "$stores" -eq 30 ]; then
        echo "ok the example's trace shows its 30 stores ($delivery)"
    else
        echo "# $stores stores"
        echo "not ok the example's trace shows its 30 stores ($delivery)"
    fi
done
sed -n '/^```c$/,/^```$/p' README.md | grep -v '^```' >"$out/quoted"
if sed -n '/\[weft/,/weft\]/p' tests/workloads/adding/adding.c | sed '1d;$d' | cmp - "$out/quoted"; then
    echo "ok the README quotes the example as it is compiled"
else
    echo "not ok the README quotes the example as it is compiled"
fi
lines=$(sed -n '/\[weft/,/weft\]/p; /\/\* weft \*\//p' tests/workloads/adding/adding.c | grep -vc '^$')
[ "$lines" -le 22 ] && echo "ok the example takes $((lines - 2)) lines" || echo "not ok the example takes $((lines - 2)) lines"
# A choice that does not exist is reported; nothing else is built in its place.
for choice in BOARD=none PROBES=all MODE=call CODER=gramar BUS=tree VALUES=all SINK=usb DELIVERY=rings; do
    if make -s build-firmware APP=adding $choice >"$out/log" 2>&1 || ! grep -q "there is no $choice; there are: " "$out/log"; then
        echo "not ok firmware with $choice is refused"
    else
        echo "ok firmware with $choice is refused"
    fi
done
# So is what the recorder would refuse when it starts.
for size in WEFT_AUTO_FRAME=233 WEFT_AUTO_SLOTS=100; do
    if make -s build-firmware APP=thermostat AUTO_CFLAGS=-D$size >"$out/log" 2>&1 || ! grep -q "${size%=*} is " "$out/log"; then
        echo "not ok firmware with $size is refused"
    else
        echo "ok firmware with $size is refused"
    fi
done
