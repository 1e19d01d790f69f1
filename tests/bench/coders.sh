#!/bin/bash
# SPDX-License-Identifier: MIT
# The control coders on the same run, as a table in Markdown: bytes of the control section per path, and how many times
# less than four bytes that is, as `weft info` gives them. For the loop coder, with windows of 32, 128 and 512 terms,
# also the instructions per symbol (all of core/loopnest; the emulator plugin counts them exactly).
#     tests/bench/coders.sh [APP...]
. tests/lib/check.sh
. tests/lib/coder.sh
apps=${*:-$(cd tests/workloads && ls -d */ | tr -d / | grep -vx adding)}

# figures NAME: bytes per path and ratio, of $tmp/NAME.elf
figures() {
    build/host/weft capture "$tmp/$1.elf" -o "$tmp/$1.weft" --icount 5 >"$tmp/log" 2>&1
    build/host/weft info "$tmp/$1.weft" | awk '$1 == "control" { printf "%.2f (%.1f)", $5, $6 }'
}

# instructions NAME: executed in core/loopnest per symbol
instructions() {
    local ranges push
    # The linker's map: a section's name, its address and size (on the next line if the name is long), its file.
    ranges=$(awk '/^ \.text/ { name = $1; if (NF == 1) { getline; $0 = name " " $0 } }
                  /loopnest\.o\)?$/ && $1 ~ /^\.text/ && $3 != "0x0" { print $2, $3 }' "$tmp/$1.elf.map" |
        while read -r low size; do printf ',range=loops:%x:%x' $((low)) $((low + size)); done)
    push=$(arm-none-eabi-nm "$tmp/$1.elf" | awk '$3 == "weft_loopnest_push" { print $1 }')
    qemu-system-arm -M mps2-an385 -display none -monitor none -serial null -no-reboot -icount shift=5 -kernel "$tmp/$1.elf" \
        -semihosting-config "enable=on,target=native,arg=weft-trace=/dev/null" \
        -plugin "file=build/host/weft_qemu.so,mode=count,out=$tmp/count$ranges,function=push:$push" >"$tmp/log" 2>&1
    awk '$1 == "range" { sum += $3 } $1 == "calls" { symbols += $3 } END { printf "%.0f", sum / symbols }' "$tmp/count"
}

echo "| workload | paths | raw | grammar | loops, W = 32 | W = 128 | W = 512 | instructions per symbol, W = 32 | W = 128 | W = 512 |"
echo "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
for app in $apps; do
    coder_elf "$tmp/raw.elf" $app raw || continue
    coder_elf "$tmp/grammar.elf" $app grammar
    row="$(figures raw) | $(figures grammar)"
    paths=$(build/host/weft info "$tmp/raw.weft" | awk '$1 == "paths" { print $2 }')
    counts=""
    for w in 32 128 512; do
        coder_elf "$tmp/loops$w.elf" $app loops -DWEFT_AUTO_LOOPS_WINDOW=$w
        row="$row | $(figures loops$w)"
        counts="$counts | $(instructions loops$w)"
    done
    echo "| $app | $paths | $row$counts |"
done
