#!/bin/bash
# SPDX-License-Identifier: MIT
# `monitor weft find VALUE`, of a whole execution trace and of a recording of probes: numbers of each width, signed and
# unsigned, and floats. What the program stored, and how often, follows from its source.
. tests/lib/check.sh
weft=build/host/weft

record() { # NAME MAKE...: $tmp/NAME.elf
    local name=$1
    shift
    cp "$(make -s build-firmware APP=tests/target/programs/numbers.c "$@" 2>"$tmp/make" | tail -n 1)" "$tmp/$name.elf"
}
ask() { # RECORDING ELF VALUE...: a line for each value: the value=the objects of the program that got it, in order
    local recording=$1 elf=$2
    shift 2
    printf 'weft find %s\n' "$@" | timeout 60 $weft debug "$recording" --elf "$elf" 2>&1 | sed 's/^(gdb) //' >"$tmp/said"
    awk -v values="$*" '/^stored / { line[++n] = "" }
        match($0, /^0x[0-9a-f]* (bytes|halves|words|wide|single|real)\+[0-9]+/) { line[n] = line[n] "," $2 }
        END { split(values, value); for (i = 1; i <= n; i++) print value[i] "=" substr(line[i], 2) }' \
        <(sed -E 's/^[0-9]+\.[0-9]+ +(0x[0-9a-f]{8}) /\1 /' "$tmp/said")
}
values="$(tr '\n' ' ' <<'END'
-1=bytes+0,halves+2,words+8 255=bytes+0 511=halves+0 0xff=bytes+0 65535=halves+2 0xffff=halves+2 4294967295=words+8
-128=bytes+1 128=bytes+1 -129= 384= 77=bytes+2 333= 33333=halves+4 -32203=halves+4 -70000=words+0 4294897296=words+0
1234567=words+4 81985529216486895=wide+0 -5000000000=wide+8 6000000000=wide+16 18446744068709551616=wide+8 6000000001=
21.5=single+0 -0.25=single+0 1e9=single+0 0.1=single+0 -0.1=real+0 2.0=real+0,real+4 12345.678=real+0 6.5e20=real+0 12345.6=
END
)"
finds() { # NAME RECORDING ELF: each value where it was stored
    # shellcheck disable=SC2086
    ask "$2" "$3" $(printf '%s\n' $values | cut -d= -f1) >"$tmp/found"
    printf '%s\n' $values | diff - "$tmp/found" | grep '^[<>]' | sed 's/^/# /'
    verdict "$1" "$(xargs <"$tmp/found")" = "$(echo $values)"
}

record whole BOARD=mps2-an385 PROBES=none OPT=-O1
$weft capture --full --icount 0 "$tmp/whole.elf" -o "$tmp/full" >/dev/null 2>&1 &&
    $weft wet build "$tmp/full" --elf "$tmp/whole.elf" -o "$tmp/whole.wet" >/dev/null
finds find_in_a_whole_trace_goes_by_the_width_of_the_store "$tmp/whole.wet" "$tmp/whole.elf"
for board in microbit ${WEFT_LONG:+mps2-an500}; do
    record $board BOARD=$board PROBES=none OPT=-O1
    $weft capture --full --icount 0 "$tmp/$board.elf" -o "$tmp/full" >/dev/null 2>&1 &&
        $weft wet build "$tmp/full" --elf "$tmp/$board.elf" -o "$tmp/$board.wet" >/dev/null
    finds find_in_a_whole_trace_of_${board//-/_} "$tmp/$board.wet" "$tmp/$board.elf"
done

record probes BOARD=mps2-an385 PROBES=values OPT=-O1
$weft capture --icount 0 "$tmp/probes.elf" -o "$tmp/probes.weft" >/dev/null 2>&1
finds find_in_a_recording_of_probes_goes_by_the_width_of_the_store "$tmp/probes.weft" "$tmp/probes.elf"

for recording in whole.wet probes.weft; do
    ask "$tmp/$recording" "$tmp/${recording%.*}.elf" x 1x 0x 1.5.5 18446744073709551616 -9223372036854775809 1e999 \
        0x1ffffffffffffffff >"$tmp/found"
    verdict find_in_${recording#*.}_refuses_what_is_no_number "$(cat "$tmp/found")$(grep -c '^find takes' "$tmp/said")" = 8
done
