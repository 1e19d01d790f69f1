#!/bin/bash
# SPDX-License-Identifier: MIT
# Every sink of the Cortex-M port carries the same trace; a ring that is too small and a UART that is too slow lose
# events, and every one of them is counted: what was decoded and what was lost add up to the truth.
set -u
weft=build/host/weft
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

verdict() { # NAME STATUS
    [ "$2" -eq 0 ] && echo "ok $1" || echo "not ok $1"
}
build() { # NAME=VALUE...
    make -s build-firmware APP=kernels OPT=-O2 PROBES=mem DERIVE=none "$@" | tail -n 1
}
number() { # FILE KEY
    grep -oE "\"$2\":[0-9]+" "$1" | head -n 1 | cut -d : -f 2
}
# Events without addresses: those of globals differ from image to image.
dump() { # TRACE ELF
    $weft dump "$1" --elf "$2" 2>/dev/null | awk '$2 == "load" || $2 == "store" { $3 = "" } $2 ~ /^(path|load|store)$/'
}

elf=$(build SINK=semihost)
$weft capture "$elf" -o "$out/all.weft" --json >"$out/all.json" 2>"$out/all.log"
verdict "semihost: the trace is captured" $?
dump "$out/all.weft" "$elf" >"$out/all.txt"
total=$(number "$out/all.json" events)
[ "$total" -gt 10000 ] && [ "$(number "$out/all.json" lost)" -eq 0 ] && [ "$(wc -l <"$out/all.txt")" -eq "$total" ]
verdict "semihost: every event is decoded ($total events)" $?

for sink in "uart direct" "ring direct" "semihost ring"; do
    set -- $sink
    elf=$(build SINK="$1" DELIVERY="$2" AUTO_CFLAGS=-DWEFT_AUTO_RING=1048576 VARIANT=large)
    $weft capture "$elf" -o "$out/this.weft" >"$out/this.log" 2>&1 && dump "$out/this.weft" "$elf" | cmp - "$out/all.txt"
    verdict "sink $1, delivery $2: carries the same trace" $?
done

lossy() { # NAME ELF
    local name=$1 elf=$2 lost decoded unresolved
    $weft capture "$elf" -o "$out/this.weft" --json >"$out/this.json" 2>"$out/this.log"
    [ $? -eq 3 ]
    verdict "$name: capture says with its exit status that events were lost" $?
    $weft info "$out/this.weft" --json >"$out/info.json" 2>>"$out/this.log"
    [ $? -eq 3 ]
    verdict "$name: so does info" $?
    lost=$(number "$out/info.json" lost)
    dump "$out/this.weft" "$elf" >"$out/this.txt"
    # Accesses before a gap are decoded even if their path was lost, but without their sites.
    unresolved=$($weft dump "$out/this.weft" --elf "$elf" 2>/dev/null | awk '$2 == "unresolved" { n += $6 } END { print n + 0 }')
    decoded=$(($(wc -l <"$out/this.txt") + unresolved))
    echo "# $decoded decoded ($unresolved without a site), $lost lost, $total recorded"
    [ "$lost" -gt 0 ] && [ "$decoded" -gt 0 ] && [ $((lost + decoded)) -eq "$total" ]
    verdict "$name: decoded and lost events add up to the truth" $?
}
lossy "ring too small" "$(build SINK=ring AUTO_CFLAGS=-DWEFT_AUTO_RING=8192 VARIANT=small)"
tail -n "$(wc -l <"$out/this.txt")" "$out/all.txt" | cmp - "$out/this.txt"
verdict "ring too small: what is left is the end of the trace" $?
lossy "UART too slow" "$(build SINK=uartfifo AUTO_CFLAGS='-DWEFT_AUTO_FIFO=4096 -DWEFT_AUTO_BAUD=115200' VARIANT=slow)"
# Line for line in the whole trace, in its order.
awk 'NR == FNR { want[++n] = $0; next } at < n && $0 == want[at + 1] { at++ } END { exit at < n || n == 0 }' \
    "$out/this.txt" "$out/all.txt"
verdict "UART too slow: what is left is the trace with parts missing" $?

# A debugger's dump of the RAM, laid out as port/cortex-m/sinks.h says, among other bytes, wherever the ring's end was.
frames=$(($(stat -c %s "$out/this.weft") - 6))
tail -c $frames "$out/this.weft" >"$out/frames"
word() {
    printf '%b' "$(printf '\\x%02x\\x%02x\\x%02x\\x%02x' $(($1 & 255)) $(($1 >> 8 & 255)) $(($1 >> 16 & 255)) $(($1 >> 24)))"
}
memory() { # START: where the oldest frame begins in a ring that has 1000 bytes to spare
    local size=$((frames + 1000)) first=$(($1 + frames))
    [ $first -le $size ] || first=$size
    first=$((first - $1))
    head -c 5000 build/host/weft
    printf 'WEFTRING not a ring WEFTRING'
    word 1
    word $size
    word "$1"
    word $((($1 + frames) % size))
    { tail -c $((frames - first)) "$out/frames"; head -c $(($1 - (frames - first))) /dev/zero; head -c $first "$out/frames"; head -c $size /dev/zero; } | head -c $size
    head -c 3000 build/host/weft
}
wrong=0
for start in 0 999 1000 5000 $((frames / 2)) $((frames + 999)); do
    # Where the frames do not reach the ring's end, old bytes follow them.
    memory "$start" >"$out/ram.bin"
    $weft capture --from-memory "$out/ram.bin" -o "$out/ram.weft" >"$out/ram.log" 2>&1
    [ $? -eq 3 ] && cmp "$out/ram.weft" "$out/this.weft" || wrong=$((wrong + 1))
done
verdict "memory dump: the ring's frames come out, oldest first, wherever they begin" $wrong
# The image is compared, and a second ring is not ignored in silence.
$weft capture --from-memory "$out/ram.bin" "$elf" -o "$out/own.weft" >"$out/ram.log" 2>&1
[ $? -eq 3 ] && cmp "$out/own.weft" "$out/this.weft" && ! grep -q "also holds" "$out/ram.log"
verdict "memory dump with its image: the same" $?
other=$(build APP=adding SINK=ring)
$weft capture --from-memory "$out/ram.bin" "$other" -o "$out/other.weft" >"$out/ram.log" 2>&1
[ $? -eq 1 ] && grep -q "the RAM ring is of another image (identity" "$out/ram.log" && [ ! -e "$out/other.weft" ]
verdict "memory dump with another image: refused" $?
cat "$out/ram.bin" "$out/ram.bin" >"$out/rings.bin"
$weft capture --from-memory "$out/rings.bin" -o "$out/rings.weft" >"$out/ram.log" 2>&1
[ $? -eq 3 ] && cmp "$out/rings.weft" "$out/this.weft" &&
    grep -q "also holds a RAM ring, at byte $(($(stat -c %s "$out/ram.bin") + 5020)), which is not read" "$out/ram.log"
verdict "memory dump of two rings: one comes out, the other is named" $?
size=$(stat -c %s "$out/ram.bin")
head -c $((size - 3000 - frames / 2)) "$out/ram.bin" >"$out/cut.bin"
$weft capture --from-memory "$out/cut.bin" -o "$out/cut.weft" >"$out/ram.log" 2>&1
[ $? -eq 3 ] && grep -q "ends .* bytes before the ring does" "$out/ram.log" && $weft dump "$out/cut.weft" --elf "$elf" >"$out/cut.txt" 2>/dev/null
[ $? -eq 3 ] && [ -s "$out/cut.txt" ]
verdict "memory dump that was cut: what is there comes out, what is not is named" $?
$weft capture --from-memory build/host/weft_gcc.so -o "$out/none.weft" >"$out/ram.log" 2>&1
[ $? -eq 1 ] && grep -q "no RAM ring .* no black box and no fault record" "$out/ram.log" && [ ! -e "$out/none.weft" ]
verdict "memory without a ring: a clear error" $?
