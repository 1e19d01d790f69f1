#!/bin/bash
# SPDX-License-Identifier: MIT
# A simulated fleet, figures only. Recordings of different runs of a workload in two versions, with a planted rare path
# and a planted slow-down; their merging at the speed of all cores; profiles of many devices made from real ones by
# perturbation, merged in several orders; 10,000 recordings from raw frames. WEFT_QUICK=1: a hundredth of it.
# FLEET_RUNS, FLEET_PROFILES: other numbers.
. tests/lib/check.sh
weft=build/host/weft
runs=${FLEET_RUNS:-${WEFT_QUICK:+10}}
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
for v in a b; do
    cp "$(make -s build-firmware APP="$tmp/$v/fleet.c" PROBES=paths | tail -n 1)" "$tmp/$v.elf"
done
one() { # VERSION NUMBER
    local fault=
    [ "$1$2" = b7 ] && fault=' fault'
    build/host/weft capture "$tmp/$1.elf" -o "$tmp/$1$2.weft" --argument "fleet $((RANDOM * 7 + $2))$fault" >"$tmp/$1$2.log" 2>&1
    printf '%s\tdevice=%s,version=%s\n' "$tmp/$1$2.weft" "$2" "$1" >"$tmp/$1$2.line"
}
export tmp
export -f one
for v in a b; do seq 1 $((runs / 2)) | sed "s/^/$v /"; done | xargs -P 2 -L 1 bash -c 'RANDOM=$1; one "$@"' _
find "$tmp" -name '*.line' -exec cat {} + >"$tmp/list"
images="--elf $tmp/a.elf --elf $tmp/b.elf"
measure "$runs recordings" $weft merge $images --list "$tmp/list" -o "$tmp/all.p"
echo "paths that one device took:"
$weft fleet rare "$tmp/all.p"
echo "what changed:"
$weft fleet compare --before version=a --after version=b "$tmp/all.p"

# 10,000 recordings from raw frames: the same ones under other labels.
seq 1 20 | while read -r site; do sed "s/device=/site=$((site % 2)),device=$site-/" "$tmp/list"; done | head -n 10000 >"$tmp/many"
measure "$(wc -l <"$tmp/many") recordings from raw frames" $weft merge $images --list "$tmp/many" -o "$tmp/many.p"

# Device profiles: the forest of a target, without its image.
elf=$(make -s build-firmware APP=kernels PROBES=paths KSF=4 | tail -n 1)
$weft capture "$elf" -o "$tmp/forest.weft" >"$tmp/log" 2>&1
$weft merge "$tmp/forest.weft" -o "$tmp/forest.p" >"$tmp/log"
echo "a device's frames of a day: $(stat -c %s "$tmp/forest.weft") bytes; its profile: $(stat -c %s "$tmp/forest.p") bytes"
mkdir "$tmp/fleet"
seq 1 $((profiles / 1000)) | xargs -P 2 -I N build/host/tests/bench/fleet_perturb 1000 N "$tmp/fleet/N.p" "$tmp/forest.p"
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
