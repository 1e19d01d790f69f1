#!/bin/bash
# SPDX-License-Identifier: MIT
# The black box: what is read out of memory after a fault is what the emulator saw, back from the instruction that
# broke. `make test` has each fault, each form and each board once at -O2; `make test-long` all of them together.
. tests/lib/check.sh
. tests/lib/memory_dump.sh
weft=build/host/weft
source=tests/target/programs/blackbox.c

line_of() { # WAY: the line that breaks
    grep -n "/\* $1 \*/" $source | cut -d: -f1
}

# The dump is the emulator's view, and names the fault and its line. BOARD FORM OPT WAY ROUNDS LEAST NAME-PATTERN
breaks() {
    local board=$1 form=$2 opt=$3 way=$4 rounds=$5 least=$6 pattern=$7 elf good=1
    elf=$(make -s build-firmware BOARD=$board APP=$source PROBES=last BOX=$form OPT=$opt ORACLE=1 BOX_SIZE=512 2>"$tmp/make" |
        tail -n 1)
    $weft capture "$elf" -o "$tmp/box.weft" --argument "blackbox $way $rounds" --watch "$tmp/watch" >"$tmp/log" 2>&1
    $weft dump "$tmp/box.weft" --elf "$elf" --json --last 0 >"$tmp/dump" 2>>"$tmp/log"
    python3 tests/target/blackbox_check.py "$tmp/dump" "$tmp/watch" "$least" >>"$tmp/log" 2>&1 || good=0
    $weft dump "$tmp/box.weft" --elf "$elf" >"$tmp/text" 2>>"$tmp/log"
    head -n 1 "$tmp/text" | grep -q "fault $pattern" || good=0
    [ $way = overflow ] || head -n 1 "$tmp/text" | grep -q "blackbox.c:$(line_of $way)\$" || good=0
    # The way is known where debug information says where the path register is.
    [ $opt = -O0 ] || [ $way = overflow ] || [ "$(grep -c '^[0-9]* open ' "$tmp/text")" = 1 ] || good=0
    [ $good = 1 ] || { sed 's/^/# /' "$tmp/log" | tail -n 5; head -n 4 "$tmp/text" | cut -c 1-200 | sed 's/^/# /'; }
    verdict "$board $form $opt: $way after $rounds rounds is read back from the fault" $good = 1
}

for opt in ${WEFT_LONG:+-O0 -Os} -O2; do
    breaks mps2-an385 plain $opt bus 1 80 'HardFault: bus fault at an access at 0xf0000000'
    breaks mps2-an385 plain $opt divide 20 255 'HardFault: division by zero'
    # The emulator's M0 has no bus fault, and no status registers.
    breaks microbit plain $opt undefined 20 255 HardFault
    breaks mps2-an385 packed $opt divide 40 500 'HardFault: division by zero'
done
breaks mps2-an385 packed -O2 trap 3 80 'HardFault: undefined instruction'
breaks mps2-an385 plain -O2 overflow 1 255 HardFault
if in_long; then
    breaks mps2-an385 plain -O2 undefined 3 80 'HardFault: undefined instruction'
    for opt in -O0 -O2 -Os; do breaks mps2-an385 plain $opt trap 3 80 'HardFault: undefined instruction'; done
    breaks microbit plain -Os trap 3 80 HardFault
    breaks mps2-an385 packed -Os overflow 1 500 HardFault
    breaks microbit packed -O2 undefined 40 500 HardFault
fi

elf=$(make -s build-firmware APP=$source PROBES=last BOX=packed OPT=-O2 BOX_SIZE=512 2>"$tmp/make" | tail -n 1)
memory_dump weft_target_done blackbox divide 20
verdict "a memory dump gives the same" \
    "$(head -n 1 "$tmp/text" | grep -c "division by zero.*blackbox.c:$(line_of divide)")" = 1
# A decoder that was written from core/FORMAT.md alone gives the same paths.
$weft dump --json --last 0 "$tmp/ram.weft" 2>/dev/null | sed -nE 's/.*"event":"path".*"path":([0-9]+).*/\1/p' >"$tmp/paths"
python3 tests/golden/box_format.py "$tmp/ram" | grep -E '^[0-9]+$' | cmp - "$tmp/paths"
verdict "core/FORMAT.md is enough to decode a compressed box" "${PIPESTATUS[*]}" = "0 0 0" -a -s "$tmp/paths"
# A bit of the memory changes between the fault and the dump.
python3 - "$tmp" "$(arm-none-eabi-nm "$elf" | sed -n 's/ . weft_blackbox_ram$//p')" <<'END'
import sys
memory = bytearray(open(sys.argv[1] + '/ram', 'rb').read())
memory[int(sys.argv[2], 16) - 0x20000000 + 80 + 300] ^= 2
open(sys.argv[1] + '/changed', 'wb').write(memory)
END
$weft capture --from-memory "$tmp/changed" "$elf" -o "$tmp/changed.weft" >"$tmp/log" 2>&1
said="$? $(grep -c 'the memory of the black box has changed since it was held' "$tmp/log")"
$weft dump "$tmp/changed.weft" --elf "$elf" >"$tmp/text" 2>"$tmp/log"
said="$said $? $(grep -c 'the memory of the black box has changed' "$tmp/log")"
verdict "memory that changed after the fault is noticed, by each command" "$said" = "3 1 3 1"
verdict "weft info says whether memory is as it was" \
    "$(for file in ram changed; do $weft info --json "$tmp/$file.weft" 2>"$tmp/log" | grep -o '"blackbox_sum":"[a-z]*"'; done | xargs)" \
    = "blackbox_sum:right blackbox_sum:wrong"
other=$(make -s build-firmware APP=tests/target/programs/faults.c PROBES=last OPT=-O1 2>"$tmp/make" | tail -n 1)
expect "a dump of another image's box is refused" 1 '' $weft capture --from-memory "$tmp/ram" "$other" -o "$tmp/no.weft"
note='also holds a black box, at byte [0-9]*, which is not read'
cat "$tmp/ram" "$tmp/ram" >"$tmp/rams"
$weft capture --from-memory "$tmp/rams" "$elf" -o "$tmp/rams.weft" >"$tmp/log" 2>&1
verdict "of two boxes one is read, the other is named" \
    "$? $(cmp "$tmp/ram.weft" "$tmp/rams.weft" && grep -c "$note" "$tmp/log")" = "3 1" # older paths were overwritten
python3 - "$tmp" <<'END'
import struct, sys
frames = open(sys.argv[1] + '/ram.weft', 'rb').read()[6:]
head = b'WEFTRING' + struct.pack('<4I', 1, len(frames) + 1, 0, len(frames))
open(sys.argv[1] + '/rams', 'wb').write(open(sys.argv[1] + '/ram', 'rb').read() + head + frames + b'\0')
END
$weft capture --from-memory "$tmp/rams" "$elf" -o "$tmp/rams.weft" >"$tmp/log" 2>&1
verdict "of a ring and a box the ring is read, the box is named" \
    "$? $(grep -c "$note" "$tmp/log")" = "3 1"

# A box that all paths fit into: no gap, from the capture to each view.
small=$(make -s build-firmware APP=tests/fuzz/afl/program.c PROBES=last OPT=-O1 2>"$tmp/make" | tail -n 1)
$weft capture "$small" -o "$tmp/small.weft" >"$tmp/log" 2>&1
for view in "info" "dump --elf $small" "functions --elf $small"; do
    $weft $view "$tmp/small.weft" >"$tmp/text" 2>"$tmp/log"
    verdict "weft ${view%% *} of a box that holds all has no gap" "$? $(grep -cv 'instructions are estimated' "$tmp/log")" = "0 0"
done

# A reset without a fault: the box goes on, and what came before it is a recording of its own.
memory_dump weft_target_done blackbox undefined 1 reset
parts=$($weft info "$tmp/ram.weft" 2>/dev/null | grep -c ' identity ')
main=$($weft dump --elf "$elf" --forward "$tmp/ram.weft" 2>/dev/null | grep -c 'entry main')
verdict "a reset splits the recording, and the fault is of the newest part" \
    "$parts $main $(grep -c '^0 fault HardFault: undefined instruction' "$tmp/text")" = "2 2 1"
