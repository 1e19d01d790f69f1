#!/bin/bash
# SPDX-License-Identifier: MIT
# A recording that pauses and goes on: what ran meanwhile is not there, what ran else is, and every command says so.
. tests/lib/check.sh
weft=build/host/weft

pauses() { # MAKE...
    local elf good=1
    elf=$(make -s build-firmware APP=tests/target/programs/controls.c "$@" 2>"$tmp/make" | tail -n 1)
    $weft capture "$elf" -o "$tmp/c.weft" >"$tmp/log" 2>&1
    $weft dump --elf "$elf" "$tmp/c.weft" >"$tmp/dump" 2>"$tmp/gaps"
    [ $? -eq 3 ] || good=0
    $weft info --json "$tmp/c.weft" >"$tmp/info" 2>/dev/null
    grep -q '^end' "$tmp/log" && ! grep -qE '^no|^resumed' "$tmp/log" || good=0
    [ "$(grep -c 'entry hidden' "$tmp/dump")" = 0 ] && [ "$(grep -c 'entry first' "$tmp/dump")" = 1 ] &&
        [ "$(grep -c 'entry second' "$tmp/dump")" = 2 ] && [ "$(grep -c 'entry across' "$tmp/dump")" = 1 ] || good=0
    [ "$(grep -c 'control pause' "$tmp/dump")" = 3 ] && [ "$(grep -c 'control resume' "$tmp/dump")" = 3 ] || good=0
    [ "$(grep -c 'recording was paused' "$tmp/gaps")" = 3 ] && [ "$(grep -o '"kind": *"pause"' "$tmp/info" | wc -l)" = 3 ] ||
        good=0
    [ $good = 1 ] || { tail -n 3 "$tmp/log" "$tmp/make" "$tmp/gaps"; grep -E 'entry|control' "$tmp/dump" | head -n 20; } | sed 's/^/# /'
    verdict "pauses are named, and nothing is recorded in them: $*" $good = 1
}

pauses PROBES=mem DERIVE=activation
pauses PROBES=paths DELIVERY=ring
pauses PROBES=values BOARD=microbit SINK=uart
pauses PROBES=mem OPT=-O0 CODER=grammar BUS=bfcm
