#!/bin/bash
# SPDX-License-Identifier: MIT
# A recording is decoded with the image that it comes from, or refused; where nothing can be compared, that is said.
# Recordings that stand one after the other are told apart.
. tests/lib/check.sh
weft=build/host/weft
cp tests/workloads/adding/adding.c "$tmp/first.c"
sed 's/i % 3/i % 5/; s/table\[i - 1\] + i/table[i - 1] ^ i/' "$tmp/first.c" >"$tmp/second.c"
image() { # NAME
    elf=$(make -s build-firmware APP="$tmp/$1.c" SINK=uart PROBES=mem OPT=-O1 APP_STARTS=yes | tail -n 1)
    cp "$elf" "$tmp/$1.elf"
    $weft capture "$tmp/$1.elf" -o "$tmp/$1.weft" >"$tmp/$1.log" 2>&1
    verdict "the $1 image is recorded" $? -eq 0
    arm-none-eabi-objcopy --remove-section .note.gnu.build-id "$tmp/$1.elf" "$tmp/$1.named.elf"
    arm-none-eabi-objcopy --remove-section weft_id "$tmp/$1.named.elf" "$tmp/$1.bare.elf"
}
refused() { # NAME FILE ELF
    $weft dump "$2" --elf "$3" >"$tmp/out" 2>"$tmp/err"
    verdict "$1: refused" "$? $(wc -c <"$tmp/out")" = "1 0"
    grep -q 'not the image that was traced' "$tmp/err"
    verdict "$1: the message says why" $? -eq 0
}
taken() { # NAME FILE ELF UNCHECKED
    $weft dump "$2" --elf "$3" >"$tmp/out" 2>"$tmp/err"
    verdict "$1: decoded" "$?" -eq 0
    verdict "$1: identity unchecked is said $4 times" "$(grep -c 'identity unchecked' "$tmp/err")" -eq "$4"
}
image first
image second
taken "its image" "$tmp/first.weft" "$tmp/first.elf" 0
taken "its image without build id" "$tmp/first.weft" "$tmp/first.named.elf" 0
taken "its image without identity" "$tmp/first.weft" "$tmp/first.bare.elf" 1
refused "another image" "$tmp/second.weft" "$tmp/first.elf"
refused "another image without build id" "$tmp/second.weft" "$tmp/first.named.elf"
cat "$tmp/first.weft" "$tmp/second.weft" >"$tmp/both.weft"
refused "two recordings, the first of another image" "$tmp/both.weft" "$tmp/second.elf"
refused "two recordings, the second of another image" "$tmp/both.weft" "$tmp/first.elf"
python3 - "$tmp/second.weft" "$tmp/lost.weft" <<'PY'
import sys
frames = open(sys.argv[1], 'rb').read()[6:].split(b'\0')
open(sys.argv[2], 'wb').write(b'\0'.join(frames[1:])) # without META
PY
refused "another image, META lost" "$tmp/lost.weft" "$tmp/first.elf"

tail -c +7 "$tmp/first.weft" >"$tmp/headless"
cat "$tmp/first.weft" "$tmp/headless" >"$tmp/twice.weft"
taken "the same run twice without a head between" "$tmp/twice.weft" "$tmp/first.elf" 0
recordings=$($weft info --json "$tmp/twice.weft" | grep -o '"recordings":[0-9]*')
verdict "the same run twice is two recordings" "$recordings" = '"recordings":2'
once=$($weft dump "$tmp/first.weft" --elf "$tmp/first.elf" | grep -c ' path ')
twice=$($weft dump "$tmp/twice.weft" --elf "$tmp/first.elf" | grep -c ' path ')
verdict "and has twice the events" "$once" -gt 0 -a "$twice" -eq $((2 * once))
list=$($weft info --json "$tmp/both.weft" | grep -oE '"identity":"[0-9a-f]{8}"' | sort -u | wc -l)
verdict "weft info lists the recordings of two images with their identities" "$list" -eq 2
