#!/bin/bash
# SPDX-License-Identifier: MIT
# Firmware that knows nothing of Weft, built by its own Makefile or CMakeLists.txt with an installed Weft, records what
# came from outside (WEFT_PROBES=inputs); the host executes it again.
. tests/lib/check.sh
log=$tmp/log
make -s install-built PREFIX=/usr DESTDIR="$tmp/root" >"$log" 2>&1 || sed 's/^/# /' "$log"
usr=$tmp/root/usr
export PATH=$usr/bin:$PATH
again() { # NAME ELF
    local seconds status
    for seconds in 1 6 36; do # a busy machine may not come to an interrupt in one
        weft capture "$2" -o "$tmp/app.weft" --timeout $seconds >"$log" 2>&1
        weft rerun "$tmp/app.weft" --elf "$2" --zero -o "$tmp/full.weft" >"$log" 2>&1
        status=$?
        ! grep -q 'interrupts came where they were recorded' "$log" || break
    done
    verdict "$1: what came from outside is enough to execute it again" $status -eq 0
    sed 's/^/# /' "$log"
    verdict "$1: with its functions and interrupts" "$(weft functions "$tmp/full.weft" --elf "$2" 2>>"$log" |
        grep -c ' filter \| SysTick_Handler ')" -eq 2
}
cp -r tests/target/foreign "$tmp/make"
printf '%s\n' 'WEFT_SINK = semihost' 'WEFT_PROBES = inputs' 'WEFT_DEFINES = -O0 -g0' "include $usr/share/weft/weft.mk" \
    >>"$tmp/make/Makefile"
make -s -C "$tmp/make" OPT=-O2 >"$log" 2>&1 || sed 's/^/# /' "$log"
again make "$tmp/make/out/app.elf"
cp -r tests/target/foreign "$tmp/cmake"
printf '%s\n' 'find_package(Weft REQUIRED)' 'weft_trace(app.elf SINK semihost PROBES inputs LIBRARIES filter)' \
    >>"$tmp/cmake/CMakeLists.txt"
{ cmake -S "$tmp/cmake" -B "$tmp/cmake/out" -DMAIN=main.c -DOPT=-O2 -DWEFT_ENGINE_FLAGS=-O0 -DCMAKE_PREFIX_PATH="$usr" &&
    cmake --build "$tmp/cmake/out"; } >"$log" 2>&1 || sed 's/^/# /' "$log"
again cmake "$tmp/cmake/out/app.elf"
