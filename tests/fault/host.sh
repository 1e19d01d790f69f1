#!/bin/bash
# SPDX-License-Identifier: MIT
# The host fails under each command: memory, writes, reads, open files, processes (tests/lib/host_faults.py). A clear
# error, a status that is not 0, and no output that looks whole. A few commands and faults; all commands with
# HOST_FAULTS=some in the environment, and all faults too with HOST_FAULTS=all (make host-faults).
. tests/lib/check.sh
weft=$PWD/build/host/weft
gcc -shared -fPIC -O1 -o "$tmp/alloc.so" tests/lib/alloc_faults.c
elf=$PWD/$(make -s build-firmware APP=kernels PROBES=mem | tail -n 1)
$weft capture "$elf" -o "$tmp/run.weft" >/dev/null 2>&1
small=$PWD/$(make -s build-firmware APP=adding PROBES=mem | tail -n 1)
$weft capture --full "$small" -o "$tmp/full.weft" >/dev/null 2>&1
$weft wet build "$tmp/full.weft" --elf "$small" -o "$tmp/run.wet" >/dev/null 2>&1
for ((i = 0; i < 400; i++)); do echo $((i % 17 * 4 + i % 5)); done >"$tmp/numbers"
$weft grammar "$tmp/numbers" >"$tmp/grammar"
$weft squeeze "$tmp/numbers" -o "$tmp/squeezed" >/dev/null
faults() { # NAME [-o OUTPUT] -- ARGUMENT...
    python3 tests/lib/host_faults.py "$weft" "$tmp/alloc.so" "$tmp" "$@"
}
faults functions -- functions "$tmp/run.weft" --elf "$elf" --json
faults export -o "$tmp/x" -- export --as folded -o "$tmp/x" "$tmp/run.weft" --elf "$elf"
faults squeeze -o "$tmp/x" -- squeeze "$tmp/numbers" -o "$tmp/x"
faults unsqueeze -- unsqueeze "$tmp/squeezed"
[ -n "${HOST_FAULTS:-}" ] || exit 0
faults info -- info "$tmp/run.weft"
faults dump -- dump "$tmp/run.weft" --elf "$elf"
faults dump_full -- dump "$tmp/full.weft"
faults coverage -- coverage "$tmp/run.weft" --elf "$elf"
faults paths -- paths -k 2 "$tmp/run.weft" --elf "$elf"
faults grammar -- grammar "$tmp/numbers"
faults grammar_expand -- grammar --expand "$tmp/grammar"
faults grammar_file -o "$tmp/x" -- grammar "$tmp/numbers" -o "$tmp/x"
faults loops -- loops "$tmp/numbers"
faults model -o "$tmp/x" -- model "$tmp/numbers" -o "$tmp/x"
faults wet_build -o "$tmp/x" -- wet build "$tmp/full.weft" --elf "$small" -o "$tmp/x"
faults wet_control -- wet control "$tmp/run.wet"
faults capture -o "$tmp/x" -- capture "$elf" -o "$tmp/x"
