#!/bin/bash
# SPDX-License-Identifier: MIT
# A simulated fleet, figures only. Recordings of different runs of workloads: half of them of a pump controller in two
# versions, with a planted rare path and a planted slow-down, half of bzip2, zlib, lz4 and Lua in two builds, each run
# with an input of its own. Their merging at the speed of all cores; profiles of many devices made from real ones by
# perturbation, merged in several orders; 10,000 recordings from raw frames. WEFT_QUICK=1: a hundredth of it.
# FLEET_RUNS, FLEET_PROFILES: other numbers.
. tests/lib/check.sh
weft=build/host/weft
runs=${FLEET_RUNS:-${WEFT_QUICK:+32}}
runs=${runs:-1000}
profiles=${FLEET_PROFILES:-${WEFT_QUICK:+10000}}
profiles=${profiles:-1000000}
make -s build/host/tests/bench/fleet_perturb
measure() { # NAME COMMAND...: seconds and memory of it and its processes
    local name=$1
    shift
    local form="$name: %e s, %U s of user time, %S s of the system, %M KB at most in one process"
    /usr/bin/env time -f "$form" "$@" 2>"$tmp/time" >"$tmp/out"
    tail -n 1 "$tmp/time"
    sed 's/^/    /' "$tmp/out"
}

mkdir -p "$tmp/a" "$tmp/b"
cp tests/target/programs/fleet.c "$tmp/a/fleet.c"
sed 's/^#include/#define LATER\n#include/' tests/target/programs/fleet.c >"$tmp/b/fleet.c"
workloads='bzip2 zlib lz4 lua'
firmware() { # OUT VARIABLES...: an image
    local out=$1
    shift
    cp "$(make -s build-firmware "$@" SEEDED=1 2>/dev/null | tail -n 1)" "$out"
}
for v in a b; do
    firmware "$tmp/pump-$v.elf" APP="$tmp/$v/fleet.c" PROBES=paths
done
for app in $workloads; do
    firmware "$tmp/$app-a.elf" APP=$app PROBES=paths OPT=-O2
    firmware "$tmp/$app-b.elf" APP=$app PROBES=paths OPT=-Os
done
one() { # APP VERSION NUMBER
    local fault=
    [ "$1$2$3" = pumpb7 ] && fault=' fault'
    local run=$tmp/$1$2$3
    build/host/weft capture "$tmp/$1-$2.elf" -o "$run.weft" --argument "$1 $(($3 * 7 + 12345))$fault" >"$run.log" 2>&1 ||
        cat "$run.log"
    printf '%s\tapp=%s,device=%s%s,version=%s\n' "$run.weft" "$1" "${1#pump}" "$3" "$2" >"$run.line"
}
export tmp
export -f one
for v in a b; do
    seq 1 $((runs / 4)) | sed "s/^/pump $v /"
    for app in $workloads; do
        seq 1 $((runs / 16)) | sed "s/^/$app $v /"
    done
done | xargs -P 2 -L 1 bash -c 'one "$@"' _
find "$tmp" -name '*.line' -exec cat {} + >"$tmp/list"
images=$(printf -- '--elf %s ' "$tmp"/*.elf)
bytes=$(find "$tmp" -name '*.weft' -printf '%s\n' | awk '{ sum += $1 } END { printf "%.1f", sum / 1e6 }')
measure "$(wc -l <"$tmp/list") recordings, $bytes MB" \
    $weft merge $images --list "$tmp/list" -o "$tmp/all.p"
echo "paths that one pump took:"
$weft fleet rare --label app=pump "$tmp/all.p"
echo "what changed in the pumps:"
$weft fleet compare --label app=pump --before version=a --after version=b "$tmp/all.p"
echo "the hottest paths of all:"
$weft fleet top --top 5 "$tmp/all.p"

# 10,000 recordings from raw frames: the same ones under other labels.
seq 1 20 | while read -r site; do sed "s/device=/site=$((site % 2)),device=$site-/" "$tmp/list"; done | head -n 10000 >"$tmp/many"
measure "$(wc -l <"$tmp/many") recordings from raw frames" $weft merge $images --list "$tmp/many" -o "$tmp/many.p"

# Device profiles: the forests of targets, without their images.
for app in kernels $workloads; do
    firmware "$tmp/forest.elf" APP=$app PROBES=paths KSF=4 KSF_ONLY=1 KSF_HOLDS=1
    $weft capture "$tmp/forest.elf" -o "$tmp/$app.weft" >"$tmp/log" 2>&1
    $weft merge "$tmp/$app.weft" -o "$tmp/forest-$app.p" >"$tmp/log"
    echo "a device's frames of a day, $app: $(stat -c %s "$tmp/$app.weft") bytes;" \
        "its profile: $(stat -c %s "$tmp/forest-$app.p") bytes"
done
mkdir "$tmp/fleet"
seq 1 $((profiles / 1000)) | xargs -P 2 -I N build/host/tests/bench/fleet_perturb 1000 N "$tmp/fleet/N.p" "$tmp"/forest-*.p
echo "$profiles profiles: $(du -sm "$tmp/fleet" | cut -f 1) MB"
find "$tmp/fleet" -name '*.p' | sort >"$tmp/order"
sort -R "$tmp/order" >"$tmp/other"
measure "$profiles profiles" $weft merge --list "$tmp/order" -o "$tmp/one.p"
measure "$profiles profiles in another order" $weft merge --list "$tmp/other" -o "$tmp/two.p"
cmp "$tmp/one.p" "$tmp/two.p" && echo "the same file"
if [ -x build/host/weft-mpi ]; then
    measure "$profiles profiles with 2 ranks" mpirun --allow-run-as-root --oversubscribe -n 2 $weft merge --mpi "$tmp/order" -o "$tmp/three.p"
    cmp "$tmp/one.p" "$tmp/three.p" && echo "the same file"
fi
echo "the merged profile: $(stat -c %s "$tmp/one.p") bytes"
