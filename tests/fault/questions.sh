#!/bin/bash
# SPDX-License-Identifier: MIT
# What serves questions (gdb, debug, dap), asks profiles (fleet), executes recordings (rerun) and looks at seals (seal),
# with files that have a flip, a cut, or bytes more or fewer (tests/fault/questions.py): with status 0 each answer is
# that of the sound file, or an error. `make test` tries some of each kind; WEFT_CHANGES=N: N of each; WEFT_CHANGES=0:
# every bit and cut, of the kinds that WEFT_KINDS names.
. tests/lib/check.sh
weft=build/host/weft
build() { make -s build-firmware "$@" 2>"$tmp/log" | tail -n 1; }
cp "$(build APP=kernels PROBES=paths OPT=-O2)" "$tmp/paths.elf"
cp "$(build APP=adding SINK=uart PROBES=mem)" "$tmp/probed.elf"
for name in paths probed; do $weft capture "$tmp/$name.elf" -o "$tmp/$name.weft" >/dev/null 2>&1; done
for i in 1 2 3 4; do
    $weft merge --label version=$((i % 2)),device=$i --elf "$tmp/paths.elf" "$tmp/paths.weft" -o "$tmp/$i.weft-profile" \
        >/dev/null
done
$weft merge "$tmp"/[1-4].weft-profile -o "$tmp/fleet.weft-profile" >/dev/null
cp tests/fault/wet/small.elf "$tmp"
$weft wet build tests/fault/wet/small.weft --elf "$tmp/small.elf" -o "$tmp/small.wet" >/dev/null 2>&1
changes=${WEFT_CHANGES:-$(in_long && echo 100 || echo 4)}
# shellcheck disable=SC2086 # words
verdict "no change of a file gets another answer with status 0: gdb, debug, dap, fleet, rerun, seal" \
    "$(python3 tests/fault/questions.py $weft "${WEFT_SEED:-1}" "$changes" "$tmp" ${WEFT_KINDS:-} | shown | tail -n 1)" = \
    '0 wrong'
