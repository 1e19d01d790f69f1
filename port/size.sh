#!/bin/bash
# SPDX-License-Identifier: MIT
# Prints flash and static RAM of each module of core and port, and the sizes of the objects that the caller declares.
# `make size` has built everything before it calls this.
set -eu
boards=(microbit mps2-an385 mps2-an505)

bytes() { # OBJECT SECTIONS: their sum
    arm-none-eabi-size -A -d "$1" | awk -v want="^($2)" '$1 ~ want { sum += $2 } END { print sum + 0 }'
}
row() { # FORMAT NAME FILE
    printf '  %-34s' "$2"
    for board in "${boards[@]}"; do
        printf '%8d' "$(bytes "build/fw/$board/obj/$3.o" '\.text|\.rodata|\.data|\.ARM\.ex|\.vectors')"
    done
    printf '%10d\n' "$(bytes "build/fw/mps2-an385/obj/$3.o" '\.data|\.bss|\.noinit')"
}

echo "Flash in bytes by module (-O2), and static RAM; only what is used is linked"
printf '  %-34s%8s%8s%8s%10s\n' '' M0 M3 M33 'RAM (M3)'
for file in core/*.c port/cortex-m/*.c port/cortex-m/program/*.c; do
    name=${file%.c}
    [ -e "build/fw/mps2-an385/obj/$name.o" ] || continue
    case $name in */check_target) continue ;; esac
    row '' "$name" "$name"
done

echo
echo "RAM in bytes by object (M3), declared by the caller; buffers and pools that its configuration names come on top"
{
    for header in core/*.h port/cortex-m/sinks.h port/cortex-m/event_ring.h; do
        echo "#include \"$header\""
    done
    sed -nE 's/^\} (weft_[a-z0-9_]+);$/\1/p' core/*.h port/cortex-m/sinks.h port/cortex-m/event_ring.h | sort -u |
        grep -vE '_(config|status|id|tag|kind|key)$' | while read -r type; do
        echo "extern const char size_of_$type[sizeof($type)]; const char size_of_$type[sizeof($type)] = {0};"
    done
} | arm-none-eabi-gcc -std=gnu11 -mcpu=cortex-m3 -mthumb -I. -x c -c - -o build/fw/sizes.o
arm-none-eabi-nm -S --size-sort build/fw/sizes.o | sed -nE 's/^[0-9a-f]+ ([0-9a-f]+) . size_of_(.*)/\1 \2/p' |
    while read -r size type; do
        printf '  %-34s%8d\n' "$type" $((16#$size))
    done
