#!/bin/bash
# SPDX-License-Identifier: MIT
# The seal of an image (tools/lib/image/seal.h). Every cut and changed bit of a sealed image, through the commands that
# read one: refused, or the same output; and where the seal is gone, the command says that the image is unchecked.
# `make test` tries 60 bits and 15 cuts, `make test-long` 3,000 and 750.
. tests/lib/check.sh
weft=$PWD/build/host/weft
elf=$tmp/app.elf
cp "$(make -s build-firmware APP=adding SINK=uart PROBES=mem | tail -n 1)" "$elf"
$weft capture "$elf" -o "$tmp/app.weft" >/dev/null 2>&1
$weft capture --full "$elf" -o "$tmp/full.weft" >/dev/null 2>&1
said() { # NAME TIMES COMMAND...: the status is 0
    "${@:3}" >"$tmp/out" 2>"$tmp/err"
    verdict "$1" "$? $(grep -c 'image unchecked' "$tmp/err")" = "0 $2"
}
expect "make firmware seals" 0 '' $weft seal --check "$elf"
said "of a sealed image nothing is said" 0 $weft functions "$tmp/app.weft" --elf "$elf"
cp "$elf" "$tmp/again.elf"
expect "to seal twice changes nothing" 0 '' $weft seal "$tmp/again.elf"
cmp "$elf" "$tmp/again.elf"
verdict "not a byte" $? -eq 0
arm-none-eabi-objcopy "$elf" "$tmp/copied.elf"
said "of a copy without the seal it is said that it is unchecked" 1 $weft functions "$tmp/app.weft" --elf "$tmp/copied.elf"
$weft functions "$tmp/app.weft" --elf "$tmp/copied.elf" --json 2>/dev/null | grep -q '"image":"unchecked"'
verdict "in JSON too" $? -eq 0
$weft dump "$tmp/app.weft" --elf "$tmp/copied.elf" --json 2>/dev/null | head -n 1 | grep -q '"image":"unchecked"'
verdict "in the first line of a dump" $? -eq 0
$weft dump "$tmp/full.weft" --elf "$tmp/copied.elf" --json 2>/dev/null | head -n 1 | grep -q '"image":"unchecked"'
verdict "of a full recording too" $? -eq 0
expect "it has no seal to check" 1 '' $weft seal --check "$tmp/copied.elf"
expect "a copy is sealed" 0 '' $weft seal "$tmp/copied.elf"
said "then nothing is said" 0 $weft functions "$tmp/app.weft" --elf "$tmp/copied.elf"
printf x | dd of="$tmp/copied.elf" bs=1 seek=3000 conv=notrunc status=none
expect "an edited image is not sealed by mistake" 1 '' $weft seal "$tmp/copied.elf"
expect "but on purpose" 0 '' $weft seal --again "$tmp/copied.elf"
expect "and then it is right" 0 '' $weft seal --check "$tmp/copied.elf"
commands='functions coverage stack io info dump hot model'
for section in .text .data; do
    arm-none-eabi-objcopy --change-section-address "$section+0x2000" "$elf" "$tmp/moved.elf" 2>/dev/null
    [ $section = .text ] || in_long || commands='functions dump'
    for command in $commands "export --as folded -o $tmp/folded"; do
        # shellcheck disable=SC2086
        $weft $command "$tmp/app.weft" --elf "$tmp/moved.elf" >"$tmp/out" 2>"$tmp/err"
        verdict "$section moved by objcopy, which keeps the build id: weft ${command%% *} refuses it" \
            "$? $(wc -c <"$tmp/out") $(grep -c "section '$section' was moved" "$tmp/err")" = "1 0 1"
    done
    expect "$section moved: nor does a full recording go with it" 1 '' \
        $weft wet build "$tmp/full.weft" --elf "$tmp/moved.elf" -o "$tmp/moved.wet"
    expect "$section moved: nor is it sealed" 1 '' $weft seal "$tmp/moved.elf"
done

# Without debug information and seal, the descriptors say where functions and variables were.
mkdir "$tmp/plain"
cat >"$tmp/plain/plain.c" <<'C'
volatile int counter = 3, total;
static void count(int n)
{
    static int seen = 5, counted = 9;
    seen += n;
    counted += seen;
    counter += counted;
}
int main(void)
{
    for (int i = 0; i < 9; i++) {
        count(i);
        total += counter;
    }
    return 0;
}
C
plain=$(make -s build-firmware APP="$tmp/plain/plain.c" SINK=uart PROBES=mem | tail -n 1)
$weft capture "$plain" -o "$tmp/plain.weft" >/dev/null 2>&1
$weft capture --full "$plain" -o "$tmp/plain_full.weft" >/dev/null 2>&1
arm-none-eabi-objcopy -g "$plain" "$tmp/plain.elf"
said "an image without debug information is read" 1 $weft functions "$tmp/plain.weft" --elf "$tmp/plain.elf"
for section in .text .data; do
    arm-none-eabi-objcopy -g --change-section-vma "$section+0x2000" "$plain" "$tmp/moved.elf" 2>/dev/null
    for command in functions dump info; do
        $weft $command "$tmp/plain.weft" --elf "$tmp/moved.elf" >"$tmp/out" 2>"$tmp/err"
        verdict "$section moved, without debug information: weft $command refuses it" \
            "$? $(wc -c <"$tmp/out") $(grep -c "section '$section' was moved" "$tmp/err")" = "1 0 1"
    done
    expect "$section moved, without debug information: nor is it sealed" 1 '' $weft seal "$tmp/moved.elf"
    # As an older weft sealed it.
    tail -c 16 "$elf" >>"$tmp/moved.elf"
    expect "$section moved: it can be sealed on purpose" 0 '' $weft seal --again "$tmp/moved.elf"
    for command in "wet build -o $tmp/moved.wet $tmp/plain_full.weft" "stack $tmp/plain_full.weft" \
        "functions $tmp/plain.weft"; do
        # shellcheck disable=SC2086
        $weft $command --elf "$tmp/moved.elf" >"$tmp/out" 2>"$tmp/err"
        verdict "$section moved, then sealed: ${command%% *} refuses it" \
            "$? $(wc -c <"$tmp/out") $(grep -c "section '$section' was moved" "$tmp/err")" = "1 0 1"
    done
done
echo text >"$tmp/text"
expect "a text is not sealed" 1 '' $weft seal "$tmp/text"
expect "nor a file that is not there" 1 '' $weft seal "$tmp/nothing"
verdict "it is not made either" ! -e "$tmp/nothing"
cp "$tmp/app.weft" "$tmp/beside.weft"
head -c -16 "$elf" >"$tmp/beside.elf"
said "the image beside the recording is said to be unchecked once" 1 $weft functions "$tmp/beside.weft"
python3 - "$weft" "$elf" "$tmp" "${WEFT_LONG:+long}" <<'PY'
import os, random, subprocess, sys
weft, elf, tmp, amount = sys.argv[1:]
image = open(elf, 'rb').read()
damaged, out = tmp + '/damaged.elf', tmp + '/x'
commands = [['dump', tmp + '/app.weft'], ['functions', tmp + '/app.weft'], ['coverage', '--lines', tmp + '/app.weft'],
            ['dump', tmp + '/full.weft'], ['stack', tmp + '/full.weft'], ['wet', 'build', tmp + '/full.weft', '-o', out],
            ['size'], ['capture', '--timeout', '20', '-o', out]]


def run(command, elf):
    last = [elf] if command[0] in ('size', 'capture') else ['--elf', elf]
    ran = subprocess.run([weft] + command + last, capture_output=True)
    made = b''
    if os.path.exists(out):
        made = b'' if command[0] == 'capture' else open(out, 'rb').read() # no two runs have the same times
        os.remove(out)
    return ran.returncode, ran.stdout.replace(elf.encode(), b'ELF'), made, ran.stderr


clean = [run(c, elf) for c in commands]
wrong, said, refused = [], 0, 0


def judge(what, i):
    global said, refused
    status, text, made, error = run(commands[i], damaged)
    if status in (0, 3) and b'image unchecked' in error:
        said += 1
    elif status not in (0, 3):
        refused += 1
    elif (status, text, made) != clean[i][:3]:
        wrong.append((what, commands[i]))


count = 3000 if amount == 'long' else 60
pick = random.Random(13)
places = [pick.randrange(8 * len(image)) for _ in range(count)] + list(range(8 * (len(image) - 16), 8 * len(image), 5))
for n, bit in enumerate(places):
    flipped = bytearray(image)
    flipped[bit // 8] ^= 1 << bit % 8
    open(damaged, 'wb').write(flipped)
    judge(f'bit {bit}', n % len(commands))
for n in range(count // 4):
    open(damaged, 'wb').write(image[:len(image) - 20 + n if n < 20 else pick.randrange(len(image))])
    judge(f'cut {n}', n % len(commands))
print(f'# {len(places)} bits and {count // 4} cuts: {refused} refused, {said} said to be unchecked', wrong[:3])
print('ok' if all(c[0] == 0 for c in clean) else 'not ok', 'the sealed image is read')
print('ok' if not wrong else 'not ok', 'no changed bit and no cut of a sealed image goes unnoticed')
print('ok' if refused > count // 2 and said else 'not ok', 'nearly all are refused')
PY
