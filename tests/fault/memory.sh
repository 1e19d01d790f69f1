#!/bin/bash
# SPDX-License-Identifier: MIT
# A few bytes that stand for very many symbols: no command takes more memory than 64 bytes per byte of its input and 1
# GiB, or than --memory-limit says.
. tests/lib/check.sh
weft=build/host/weft

# A container of one frame, whose raw control section is a run of $1 predicted paths.
run_of() {
    python3 - "$1" >"$tmp/run-$1.weft" <<'PY'
import sys, zlib
def varint(n):
    return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + varint(n >> 7)
def cobs(data):
    return b"".join(bytes([len(part) + 1]) + part for part in data.split(b"\0"))
paths = int(sys.argv[1])
control = bytes([63]) + varint(paths)
body = bytes([3, 0, 0, 0, 0, 0]) + bytes(3) + varint(paths) + bytes(5) + varint(len(control)) + bytes(4) + control
content = bytes([1, 2, 0, 0, 0]) + body
sys.stdout.buffer.write(b"\0WEFT\0" + cobs(content + zlib.crc32(content).to_bytes(4, "little")) + b"\0")
PY
}

# measured NAME STATUS MIB COMMAND...: COMMAND ends with STATUS and takes at most MIB of memory; its output is in
# $tmp/out, $tmp/err.
measured() {
    local name=$1 want=$2 most=$3 used
    shift 3
    used=$(python3 - "$tmp/out" "$tmp/err" "$@" <<'PY'
import resource, subprocess, sys
status = subprocess.call(sys.argv[3:], stdout=open(sys.argv[1], "wb"), stderr=open(sys.argv[2], "wb"))
print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
PY
    )
    echo "# $name: status and MiB: $used"
    verdict "$name" "${used% *}" = "$want" -a "${used#* }" -le "$most"
}

run_of 4000000000
run_of 3000000
many=$tmp/run-4000000000.weft
few=$tmp/run-3000000.weft
verdict "4000 million paths in fewer than 81 bytes" "$(stat -c %s "$many")" -lt 81
for method in --optimal --greedy --near-optimal; do
    measured "loops $method refuses them before it has taken 1 GiB" 1 1024 $weft loops $method "$many"
    verdict "and says how many would do" -n "$(grep -E 'more than [0-9]+ symbols.*--memory-limit' "$tmp/err")"
done
measured "loops in a window takes memory for its nest alone" 3 64 $weft loops --window 8 "$few"
verdict "whatever the iterations" "$(cat "$tmp/out")" = '( 0 )^3000000'
measured "loops of 3 million symbols within 64 bytes each" 3 $((3 * 64 + 32)) $weft loops "$few"
measured "hot refuses a text that is too large" 1 64 $weft hot --memory-limit 50000000 --min-cost 2900000 --max-length 1000000 "$few"
verdict "and says how large" -n "$(grep -E 'takes [0-9]+ bytes, more than 50000000' "$tmp/err")"
measured "paths of them" 3 64 $weft paths -k 1 "$few"
head -c 4000000 /dev/urandom >"$tmp/noise"
for command in loops grammar; do
    measured "$command keeps to --memory-limit" "$([ $command = loops ] && echo 1 || echo 4)" 24 \
        $weft $command --memory-limit 16777216 --format u16 "$tmp/noise"
    verdict "and says so" -n "$(grep 16777216 "$tmp/err")"
done
measured "a limit below 16 MiB is a usage error" 2 64 $weft grammar --memory-limit 1000 --format u16 "$tmp/noise"

# deep OPENING CLOSING: a million of them, one in the other
deep() {
    python3 -c 'import sys; n = 10**6; print(sys.argv[1] * n + sys.argv[2] * n, end="")' "$1" "$2"
}
{ echo '{"grammar":'; deep '[' ']'; echo '}'; } >"$tmp/deep"
measured "a million brackets are not a grammar" 1 256 $weft grammar --expand "$tmp/deep"
verdict "and are what is wrong with it" -n "$(grep 'nested deeper' "$tmp/err")"
printf 'Content-Length: %d\r\n\r\n' "$(wc -c <"$tmp/deep")" | cat - "$tmp/deep" >"$tmp/message"
measured "nor a message of an editor" 1 256 sh -c "$weft dap <'$tmp/message'"
verdict "and are not JSON to it" -n "$(grep 'not a message' "$tmp/err")"

# A compressed black box of 64 KB, whose entries stand for 13 million passes of one path.
python3 - >"$tmp/box" <<'PY'
import struct, sys, zlib
table, ring = 4, 64 << 10
head = b"WEFT_BOX" + bytes([1, 3, 2, 0]) + struct.pack("<3I", 4 * table + ring, 0, 7)
head += struct.pack("<I", zlib.crc32(head)) + struct.pack("<5I", 0, 5, 0, 1, 0) + bytes(4 * 7)
entry = [0, 7, 15, 15, 15]  # read from its end: a run of hits, 7 and 511 of them
nibbles = (entry * (2 * ring // 5 + 1))[-2 * ring:]
sys.stdout.buffer.write(head + struct.pack("<4I", *[5] * table))
sys.stdout.buffer.write(bytes(a | b << 4 for a, b in zip(nibbles[::2], nibbles[1::2])))
PY
measured "a black box of 13 million passes takes memory for its bytes" 3 64 $weft capture --from-memory "$tmp/box" -o "$tmp/box.weft"
verdict "and all are there" "$($weft info --json "$tmp/box.weft" 2>/dev/null | grep -oE '"recorded": *[0-9]+' | head -n 1 | tr -dc 0-9)" -eq \
    $((2 * 65536 / 5 * 518 + 1))

# An image whose functions all claim 512 KB, of which it has a twentieth.
elf=$(make -s build-firmware APP=kernels PROBES=paths OPT=-O2 | tail -n 1)
$weft capture "$elf" -o "$tmp/kernels.weft" >/dev/null 2>&1
python3 - "$elf" "$tmp/claims.elf" <<'PY'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
sections, size, count = struct.unpack_from("<I", data, 32)[0], *struct.unpack_from("<HH", data, 46)
for i in range(count):
    kind, _, _, offset, length = struct.unpack_from("<5I", data, sections + i * size + 4)
    for at in range(offset, offset + length, 16) if kind == 2 else ():
        if data[at + 12] & 15 == 2:  # a function
            struct.pack_into("<I", data, at + 8, 0x7fff0)
open(sys.argv[2], "wb").write(data)
PY
$weft seal --again "$tmp/claims.elf" >/dev/null 2>&1
for command in functions coverage overview; do
    measured "functions that claim more than the image has: $command" 0 256 \
        $weft $command --memory-limit 536870912 "$tmp/kernels.weft" --elf "$tmp/claims.elf"
done

# A trace of 20 million instructions (with WEFT_LONG 41), read as its recording.
rounds=$(in_long && echo 2 || echo 1)
elf=$(make -s build-firmware APP=tests/bench/rounds.c VARIANT=rounds$rounds APP_CFLAGS=-DROUNDS=$rounds PROBES=none 2>/dev/null | tail -n 1)
$weft capture --full "$elf" -o "$tmp/long.weft" >/dev/null 2>&1
$weft wet build "$tmp/long.weft" --elf "$elf" -o "$tmp/long.wet" >/dev/null 2>&1
$weft stack --elf "$elf" "$tmp/long.weft" >"$tmp/stacks"
measured "stack of a trace holds only what was read lately" 0 100 $weft stack --elf "$elf" "$tmp/long.wet"
verdict "and finds what it finds in the recording" "$(cmp "$tmp/out" "$tmp/stacks" && echo same)" = same
