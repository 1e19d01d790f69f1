#!/bin/bash
# SPDX-License-Identifier: MIT
# On the target every control coder, alone and beside a k-slab forest, carries the same trace as the raw one. WEFT_LONG:
# also the grammar and the loops without what stands beside them here, and BUS=tre, which tests/target/tre.sh records.
set -u
weft=build/host/weft
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# Events without addresses and the names of temporary variables: they differ from image to image.
trace() { # NAME=VALUE...
    elf=$(make -s build-firmware APP=kernels OPT=-O2 "$@" | tail -n 1)
    $weft capture "$elf" -o "$out/this.weft" >"$out/log" 2>&1 || return 1
    $weft dump "$out/this.weft" --elf "$elf" 2>>"$out/log" | awk '$2 == "load" || $2 == "store" { $3 = $NF = "" } $2 != "context"'
}
trace CODER=raw PROBES=mem >"$out/raw"
builds=("CODER=raw BUS=bfcm PROBES=mem" "CODER=loops BUS=tre-bfcm PROBES=mem" "CODER=raw PROBES=mem DELIVERY=ring"
    "CODER=grammar PROBES=mem KSF=3")
[ -z "${WEFT_LONG:-}" ] || builds+=("CODER=raw BUS=tre PROBES=mem" "CODER=grammar PROBES=mem" "CODER=loops PROBES=mem")
for build in "${builds[@]}"; do
    if trace $build >"$out/this" && [ -s "$out/this" ] && cmp "$out/raw" "$out/this" >>"$out/log" 2>&1; then
        echo "ok $build: the same trace as raw"
    else
        sed 's/^/# /' "$out/log" | tail -n 5
        echo "not ok $build: the same trace as raw"
    fi
done
