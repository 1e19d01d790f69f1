#!/bin/bash
# SPDX-License-Identifier: MIT
# What an access costs in the address engine (all of core/tre) on a Cortex-M3, by kind of stream, as a table in
# Markdown. The emulator plugin counts the executed instructions exactly.
#     tests/bench/engine.sh
. tests/lib/check.sh
streams=("one loop" "rows of 16" "rows of 4" "rows of 2" "a triangle, rows of 128 to 2" "planes of 16 rows of 16" "planes of 3 rows of 3"
    "6 loops of 4" "loops of 64 that follow each other at random" "noise")

echo "| stream | accesses | instructions per access |"
echo "|---|--:|--:|"
for i in "${!streams[@]}"; do
    elf=$(make -s build-firmware APP=tests/bench/engine.c PROBES=none VARIANT=stream$i APP_CFLAGS=-DSTREAM=$i | tail -n 1)
    # The linker's map: a section's name, its address and size, its file.
    ranges=$(awk '/^ \.text/ { name = $1; if (NF == 1) { getline; $0 = name " " $0 } }
                  /\(tre\.o\)$/ && $1 ~ /^\.text/ && $3 != "0x0" { print $2, $3 }' "$(dirname "$elf")/app.map" |
        while read -r low size; do printf ',range=engine:%x:%x' $((low)) $((low + size)); done)
    move=$(arm-none-eabi-nm "$elf" | awk '$3 == "weft_tre_move" { print $1 }')
    qemu-system-arm -M mps2-an385 -display none -monitor none -serial null -no-reboot -icount shift=5 -kernel "$elf" \
        -semihosting-config enable=on,target=native -plugin "file=build/host/weft_qemu.so,mode=count,out=$tmp/count$ranges,function=move:$move" >"$tmp/log" 2>&1
    awk -v name="${streams[i]}" '$1 == "range" { sum += $3 } $1 == "calls" { accesses = $3 }
        END { printf "| %s | %d | %.1f |\n", name, accesses, sum / accesses }' "$tmp/count"
done
