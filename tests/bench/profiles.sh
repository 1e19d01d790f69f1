#!/bin/bash
# SPDX-License-Identifier: MIT
# What the path profile and the grammar cost on the target: instructions per event of the k-slab forest with its probe,
# instructions per symbol of SEQUITUR (the writing of segments apart), and flash and RAM. The emulator counts.
#     [KSF=2] tests/bench/profiles.sh [APP...]
set -eu
board=mps2-an385
apps=${*:-$(cd tests/workloads && ls -d */ | tr -d / | grep -vx adding)}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/weft-test.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

# Plugin arguments for the code of core modules, as it lies in the image: the linker's map has a section's name, its
# address and size (on the next line if the name is long), its file.
ranges() { # ELF MODULES NAME
    awk -v modules="$2" '/^ \.text/ { name = $1; if (NF == 1) { getline; $0 = name " " $0 } }
        $1 ~ /^\.text/ && $3 != "0x0" && $4 ~ "\\((" modules ")\\.o\\)$" { print $2, $3 }' "$(dirname "$1")/app.map" |
        while read -r start size; do printf ',range=%s:%s:0x%x' "$3" "$start" $((start + size)); done
}

# Plugin arguments for the instructions of the forest's probe that are not the forest's own: its registers are saved, it
# masks interrupts, looks whether the gate is open still, or whether an exclusive store failed, or calls the rest.
apart() { # ELF
    arm-none-eabi-objdump -d --no-show-raw-insn --disassemble=__weft_kpath "$1" | awk '
        $1 ~ /^[0-9a-f]+:$/ {
            gate = $2 ~ /^ldr(\.w)?$/ && /\[ip(, #0)?\]/
            if (left || gate || $2 ~ /^(push|pop|stmdb|ldmia|mrs|msr|cps)/ || /weft_kpath_other>/ ||
                ($2 == "cbnz" && before ~ /^strex/))
                printf ",function=apart:0x%s", substr($1, 1, length($1) - 1)
            left = gate ? 2 : left ? left - 1 : 0
            before = $2
        }'
}

# Instructions of each named range per call of a function, and of those apart.
count() { # ELF FUNCTION RANGES
    local address
    address=$(arm-none-eabi-nm "$1" | awk -v f="$2" '$3 == f { print $1 }')
    timeout 300 qemu-system-arm -M $board -semihosting-config "enable=on,target=native,arg=x,arg=weft-trace=$tmp/t.weft" -nographic \
        -monitor none -serial null -kernel "$1" -icount 5 \
        -plugin "file=build/host/weft_qemu.so,mode=count,out=$tmp/count,function=calls:0x$(printf %x $((16#$address & ~1)))$3" \
        >/dev/null 2>&1 || true
    awk '$1 == "range" { sum[$2] += $3 } $1 == "calls" && $2 == "calls" { calls = $3 }
         $1 == "calls" && $2 == "apart" { sum["apart"] += $3 }
         END { printf "%d", calls; for (i = 1; i <= split("fast slow write apart", n, " "); i++) printf " %.1f", calls ? sum[n[i]] / calls : 0 }' "$tmp/count"
}

k=${KSF:-4}
echo "| workload | paths | k-SF, k = $k: the probe | other work | of both, the forest's own | SEQUITUR | segments | both |"
echo "|---|--:|--:|--:|--:|--:|--:|--:|"
for app in $apps; do
    elf=$(make -s build-firmware BOARD=$board "APP=$app" PROBES=paths KSF="$k" KSF_ONLY=1 | tail -n 1)
    # The probe takes most paths; what else a path takes is the other work: the forest's own, and that of the port.
    r=$(ranges "$elf" "ksf_push|ksf_write" write)$(ranges "$elf" "recorder_ksf|probes_kpath" slow)
    push=$(arm-none-eabi-nm -S "$elf" | awk '$4 == "__weft_kpath" { print $1, $2 }')
    read -r start size <<<"$push"
    fast=$(printf ',range=fast:0x%x:0x%x' $((16#$start & ~1)) $(((16#$start & ~1) + 16#$size)))
    read -r paths probe port forest apart <<<"$(count "$elf" __weft_kpath "$fast$r$(apart "$elf")")"
    other=$(echo "$port $forest" | awk '{ print $1 + $2 }')
    own=$(echo "$probe $forest $apart" | awk '{ print $1 + $2 - $3 }')
    elf=$(make -s build-firmware BOARD=$board "APP=$app" PROBES=paths CODER=grammar | tail -n 1)
    read -r _ seq _ segment _ <<<"$(count "$elf" weft_seq_push "$(ranges "$elf" "sequitur_push|sequitur_pools|recorder_grammar" fast)$(ranges "$elf" sequitur_segment write)")"
    echo "| $app | $paths | $probe | $other | $own | $seq | $segment | $(echo "$seq $segment" | awk '{ print $1 + $2 }') |"
done | tee "$tmp/rows"
awk -F'|' '{ for (i = 4; i <= 9; i++) sum[i] += $i }
    END { printf "| mean | |"; for (i = 4; i <= 9; i++) printf " %.1f |", sum[i] / NR; print "" }' "$tmp/rows"
echo
echo "Flash in bytes: $(for m in ksf_push ksf_write sequitur_push sequitur_pools sequitur_segment; do
    arm-none-eabi-size build/fw/$board/obj/core/$m.o | awk -v m=$m 'NR == 2 { printf "%s %d; ", m, $1 }'
done)"
echo "RAM in bytes: k-SF 16 per node, 2 per bucket of roots; SEQUITUR 8 per symbol, 2 per bucket of digrams, 4 per terminal, 2 per slot"
