#!/bin/bash
# SPDX-License-Identifier: MIT
# weft info and dump on bad input, under the sanitizers: a clear error or a named gap, and the right exit status. In
# `make test` the sanitizers see one of several commands that read the same bad file, in `make test-long` all.
. tests/lib/check.sh
weft=build/${WEFT_BUILD:-asan}/weft
asan=$weft plain=$weft
in_long || plain=build/host/weft
golden=tests/golden/v1/interrupts.weft

# An image with descriptors, another one, one without debug information, and one without descriptors.
make_elf() {
    make -s build-firmware APP=kernels "$@" 2>"$tmp/make.log" | tail -n 1
}
elf=$(make_elf PROBES=mem)
other=$(make_elf PROBES=mem OPT=-O0)
none=$(make_elf PROBES=none)
arm-none-eabi-strip -g "$elf" -o "$tmp/stripped.elf"
timeout 60 build/host/weft capture "$elf" -o "$tmp/run.weft" >/dev/null 2>&1

bad() { # NAME STATUS PATTERN-ON-STDERR COMMAND...
    local name=$1 want=$2 pattern=$3
    shift 3
    timeout 60 "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    local status=$?
    if [ $status -eq "$want" ] && grep -q -- "$pattern" "$tmp/err"; then
        echo "ok $name"
    else
        echo "# status $status, wanted $want with '$pattern'"
        sed 's/^/# stderr: /' "$tmp/err" | head -n 10
        echo "not ok $name"
    fi
}

: >"$tmp/empty"
echo "some text, and no zero byte" >"$tmp/text"
head -c 5000 /dev/urandom >"$tmp/garbage"
head -c 1000 "$golden" >"$tmp/cut.weft"
# A golden recording, each frame's content changed.
cat >"$tmp/change.py" <<'PY'
import sys, zlib
sys.path.insert(0, 'tests/golden')
from formats import frame_check
def decode(b):
    out = bytearray(); i = 0
    while i < len(b):
        n = b[i]; out += b[i+1:i+n]; i += n
        if n < 255 and i < len(b): out.append(0)
    return bytes(out)
def encode(b):
    out = bytearray(); group = bytearray()
    for x in b + b'\0':
        if x: group.append(x)
        if not x or len(group) == 254:
            out.append(len(group) + 1); out += group; group = bytearray()
    return bytes(out)
def version(c):
    c[0] = 9
def coder(c): # sets the coder of paths: after version, kind and three varints
    at = 2
    for _ in range(3):
        while c[at] & 0x80: at += 1
        at += 1
    if c[0] > 1:
        at += 4
        while c[at] & 0x80: at += 1
        at += 1
    if c[1] == 2: c[at] = 9
data = open(sys.argv[2], 'rb').read()[6:].split(b'\0')
out = b'\0WEFT\0'
for chunk in filter(None, data):
    content = bytearray(decode(chunk)[:-4])
    globals()[sys.argv[1]](content)
    out += encode(bytes(content) + frame_check(content).to_bytes(4, 'little')) + b'\0'
open(sys.argv[3], 'wb').write(out)
PY
python3 "$tmp/change.py" version "$golden" "$tmp/version.weft"
python3 "$tmp/change.py" coder tests/golden/v1/plain.weft "$tmp/coder.weft"

# An empty stream stands for nothing; a recording that is empty or garbage is none.
cp "$tmp/empty" "$tmp/empty.weft-profile"
cp "$tmp/empty" "$tmp/empty.wet"
cp "$tmp/empty" "$tmp/empty.weft"
cp "$tmp/text" "$tmp/text.weft"
for command in grammar loops hot paths "model --elf tests/golden/wet/small.elf"; do
    [ "$command" = grammar ] && weft=$asan || weft=$plain
    bad "$command of an empty recording" 1 'empty' $weft $command "$tmp/empty.weft"
    bad "$command of an empty profile" 1 'empty' $weft $command "$tmp/empty.weft-profile"
    bad "$command of an empty execution trace" 1 'empty' $weft $command "$tmp/empty.wet"
    bad "$command of a recording that is a text" 1 'not a Weft container' $weft $command "$tmp/text.weft"
done

for command in grammar loops "hot --min-cost 9 --min-length 2 --max-length 4" paths model; do
    [ "$command" = loops ] && weft=$asan || weft=$plain
    bad "${command%% *} --elf of a file that is not there" 1 'No such file' $weft $command --elf x.elf "$tmp/nothing"
    bad "${command%% *} --elf of a stream" 2 'with a recording' $weft $command --elf x.elf "$tmp/text"
done

weft=$asan
for command in info dump; do
    bad "$command of a file that is not there" 1 'No such file' $weft $command "$tmp/nothing"
    bad "$command of a directory" 1 'directory' $weft $command "$tmp"
    bad "$command of an empty file" 1 'empty' $weft $command "$tmp/empty"
    bad "$command of an image" 1 'not a Weft container: it is an ELF file' $weft $command tests/golden/wet/small.elf
    bad "$command of a text" 1 'not a Weft container' $weft $command "$tmp/text"
    bad "$command of garbage" 1 'byte 0: not a Weft container\|byte [0-9]*: not' $weft $command "$tmp/garbage"
    bad "$command of a cut file" 3 'byte .*damaged' $weft $command "$tmp/cut.weft"
    bad "$command with losses" 3 'sink refused; 2 paths, 7 accesses and 3 values' \
        $weft $command tests/golden/v1/loss.weft
    bad "$command without an argument" 2 'takes one' $weft $command
    bad "$command with an unknown option" 2 "option" $weft $command --never "$golden"
    expect "$command --help" 0 'usage: weft '"$command"'.*' $weft $command --help
    # Every version but the known one is refused.
    bad "$command of an unknown version" 1 'byte 6: format version 9' $weft $command "$tmp/version.weft"
done
# A coder of a later version: what it wrote is missing, and that is reported.
for command in dump loops grammar 'hot --min-cost 1 --min-length 1 --max-length 2' 'paths -k 1'; do
    [ "$command" = dump ] && weft=$asan || weft=$plain
    bad "${command%% *} of an unknown coder" 3 'gap: not all paths of [0-9]* frames\? can be read' \
        $weft $command "$tmp/coder.weft"
done

printf '1 2 3 1 2 3\n' >"$tmp/stream"
$weft squeeze "$tmp/stream" -o "$tmp/squeezed" >/dev/null
bad "loops of a squeezed stream" 1 'it is a squeezed stream, for weft unsqueeze' $weft loops "$tmp/squeezed"
for command in info dump functions coverage loops grammar hot 'paths -k 1' model stack; do
    [ "$command" = functions ] && weft=$asan || weft=$plain
    bad "${command%% *} --source-dir of no folder" 2 "source-dir '$tmp/none': No such file" \
        $weft $command --source-dir "$tmp/none" "$golden"
done

weft=$asan
# A file name is foreign text; a device has no end; counts are not negative.
name="$tmp/$(printf '\033[31m').weft"
cp tests/golden/v1/plain.weft "$name"
verdict "info prints no escape sequences" "$($weft info "$name" 2>&1 | grep -ac "$(printf '\033')")" = 0
for command in info dump; do
    bad "$command of a device without an end" 1 'not supported' $weft $command /dev/zero
done
bad "costs from a device without an end" 1 'not supported' $weft hot --costs /dev/zero "$tmp/stream"
printf 'a 5\n\0 1 5\n' >"$tmp/zero.costs"
bad "costs with a zero byte" 1 'line 2' $weft hot --costs "$tmp/zero.costs" "$tmp/stream"
for query in control misses; do
    bad "wet $query with an image that is not there" 1 'No such file' \
        $weft wet $query tests/golden/wet/v12-tier2.wet --elf "$tmp/none"
    bad "wet $query with a text for an image" 1 'README.md' $weft wet $query tests/golden/wet/v12-tier2.wet --elf README.md
done
# So is a symbol of a stream, in what is for people.
printf 'a b \033[31m \377 a b\n' >"$tmp/shown"
for command in loops hot 'paths -k 2'; do
    $weft $command --summary "$tmp/shown" >"$tmp/out"
    verdict "a summary of ${command%% *} prints no escape sequences" "$? $(grep -ac "$(printf '\033')" "$tmp/out")" = "0 0"
done
# Accesses before each TRACE frame: 2^64 - 5.
sed 's/^def version(c):/def lost(c):\n    if c[1] == 2: c[13:14] = b"\\xfb" + b"\\xff" * 8 + b"\\x01"\ndef version(c):/' "$tmp/change.py" >"$tmp/lost.py"
python3 "$tmp/lost.py" lost tests/golden/v1/loss.weft "$tmp/lost.weft"
verdict "no count is negative" "$($weft info --json "$tmp/lost.weft" 2>/dev/null | grep -c '":-')" = 0

expect "a number with a zero in front is decimal" 0 '{"k":10,.*' $weft paths -k 010 --json --format chars "$tmp/text"
expect "a number may be hexadecimal" 0 '{"k":10,.*' $weft paths -k 0xa --json --format chars "$tmp/text"
for number in +3 ' 3' '3 ' 3x 0x 0x0x3 -0x3 ''; do
    bad "'$number' is not a number" 2 "whole number.*'$number'" $weft paths -k "$number" --format chars "$tmp/text"
    bad "'$number' is not a number of seconds" 2 'takes seconds' $weft model --time-limit "$number" "$tmp/text"
    bad "'$number' is not a percentage" 2 'takes a percentage' $weft loops --min-share "$number" "$tmp/text"
done
# 010 is ten, in an expanded nest too.
printf '010 0xa 10 -010\n' >"$tmp/tens"
$weft loops "$tmp/tens" --binary "$tmp/tens.nest" >/dev/null
verdict "an expanded nest has the numbers that the stream had" \
    "$($weft loops --expand "$tmp/tens.nest" --format i64 | od -An -v -td8 | xargs)" = "10 10 10 -10"
# What a serial line gives when listening begins late: the end of a frame, then frames.
tail -c +40 tests/golden/v1/plain.weft >"$tmp/late.weft"
for command in loops grammar 'hot --min-cost 1 --min-length 1 --max-length 2' 'paths -k 1'; do
    [ "$command" = grammar ] && weft=$asan || weft=$plain
    bad "${command%% *} of a recording without its start" 3 'gap: .*damaged' $weft $command "$tmp/late.weft"
    bad "${command%% *} of a text with an image" 2 'with a\? \?\(recording\|containers\)' $weft $command --elf "$elf" "$tmp/text"
done
weft=$asan
bad "hot with a directory of costs" 1 'directory' \
    $weft hot --min-cost 1 --min-length 1 --max-length 2 --costs "$tmp" "$golden"

# Gaps first, then the reason.
head -c 2000 tests/fault/wet/small.weft >"$tmp/half.weft"
bad "report --why of a full recording without its end" 2 'gap: ' \
    $weft report --why main --elf tests/fault/wet/small.elf "$tmp/half.weft" -o "$tmp/page.html"
verdict "the reason stands in the last line" "$(tail -n 1 "$tmp/err" | grep -c 'why goes with')" = 1

expect "info of a whole recording" 0 '.*paths .*' $weft info "$tmp/run.weft"
expect "dump without the image" 0 '.*path.*' $weft dump "$tmp/run.weft"
expect "dump with the image" 0 '.*load 0x.*' $weft dump "$tmp/run.weft" --elf "$elf"
expect "dump with an image without debug information" 0 '.*load 0x.*' \
    $plain dump "$tmp/run.weft" --elf "$tmp/stripped.elf"
bad "dump with another image" 1 'not the image that was traced' $weft dump "$tmp/run.weft" --elf "$other"
bad "dump with an image without descriptors" 1 'no path descriptors' $weft dump "$tmp/run.weft" --elf "$none"
bad "dump with a text for an image" 1 'ELF' $weft dump "$tmp/run.weft" --elf "$tmp/text"
bad "dump with an empty image" 1 'ELF\|empty\|read' $weft dump "$tmp/run.weft" --elf "$tmp/empty"
bad "dump with no image" 1 'open\|No such' $weft dump "$tmp/run.weft" --elf "$tmp/nothing"
bad "dump with a container for an image" 1 'ELF' $weft dump "$tmp/run.weft" --elf "$tmp/run.weft"
head -c 20000 "$elf" >"$tmp/cut.elf"
bad "dump with a cut image" 1 '.' $weft dump "$tmp/run.weft" --elf "$tmp/cut.elf"
bad "dump of unknown events" 2 'control, bus, values' $weft dump "$tmp/run.weft" --events bus,none
# Only the kinds that were asked for.
expect "dump of the bus alone" 0 '[0-9]* \(load\|store\)[^:]*:.*' $weft dump "$tmp/run.weft" --elf "$elf" --events bus
verdict "the bus alone has no other lines" -z \
    "$($plain dump "$tmp/run.weft" --elf "$elf" --events bus | grep -vE '^[0-9]+ (load|store) ')"
verdict "JSON lines are JSON" 0 -eq "$($plain dump "$tmp/run.weft" --elf "$elf" --json | head -n 3000 | python3 -c '
import json, sys
bad = 0
for line in sys.stdin:
    try: json.loads(line)
    except ValueError: bad += 1
print(bad)')"
printf 'int main(void)\n{\n    return 0;\n}\n' >"$tmp/größe.c"
name=$(make -s build-firmware APP="$tmp/größe.c" PROBES=paths 2>/dev/null | tail -n 1)
timeout 60 build/host/weft capture "$name" -o "$tmp/name.weft" >/dev/null 2>&1
verdict "JSON lines keep names that are not ASCII" 0 -lt \
    "$($plain dump "$tmp/name.weft" --elf "$name" --json | grep -c '"file":"[^"]*/größe.c"')"
verdict "info --json is JSON with the keys of the contract" ok = "$($weft info --json "$tmp/run.weft" | python3 -c '
import json, sys
info = json.load(sys.stdin)
print("ok" if all(k in info for k in ("streams", "events", "bytes", "lost", "pools", "gaps")) else info.keys())')"

# Recordings with probes and full ones in one file: info lists both, and its sums are of both.
cat "$tmp/run.weft" tests/fault/wet/small.weft >"$tmp/both.weft"
bad info_of_both_kinds 3 'recordings with probes and full ones' $weft info "$tmp/both.weft"
expect info_of_one_of_them 0 '.*' $weft info --recording 2 "$tmp/both.weft"

# An option that does not apply is not passed over.
expect last_goes_with_backward 2 '' $weft dump "$tmp/run.weft" --elf "$elf" --forward --last 3
expect wet_goes_with_instructions 2 '' $weft diff --elf "$elf" --wet x --wet y "$tmp/run.weft" "$tmp/run.weft"
$weft merge "$tmp/run.weft" --elf "$elf" -o "$tmp/run.profile" >"$tmp/log" 2>&1
expect info_of_a_profile_takes_no_context 2 '' $weft info --context 14 "$tmp/run.profile"
