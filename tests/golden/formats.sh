#!/bin/bash
# SPDX-License-Identifier: MIT
# Decoders that were written from the documents alone (tests/golden/formats.py) give what Weft gives. `make test` reads
# traces of six versions, models of two streams and the history of the newest version; `make test-long` all of them.
. tests/lib/check.sh
decode=(python3 tests/golden/formats.py)
weft=build/host/weft

for name in plain runs interrupts loops progress grammar segments; do
    "${decode[@]}" container tests/golden/v1/$name.weft >"$tmp/events"
    cmp "$tmp/events" tests/golden/v1/$name.events
    verdict "core/FORMAT.md is enough to decode the golden container $name" $? -eq 0
done

for name in plain grammar marks copies; do
    "${decode[@]}" container tests/golden/v2/$name.weft >"$tmp/events"
    cmp "$tmp/events" tests/golden/v2/$name.events
    verdict "core/FORMAT.md is enough to decode the golden container of version 2 $name" $? -eq 0
done

for name in copies grammar places stacked; do
    "${decode[@]}" container tests/golden/v3/$name.weft >"$tmp/events"
    cmp "$tmp/events" tests/golden/v3/$name.events
    verdict "core/FORMAT.md is enough to decode the golden container of version 3 $name" $? -eq 0
done

# Packs: their words in the bus section (coder 6), among the marks, in the models section (coder 7).
for name in words:thermostat marks:thermostat models:models; do
    program=tests/golden/packs/${name#*:}
    "${decode[@]}" packs tests/golden/packs/${name%:*}.weft $program.desc >"$tmp/events"
    sed 's/^path //' "$tmp/events" | cmp - $program.events
    verdict "core/FORMAT.md and descriptor_format.h are enough to decode packs: ${name%:*}" "${PIPESTATUS[*]}" = "0 0"
done

# A RAM ring that was written by docs/FORMATS.md, section 1, in the middle of other memory. What it holds goes around
# its end.
python3 - tests/golden/v2/marks.weft "$tmp/memory" <<'PY'
import struct, sys
frames = open(sys.argv[1], "rb").read()[6:]
size = len(frames) + 100
start = size - len(frames) // 3
ring = bytearray(b"\x5a" * size)
for at, byte in enumerate(frames):
    ring[(start + at) % size] = byte
head = b"WEFTRING" + struct.pack("<4I", 1, size, start, (start + len(frames)) % size)
open(sys.argv[2], "wb").write(b"\x17" * 1000 + head + ring + b"\x2a" * 500)
PY
$weft capture --from-memory "$tmp/memory" -o "$tmp/ring.weft" >"$tmp/log" 2>&1
cmp "$tmp/ring.weft" tests/golden/v2/marks.weft
verdict "docs/FORMATS.md is enough to write a RAM ring" $? -eq 0

# Black boxes that were written by core/FORMAT.md, section 12: entries of 16 and of 32 bits.
for width in 2 4; do
    python3 - "$tmp/box" $width <<'PY'
import struct, sys, zlib
width, n, count = int(sys.argv[2]), 16, 40
head = b"WEFT_BOX" + bytes([1, width // 2, 0, 0]) + struct.pack("<3I", n * width, 0x1234, 7)
head += struct.pack("<5I", zlib.crc32(head), n - 1, 0, 0, count)
entries = [0] * n
for i in range(count):
    entries[i % n] = 256**width - 2 if i == 33 else 5 * i
open(sys.argv[1], "wb").write(b"WEFT_BOX" * 9 + head + struct.pack("<16" + {2: "H", 4: "I"}[width], *entries) + bytes(99))
PY
    $weft capture --from-memory "$tmp/box" -o "$tmp/box.weft" >"$tmp/log" 2>&1
    $weft dump --json --last 0 "$tmp/box.weft" 2>/dev/null | sed -nE 's/.*"event":"path".*"path":([0-9]+).*/\1/p' >"$tmp/paths"
    python3 tests/golden/box_format.py "$tmp/box" >"$tmp/told"
    seq 195 -5 125 | sed 's/^165$/reset/' | cmp - "$tmp/told" && grep -v reset "$tmp/told" | cmp - "$tmp/paths"
    verdict "core/FORMAT.md is enough for a black box of $((8 * width)) bits per entry" $? -eq 0
done

# For each method of prediction, a stream that it predicts best; and streams of all widths.
awk 'BEGIN { for (i = 0; i < 4000; i++) print i % 7 * 4 + (i % 61 == 0) * (i * 7919 % 1000) }' >"$tmp/noise"
awk 'BEGIN { for (i = 0; i < 30; i++) for (j = 0; j <= i; j++) for (k = 0; k < 5; k++)
           print i * 400 + j * 8 - k }' >"$tmp/triangle"
awk 'BEGIN { for (i = 0; i < 2000; i++) printf "%.0f\n", (i * i) % 10007 * 1073741824 }' >"$tmp/wide"
awk 'BEGIN { srand(1); for (i = 0; i < 3000; i++)
           print substr("100000001700000019300000023", 1 + 9 * int(rand() * 3), 9) }' >"$tmp/choice"
awk 'BEGIN { srand(2); for (i = 0; i < 3000; i++) { v += int(rand() * 3) * 4; print v } }' >"$tmp/strides"
echo -5 >"$tmp/one"
: >"$tmp/none"
methods=""
for stream in noise triangle wide choice strides one none; do
    methods+=$($weft squeeze "$tmp/$stream" -o "$tmp/squeezed" --json)
    "${decode[@]}" squeeze "$tmp/squeezed" | cmp - "$tmp/$stream"
    verdict "docs/FORMATS.md is enough to decode a squeezed stream: $stream" "${PIPESTATUS[*]}" = "0 0"
    $weft loops "$tmp/$stream" --binary "$tmp/nest" >/dev/null
    "${decode[@]}" nest "$tmp/nest" | cmp - "$tmp/$stream"
    verdict "docs/FORMATS.md is enough to decode a loop nest: $stream" "${PIPESTATUS[*]}" = "0 0"
    # The search for a model takes its whole second on most.
    in_long || case $stream in triangle | one) ;; *) continue ;; esac
    $weft model "$tmp/$stream" -o "$tmp/model" --time-limit 1 >/dev/null 2>&1
    "${decode[@]}" model "$tmp/model" | cmp - "$tmp/$stream"
    verdict "docs/FORMATS.md is enough to decode an address model: $stream" "${PIPESTATUS[*]}" = "0 0"
done
for method in fcm dfcm last last-stride; do
    grep -q "\"method\":\"$method\"" <<<"$methods"
    verdict "a squeezed stream is coded by $method" $? -eq 0
done

# Whole program paths that the rules code best: repeats, large numbers, nothing to find, one symbol, none.
printf '%s\n' 1 2 3 2 2 3 1 2 3 >"$tmp/repeats"
awk 'BEGIN { for (i = 0; i < 60; i++) { for (j = 0; j <= i; j++) print 7 "\n" 429496729 i % 5; print 3 } }' >"$tmp/large"
awk 'BEGIN { srand(1); for (i = 0; i < 900; i++) print int(rand() * 20) }' >"$tmp/random"
echo 5 >"$tmp/one"
for stream in repeats large random one none; do
    $weft grammar "$tmp/$stream" -o "$tmp/wpp" >/dev/null
    python3 tests/golden/wpp_format.py "$tmp/wpp" | cmp - "$tmp/$stream"
    verdict "docs/FORMATS.md is enough to decode whole program paths: $stream" "${PIPESTATUS[*]}" = "0 0"
done

# And one that each step of method 1 has a part in: choices, surprises, and a repeat that is long enough to be coded.
python3 - >"$tmp/stream" <<'PY'
state = 1
def number(below):
    global state
    state = state * 6364136223846793005 + 1442695040888963407 & 2**64 - 1
    return (state >> 33) % below
pieces = [[number(30) for _ in range(3 + number(9))] for _ in range(25)]
symbols = []
while len(symbols) < 8000:
    for symbol in pieces[number(25) * number(25) // 25]:
        symbols.append(symbol if number(10) else number(300) * 13)
    if number(300) == 0 and len(symbols) > 2000:
        symbols += symbols[-1500:-200]
print("\n".join(map(str, symbols)))
PY
$weft grammar "$tmp/stream" -o "$tmp/wpp" >/dev/null
verdict "that stream is coded by method 1" "$(od -An -tx1 -N3 "$tmp/wpp" | tr -d ' ')" = ff570e
python3 tests/golden/wpp_format.py "$tmp/wpp" | cmp - "$tmp/stream"
verdict "docs/FORMATS.md is enough to decode whole program paths: $(wc -l <"$tmp/stream") of method 1" "${PIPESTATUS[*]}" = "0 0"

# Files of versions 1 and 2. The first is made of the second: only the check sum differs.
python3 - tests/golden/wpp/v2.wpp "$tmp/v1.wpp" <<'PY'
import sys, zlib
sys.path.insert(0, "tests/golden")
from wpp_format import Reader, decode
content = open(sys.argv[1], "rb").read()
file = Reader(content)
file.bytes(3)
file.varint()
crc = zlib.crc32(b"".join(symbol.to_bytes(4, "little") for symbol in decode(content)))
head = content[:2] + bytes([content[2] - 4]) + content[3:file.at]
open(sys.argv[2], "wb").write(head + crc.to_bytes(4, "little") + content[file.at + 4:])
PY
for file in "$tmp/v1.wpp" tests/golden/wpp/v2.wpp tests/golden/wpp/v2-ahead.wpp; do
    $weft grammar --expand "$file" >"$tmp/stream" && python3 tests/golden/wpp_format.py "$file" | cmp - "$tmp/stream"
    verdict "docs/FORMATS.md is enough to decode whole program paths of earlier versions: $(basename "$file" .wpp)" \
        "${PIPESTATUS[*]}" = "0 0" -a "$(wc -l <"$tmp/stream")" = 9000
done

$weft dump tests/fault/wet/small.weft 2>"$tmp/log" | sed -E 's/^([0-9]+ (instruction|skipped) [^ ]*).*/\1/' >"$tmp/full"
python3 tests/golden/full_format.py tests/fault/wet/small.weft | cmp - "$tmp/full"
verdict "tools/qemu/FULL.md is enough to decode a full recording: $(wc -l <"$tmp/full") lines" "${PIPESTATUS[*]}" = "0 0" \
    -a "$(wc -l <"$tmp/full")" -gt 10000

# All versions. There are four programs: what Weft says of a file of each (v12, v2, v13, v19-found) is what those
# of all versions have (tests/golden/wet.sh: Weft gives the same of all). Tier 1 has the same run, and the same
# kinds of streams in all. It takes a thousand questions, so they are asked with WEFT_LONG; the check sums, and
# numbers of statements, are of their answers.
answers='1058349272 4515'
answers_of_v2='3465283180 5185'
answers_of_v13='1317127769 4522'
answers_of_found='1579713467 80085'
summed() { # FILE
    echo "$(cksum <"$1" | cut -d ' ' -f 1) $(wc -l <"$1")"
}
if in_long; then
    for name in v12-tier2 v2-tier2 v13-tier2 v19-found; do
        python3 tests/golden/wet_answers.py $weft tests/golden/wet/$name.wet 2>"$tmp/log" >"$tmp/answers"
        case $name in v12-*) sums=$answers ;; v2-*) sums=$answers_of_v2 ;; *-found) sums=$answers_of_found ;; *) sums=$answers_of_v13 ;; esac
        verdict "weft wet says of each statement of $name what it said" "$(summed "$tmp/answers")" = "$sums"
    done
fi
files="v1-tier2 v3-tier2 v5-tier2 v7-tier2 v22-tier2 v19-found v19-tier1"
! in_long || files="$(seq -f 'v%.0f-tier2' 22) v1-tier1 v19-found v19-tier1"
for file in $files; do
    case $file in
    v[12]-*) sums=$answers_of_v2 ;;
    *-found) sums=$answers_of_found ;;
    v1[3478]-* | v2[12]-*) sums=$answers_of_v13 ;;
    *) sums=$answers ;;
    esac
    python3 tests/golden/wet_format.py tests/golden/wet/$file.wet >"$tmp/run"
    decoded=$?
    verdict "tools/lib/wet/FORMAT.md is enough to decode $file.wet: $(wc -l <"$tmp/run") statements, with all that they did" \
        $decoded -eq 0 -a "$(summed "$tmp/run")" = "$sums"
done
# Versions that have snapshots of one form each.
for version in $(in_long && echo 3 5 7 9 13 || echo 5 9); do
    python3 tests/golden/wet_moment_format.py tests/golden/wet/v$version-tier2.wet >"$tmp/told"
    verdict "and snapshots of version $version are what its statements leave" $? -eq 0 \
        -a "$(grep -c '^1 windows, [01] batches, [56] entries: 6[23][28] timestamps, 12 registers, 28 words' "$tmp/told")" = 1
done

for version in $(in_long && echo 4) 12; do
    python3 tests/golden/wet_format.py --misses tests/golden/wet/v$version-tier2.wet >"$tmp/run"
    python3 tests/golden/wet_answers.py $weft tests/golden/wet/v$version-tier2.wet --misses | cmp - "$tmp/run"
    verdict "and the architecture history of version $version: $(wc -l <"$tmp/run") misses" "${PIPESTATUS[*]}" = "0 0" \
        -a -s "$tmp/run"
done

# A decoder that read nothing of the file would pass none of these.
head -c $(($(stat -c %s "$tmp/nest") - 1)) "$tmp/nest" >"$tmp/cut"
! "${decode[@]}" nest "$tmp/cut" >/dev/null 2>&1
verdict "a nest that was cut is refused" $? -eq 0
