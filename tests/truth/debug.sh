#!/bin/bash
# SPDX-License-Identifier: MIT
# `make debug-truth`: the server of `weft gdb` against the emulator's gdb stub, at many instants of each workload and at
# many stops (tests/target/debug_truth.py). Takes minutes; `make test` has a short version (tests/target/debug.sh),
# `make test-long` runs this one.
# WEFT_INSTANTS and WEFT_STOPS say how many, WEFT_WORKLOADS of which programs, each as APP or APP@BOARD. `adding` and
# `lz4` are left out: in them the emulator (7.2) stops for a watchpoint at unaligned accesses that do not touch it.
. tests/lib/check.sh
weft=build/host/weft
for app in ${WEFT_WORKLOADS:-thermostat threads jpeg kernels tests/target/wet/mixture.c tests/target/wet/switches.c \
    tests/target/wet/nested.c@mps2-an386 tests/target/wet/nested.c@mps2-an500 \
    tests/target/wet/nested.c@mps2-an505 tests/target/wet/nested.c@mps3-an547}; do
    board=mps2-an385
    [[ $app != *@* ]] || board=${app#*@}
    app=${app%@*}
    name=$(basename "$app" .c)_${board#*-}
    if ! cp "$(make -s build-firmware BOARD=$board APP=$app PROBES=none 2>"$tmp/make" | tail -n 1)" "$tmp/$name.elf"; then
        echo "not ok debug_${name}_is_built"
        continue
    fi
    $weft capture --full --icount 0 "$tmp/$name.elf" -o "$tmp/$name.weft" >/dev/null 2>&1
    $weft wet build "$tmp/$name.weft" --elf "$tmp/$name.elf" -o "$tmp/$name.wet" >/dev/null
    python3 tests/target/debug_truth.py $weft "$tmp/$name.wet" "$tmp/$name.elf" $board ${WEFT_INSTANTS:-1000} \
        ${WEFT_STOPS:-200}
done
