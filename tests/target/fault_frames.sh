#!/bin/bash
# SPDX-License-Identifier: MIT
# A fault while a recorder sends frames to a UART: the newest frame comes out of a memory dump, and weft dump prints
# back from the instruction that broke; with interrupts masked, and in the middle of the recorder's work, too. With
# `make test-long` also out of a ring, with the grammar's coder.
. tests/lib/check.sh
. tests/lib/memory_dump.sh
weft=build/host/weft
source=tests/target/programs/fault_frames.c
line=$(grep -n '/\* bus \*/' $source | cut -d: -f1)

# The paths of work(): of three in a row, one is that of a multiple of 3. LEAST: how many there are.
is_model() { # LEAST
    python3 - "$1" "$tmp/text" <<'END'
import sys
lines = (line.split() for line in open(sys.argv[2]))
work = [line[2] for line in lines if line[1] == "path" and line[3] == "work"]
pairs = [sorted(work[i:i + 3]) for i in range(len(work) - 2)]
print("model" if len(work) >= int(sys.argv[1]) and all(p == pairs[0] and p[0] != p[2] for p in pairs) else f"not: {len(work)}")
END
}

breaks() { # WAY ROUNDS LEAST WHERE MAKE...
    local way=$1 rounds=$2 least=$3 where=$4 result
    shift 4
    elf=$(make -s build-firmware APP=$source SINK=uart "$@" 2>"$tmp/make" | tail -n 1)
    memory_dump weft_fault_done fault_frames "$way" "$rounds"
    result=$(is_model "$least")
    [ "$result" = model ] || { echo "$result"; tail -n 4 "$tmp/make" "$tmp/log" "$tmp/gaps"; head -n 12 "$tmp/text"; } |
        cut -c 1-150 | sed 's/^/# /'
    verdict "$way after $rounds rounds: the newest frame is read back from $where: $*" "$result" = model -a \
        "$(head -n 1 "$tmp/text" | grep -c "bus fault at an access at 0xf0000000.* $where .*")" = 1
}

opened() { # the unfinished path up to the pc
    verdict "the open path ends at line $line" \
        "$(sed '/ path /q' "$tmp/text" | grep -c "open break_it .*ways 2 .*fault_frames.c:.*-$((line + 1))\$")" = 2
}

breaks bus 50 50 break_it PROBES=mem
opened
breaks masked 700 100 break_it PROBES=paths OPT=-Os
opened
! in_long || breaks bus 300 100 break_it PROBES=mem DELIVERY=ring CODER=grammar
breaks sink 51 500 breaks PROBES=mem

# Several paths in a register that no record has: the debug information says where it is, so none is missing.
passes_of() { awk '$2 == "path" && $4 == "break_in_pass" { $3 = ""; print }' "$tmp/text"; }
breaks bus 50 50 break_it PROBES=paths PACK=1
elf=$(make -s build-firmware APP=$source SINK=uart PROBES=paths EXACT=1 2>"$tmp/make" | tail -n 1)
memory_dump weft_fault_done fault_frames loop 50
passes_of >"$tmp/exact"
elf=$(make -s build-firmware APP=$source SINK=uart PROBES=paths PACK=1 2>"$tmp/make" | tail -n 1)
memory_dump weft_fault_done fault_frames loop 50
passes_of >"$tmp/packed"
verdict "the passes of the register are there: $(wc -l <"$tmp/packed")" \
    "$(cmp "$tmp/exact" "$tmp/packed" && wc -l <"$tmp/packed")" -ge 23 -a "$(grep -c unrecorded "$tmp/text")" = 0
verdict 'and the open one, up to the instruction' "$(grep -c 'open break_in_pass .*ways 1 ' "$tmp/text")" = 1
arm-none-eabi-objcopy -g "$elf" "$tmp/plain.elf"
$weft capture --from-memory "$tmp/ram" "$tmp/plain.elf" -o "$tmp/ram.weft" >"$tmp/log" 2>&1
$weft dump --elf "$tmp/plain.elf" --last 0 "$tmp/ram.weft" >"$tmp/text" 2>"$tmp/gaps"
verdict 'where nothing says where the register is, that is said' "$(grep -c 'unrecorded at_most 31$' "$tmp/text")" = 1
verdict 'and the ways that may have led there are listed' "$(grep -c 'open break_in_pass ' "$tmp/text")" -ge 1
