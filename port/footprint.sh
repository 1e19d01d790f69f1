#!/bin/bash
# SPDX-License-Identifier: MIT
# footprint.sh APP.elf PLAIN.elf: flash and RAM that Weft takes in a traced firmware, from its link map (app.map in the
# ELF's folder).
# The engine is what was linked of core, the probes and the sink, and the recorder's buffers. Start-up, console and C
# library belong to the program in any case. PLAIN.elf is the same program without probes: what else differs is the
# probes' calls.
set -eu
map=$(dirname "$1")/app.map

# Lines "SECTION ADDRESS SIZE FILE". In the map, a long section name is on a line of its own.
contributions() {
    awk '/^Linker script and memory map/ { on = 1 }
         !on { next }
         NF == 1 && /^ \./ { name = $1; next }
         NF == 3 && name != "" && $1 ~ /^0x/ { print name, $1, $2, $3; name = ""; next }
         NF == 4 && /^ \.[a-z]/ { print $1, $2, $3, $4 }
         { name = "" }' "$map"
}
engine='(libweft\.a\((base|bytes[a-z_]*|frame[a-z_]*|recorder[a-z_]*|ksf|sequitur[a-z_]*|loopnest|tre[a-z_]*|bfcm[a-z_]*|context|critical|event_ring|ram_ring|semihost_sink|uart_sink|weft_target|systick_clock|[a-z0-9]*_uart|[a-z0-9]*_usart)\.o\)|/autostart\.o|libprobes_[a-z]*\.a\(probes_[a-z]*\.o\))$'
sum() { # SECTIONS
    contributions | awk -v section="^($1)" -v engine="$engine" '$4 ~ engine && $1 ~ section { print $3 }' |
        { total=0; while read -r size; do total=$((total + size)); done; echo $total; }
}
text() {
    arm-none-eabi-size -A -d "$1" | awk '/^\.(text|data|ARM)/ { sum += $2 } END { print sum }'
}
flash=$(sum '\.text|\.rodata|\.data')
ram=$(sum '\.data|\.bss|\.noinit|COMMON')
calls=$(($(text "$1") - $(text "$2") - flash))
echo "flash $flash"
echo "probes $calls"
echo "ram $ram"
