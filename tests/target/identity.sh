#!/bin/bash
# SPDX-License-Identifier: MIT
# A recording is decoded with the image that it comes from, or refused; where nothing can be compared, Weft says so.
# Recordings that follow one another in a file are kept separate.
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
    arm-none-eabi-objcopy --remove-section 'weft_id_*' "$tmp/$1.named.elf" "$tmp/$1.bare.elf"
}
refused() { # NAME FILE ELF
    $weft dump "$2" --elf "$3" >"$tmp/out" 2>"$tmp/err"
    verdict "$1: refused" "$? $(wc -c <"$tmp/out")" = "1 0"
    grep -q -e 'not the image that was traced' -e 'its recordings are of different images' "$tmp/err"
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

# No command adds up what two images recorded, nor leaves one of them out without a message. Alone, each is read.
single() { # NAME FILE: no command reads it as one recording
    local command
    for command in dump hot "paths -k 1" loops "grammar" "functions --elf $tmp/first.elf" "model --elf $tmp/first.elf"; do
        $weft $command "$2" >"$tmp/out" 2>"$tmp/err"
        verdict "$1: weft ${command%% *} refuses it and says how" \
            "$? $(wc -c <"$tmp/out") $(grep -c -e '--recording N picks' "$tmp/err")" = "1 0 1"
    done
}
single "two images" "$tmp/both.weft"
$weft paths -k 1 "$tmp/first.weft" "$tmp/second.weft" >"$tmp/out" 2>"$tmp/err"
verdict "two files of two images are not added up" "$? $(wc -c <"$tmp/out")" = "1 0"
$weft paths -k 1 "$tmp/first.weft" "$tmp/first.weft" >/dev/null
verdict "two of one image are" $? -eq 0
WEFT_QEMU_PLUGIN=build/host/weft_qemu.so $weft capture --full tests/golden/wet/small.elf -o "$tmp/full.weft" >/dev/null 2>&1
cat "$tmp/first.weft" "$tmp/full.weft" >"$tmp/mixed.weft"
single "a full recording after one with probes" "$tmp/mixed.weft"
$weft merge "$tmp/full.weft" --elf "$tmp/first.elf" -o "$tmp/merged" >"$tmp/out" 2>"$tmp/err"
verdict "a full recording has no paths of descriptors to merge, which weft says" \
    "$? $(wc -c <"$tmp/out") $(grep -c 'a full recording, of instructions' "$tmp/err")" = "1 0 1"
$weft paths --from profile "$tmp/full.weft" --elf tests/golden/wet/small.elf >"$tmp/out" 2>"$tmp/err"
verdict "nor a profile" "$? $(wc -c <"$tmp/out")" = "2 0"
# Two links of one object with the build id that the user chose: only the constants beside the code tell them apart.
printf '%s\n' 'extern unsigned top; unsigned many[4], sum; void reset(void);' \
    '__attribute__((section(".first"), used)) void *const vectors[] = {&top, (void *)reset};' \
    'void reset(void) {' 'for (unsigned i = 0; i < 4; i++) sum += many[i] += i;' \
    '__asm volatile("movs r0, #0x18\n\tldr r1, =0x20026\n\tbkpt 0xab" ::: "r0", "r1");' 'for (;;) ; }' \
    >"$tmp/linked.c"
for origin in 0x20000000 0x20001000; do
    printf '%s\n' "MEMORY { F (rx) : ORIGIN = 0, LENGTH = 64K" "R (rwx) : ORIGIN = $origin, LENGTH = 64K }" \
        'top = 0x20010000; SECTIONS { .text : { KEEP(*(.first)) *(.text*) *(.rodata*) } >F' \
        '.note.gnu.build-id : { *(.note.gnu.build-id) } >F' '.bss : { *(.bss*) } >R }' >"$tmp/link.ld"
    arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -O1 -g -nostdlib -ffreestanding -T "$tmp/link.ld" \
        -Wl,--build-id=0x1234 "$tmp/linked.c" -o "$tmp/linked$origin.elf"
done
WEFT_QEMU_PLUGIN=build/host/weft_qemu.so timeout 60 $weft capture --full --board mps2-an385 \
    "$tmp/linked0x20000000.elf" -o "$tmp/linked.weft" >/dev/null 2>&1
for command in functions coverage stack io race model info "dump --events control" "wet build -o $tmp/linked.wet"; do
    # shellcheck disable=SC2086 # words
    $weft $command "$tmp/linked.weft" --elf "$tmp/linked0x20001000.elf" >"$tmp/out" 2>"$tmp/err"
    verdict "the same instructions with other addresses of data: weft ${command%% *} refuses the image" \
        "$? $(grep -c 'another constant' "$tmp/err")" = "1 1"
done
$weft functions "$tmp/linked.weft" --elf "$tmp/linked0x20000000.elf" >"$tmp/out" 2>&1
verdict "but takes its own" "$? $(grep -c 'another' "$tmp/out")" = "0 0"
# A variable beside the code, in a part that can be written, is not such a constant.
sed 's/for (unsigned i = 0.*/__asm volatile("movs r2, #9\\n1: ldr r0, 2f\\n adds r0, #1\\n adr r1, 2f\\n str r0, [r1]\\n subs r2, #1\\n"\
    "bne 1b\\n b 3f\\n .align 2\\n2: .word 0\\n3:" ::: "r0", "r1", "r2", "memory", "cc");/' "$tmp/linked.c" >"$tmp/beside.c"
arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -O1 -g -nostdlib -ffreestanding -T "$tmp/link.ld" -Wl,-N -Wl,--no-warn-rwx-segments \
    -Wl,--build-id=0x1234 "$tmp/beside.c" -o "$tmp/beside.elf"
WEFT_QEMU_PLUGIN=build/host/weft_qemu.so timeout 60 $weft capture --full --board mps2-an385 "$tmp/beside.elf" -o "$tmp/beside.weft" \
    >/dev/null 2>&1
for command in functions info "dump --events control"; do
    # shellcheck disable=SC2086 # words
    $weft $command "$tmp/beside.weft" --elf "$tmp/beside.elf" >"$tmp/out" 2>"$tmp/err"
    verdict "a variable beside the code may change: weft ${command%% *}" "$? $(grep -c another "$tmp/err")" = "0 0" -a -s "$tmp/out"
done
{ printf 'x' && tail -c +2 "$tmp/full.weft"; } >"$tmp/headless.weft"
expect "a full recording without its beginning is not a recording of paths" 1 '' \
    $weft functions --elf tests/golden/wet/small.elf "$tmp/headless.weft"
verdict "and is called what it is" "$(grep -c 'a full recording whose beginning' "$tmp/stderr")" = 1
ticks() { $weft info --json "$1" | sed 's/.*"ticks":\([0-9]*\).*/\1/'; }
verdict "the time of two recordings is that of the first and of the second" "$(ticks "$tmp/both.weft")" -eq \
    $(($(ticks "$tmp/first.weft") + $(ticks "$tmp/second.weft")))

# One recording of several.
for n in 1 2; do
    name=$([ $n = 1 ] && echo first || echo second)
    $weft dump --recording $n "$tmp/both.weft" --elf "$tmp/$name.elf" >"$tmp/out" 2>"$tmp/err"
    verdict "recording $n of two images is decoded with its own" $? -eq 0
    $weft dump "$tmp/$name.weft" --elf "$tmp/$name.elf" | cmp - "$tmp/out"
    verdict "recording $n has the events that it has alone" "${PIPESTATUS[*]}" = "0 0"
    events=$($weft info --json --recording $n "$tmp/both.weft" | grep -o '"events":[0-9]*' | head -n 1)
    verdict "weft info says what recording $n holds" "$events" = \
        "$($weft info --json "$tmp/$name.weft" | grep -o '"events":[0-9]*' | head -n 1)"
done
refused "the other recording of two images" "$tmp/both.weft" "$tmp/first.elf" # without --recording
$weft dump --recording 3 "$tmp/both.weft" >"$tmp/out" 2>"$tmp/err"
verdict "a recording that is not there is refused" "$? $(grep -c 'holds 2 recordings' "$tmp/err")" = "1 1"
$weft functions --recording 2 "$tmp/both.weft" --elf "$tmp/second.elf" >"$tmp/out" &&
    $weft functions "$tmp/second.weft" --elf "$tmp/second.elf" | cmp - "$tmp/out"
verdict "--recording holds for functions too" $? -eq 0
$weft dump --recording 2 "$tmp/both.weft" --elf "$tmp/first.elf" >"$tmp/out" 2>"$tmp/err"
verdict "what a chosen recording is refused for names it as it was chosen" \
    "$? $(grep -c 'differs from that of recording 2$' "$tmp/err")" = "1 1"

# The image beside the recording. Where NAME.elf is another image, it is as if it were not there.
$weft functions "$tmp/first.weft" | cmp - <($weft functions "$tmp/first.weft" --elf "$tmp/first.elf")
verdict "--elf may be left out where NAME.elf stands beside NAME.weft" "${PIPESTATUS[*]}" = "0 0"
$weft dump "$tmp/first.weft" | cmp - <($weft dump "$tmp/first.weft" --elf "$tmp/first.elf")
verdict "weft dump takes it too" "${PIPESTATUS[*]}" = "0 0"
for elf in "$tmp/second.elf" "$tmp/first.bare.elf" /dev/null; do
    mkdir -p "$tmp/other"
    cp "$tmp/first.weft" "$tmp/other/first.weft"
    cp "$elf" "$tmp/other/first.elf"
    $weft functions "$tmp/other/first.weft" >"$tmp/out" 2>&1
    verdict "not where its identity is another, or unknown: ${elf##*/}" $? -eq 2
done

# Nothing to compare: status 0, and every JSON object says so.
json="$weft %s $tmp/first.weft --elf $tmp/first.bare.elf --json"
for command in functions coverage stack irq io info "paths -k 2" "export --as folded -o $tmp/folded"; do
    # shellcheck disable=SC2086,SC2059
    $(printf "$json" "$command") >"$tmp/out" 2>"$tmp/err"
    verdict "weft $command --json says that the identity is unchecked" \
        "$? $(grep -c '"identity":"unchecked"' "$tmp/out")" = "0 1"
done
$weft dump "$tmp/first.weft" --elf "$tmp/first.bare.elf" --json 2>/dev/null | head -n 1 |
    grep -q '"identity":"unchecked"'
verdict "weft dump --json says it in its first line" $? -eq 0
$weft functions "$tmp/first.weft" --elf "$tmp/first.elf" --json 2>&1 | grep -q unchecked
verdict "where it is checked nothing is said" $? -eq 1

# Full recordings: each instruction is compared; and nothing after the end is ignored in silence.
$weft capture --full "$tmp/first.elf" -o "$tmp/full.weft" >/dev/null 2>&1
$weft info --elf "$tmp/first.elf" "$tmp/full.weft" >"$tmp/out" 2>"$tmp/err"
verdict "info compares a full recording with its image" "$? $(wc -c <"$tmp/err")" = "0 0"
$weft info --elf "$tmp/second.elf" "$tmp/full.weft" >"$tmp/out" 2>"$tmp/err"
verdict "and refuses another one" "$? $(wc -c <"$tmp/out") $(grep -c 'not the program' "$tmp/err")" = "1 0 1"
cat "$tmp/full.weft" "$tmp/full.weft" >"$tmp/fulls.weft"
$weft dump "$tmp/fulls.weft" >"$tmp/out" 2>"$tmp/err"
verdict "a second full recording is not passed over in silence" "$? $(grep -c 'recording N' "$tmp/err")" = "3 1"
for n in 1 2; do
    $weft dump --recording $n "$tmp/fulls.weft" | cmp - <($weft dump "$tmp/full.weft")
    verdict "full recording $n of two" "${PIPESTATUS[*]}" = "0 0"
done
$weft dump --recording 3 "$tmp/fulls.weft" >"$tmp/out" 2>"$tmp/err"
verdict "a full recording that is not there is refused" $? -eq 1
refused_full() { # ELF
    $weft stack "$tmp/full.weft" --elf "$1" >"$tmp/out" 2>"$tmp/err"
    verdict "a full recording with another image is refused" "$? $(grep -c 'not the program' "$tmp/err")" = "1 1"
}
refused_full "$tmp/second.elf"
late() { # NAME FACTOR: an image that differs only in what runs late
    printf '%s\n' '#include <stdio.h>' 'static volatile unsigned sum;' \
        "__attribute__((noinline)) static void end(unsigned x) { sum = x * $2; }" \
        'int main(void) { for (unsigned i = 0; i < 30000; i++) sum += i; end(sum); return 0; }' >"$tmp/$1.c"
    cp "$(make -s build-firmware APP="$tmp/$1.c" PROBES=none OPT=-O1 | tail -n 1)" "$tmp/$1.elf"
}
late one 3
late two 7
$weft capture --full "$tmp/one.elf" -o "$tmp/late.weft" >/dev/null 2>&1
for command in stack irq io; do
    $weft $command "$tmp/late.weft" --elf "$tmp/one.elf" >"$tmp/out" 2>"$tmp/err"
    verdict "weft $command reads a long full recording" $? -eq 0
    $weft $command "$tmp/late.weft" --elf "$tmp/two.elf" >"$tmp/out" 2>"$tmp/err"
    verdict "weft $command: an image that differs only late is not taken in silence" \
        "$? $(grep -c 'not the program' "$tmp/err")" = "3 1"
done
$weft wet build "$tmp/full.weft" --elf "$tmp/first.elf" -o "$tmp/first.wet" >/dev/null 2>&1
for query in values addresses slice why; do
    expect "weft wet $query with its image" 0 '.*' $weft wet $query "$tmp/first.wet" --elf "$tmp/first.elf" --at main
    expect "weft wet $query refuses another image" 1 '' $weft wet $query "$tmp/first.wet" --elf "$tmp/second.elf" --at main
done
expect "a trace holds one recording" 1 '' $weft wet control --recording 2 "$tmp/first.wet"
expect "and that is the first" 0 '.*' $weft wet control --recording 1 "$tmp/first.wet"
# Nor is --recording ignored where nothing can be chosen.
expect "a recording is chosen and merged" 0 '.*' $weft merge --jobs 2 --recording 2 "$tmp/twice.weft" \
    --elf "$tmp/first.elf" -o "$tmp/first.weft-profile"
for command in "fleet top" "fleet uncovered" info "paths -k 1" "merge -o $tmp/again" "report -o $tmp/page"; do
    expect "no recording of a merged profile is chosen: $command" 1 '' \
        $weft $command --recording 1 "$tmp/first.weft-profile"
done
seq 1 50 >"$tmp/stream"
for command in loops hot "paths -k 2" grammar model "squeeze -o $tmp/squeezed"; do
    expect "a raw stream has no second recording: $command" 1 '' $weft $command --recording 2 "$tmp/stream"
done
expect "a command that reads no recordings does not take --recording" 2 '.*' $weft size --recording 1 "$tmp/first.elf"

# The descriptors of an image have a check sum each: no changed bit of theirs goes unnoticed, in an image without a
# seal too. Every 71st bit of the section here (WEFT_LONG: every 23rd); tests/fault/image_descriptor.c flips each of a
# record's.
expect "the image as it was linked" 0 '.*' $weft dump "$tmp/first.weft" --elf "$tmp/first.elf"
python3 - "$weft" "$tmp/first.elf" "$tmp/first.weft" "$tmp/flipped.elf" <<'PY'
import os, re, subprocess, sys
weft, elf, trace, flipped = sys.argv[1:]
table = subprocess.run(['arm-none-eabi-readelf', '-SW', elf], capture_output=True, text=True).stdout
offset, size = (int(x, 16) for x in re.search(r'\.weft\.desc\s+PROGBITS\s+\S+ (\S+) (\S+)', table).groups())
image, wrong, tried = bytearray(open(elf, 'rb').read())[:-16], [], 0
for bit in range(0, 8 * size, 23 if os.environ.get('WEFT_LONG') else 71):
    image[offset + bit // 8] ^= 1 << bit % 8
    open(flipped, 'wb').write(image)
    image[offset + bit // 8] ^= 1 << bit % 8
    run = subprocess.run([weft, 'dump', trace, '--elf', flipped], capture_output=True, text=True)
    tried += 1
    if run.returncode != 1 or run.stdout or '.weft.desc' not in run.stderr:
        wrong.append(bit)
print(f'# {tried} of {8 * size} bits', wrong[:10])
print('ok' if tried > 50 and not wrong else 'not ok', 'a flipped bit of the descriptors is refused')
PY

# No two recordings of a device have the same number, also after a reset that starts the program again.
elf=$(make -s build-firmware APP=tests/target/programs/runs PROBES=none 2>"$tmp/log" | tail -n 1)
timeout 30 qemu-system-arm -M mps2-an385 -display none -monitor none -serial none \
    -semihosting-config enable=on,target=native -kernel "$elf" >"$tmp/runs" 2>&1 </dev/null
verdict "recordings before and after a reset have numbers of their own" $? -eq 0 -a \
    "$(tr -d '\r' <"$tmp/runs" | tr '\n' ' ')" = "run 1 run 2 run 3 run 4 "
