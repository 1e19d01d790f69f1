#!/bin/bash
# SPDX-License-Identifier: MIT
# Source lines where functions were discarded (--gc-sections) and code lies at or near address 0, where the linker moves
# the line programs of what it discards. They must be those of the same program without these functions. (addr2line
# takes the discarded ones.)
. tests/lib/check.sh
weft=build/host/weft
check=build/host/tests/target/lines_check

# build NAME OWN TEXT FLAGS...: $tmp/NAME.elf. OWN: what lies alone at 0; TEXT: the region of the rest
build() {
    local name=$1 own=$2 text=$3
    shift 3
    sed "s/OWN/$own/; s/> TEXT/> $text/" tests/target/lines/lines.ld >"$tmp/$name.ld"
    arm-none-eabi-gcc -O1 -g -ffreestanding -nostdlib -mthumb -mcpu=cortex-m3 -ffunction-sections -Wl,--gc-sections \
        -Wl,-u,vectors -Wall -Wextra -Werror "$@" -T "$tmp/$name.ld" tests/target/lines/lines.c -o "$tmp/$name.elf"
}

for version in 5 4 2; do
    for layout in vectors_first: one_function:'*(.text.first)' all_code:'*(.text.first) *(.text*)'; do
        name=${layout%%:*} own=${layout#*:} text=FLASH
        [ -n "$own" ] || text=CODE
        build bare "$own" $text -gdwarf-$version
        build full "$own" $text -gdwarf-$version -DUNUSED
        $check "$tmp/bare.elf" >"$tmp/bare.lines"
        $check "$tmp/full.elf" >"$tmp/full.lines"
        verdict "discarded functions change no line (DWARF $version, $name, $(wc -l <"$tmp/full.lines") halfwords)" \
            "$(diff "$tmp/bare.lines" "$tmp/full.lines" >"$tmp/diff" && grep -c 'lines.c:[1-9]' "$tmp/full.lines")0" -gt 300
        head -n 6 "$tmp/diff" | sed 's/^/# /'
    done
done

build app '' CODE -DUNUSED
$weft capture --full --board mps2-an385 "$tmp/app.elf" -o "$tmp/full.weft" >/dev/null
$weft wet build "$tmp/full.weft" --elf "$tmp/app.elf" -o "$tmp/x.wet" >/dev/null
expect "weft wet why names the line of a call" 0 '.*called from reset (lines.c:116).*' $weft wet why "$tmp/x.wet" --at sum
expect "weft wet values finds a line" 0 '{"n":1,.*"file":"tests/target/lines/lines.c","line":22.*' $weft wet values "$tmp/x.wet" --at lines.c:22
expect "but no line with more after its number" 1 '' $weft wet values "$tmp/x.wet" --at lines.c:22x
