#!/bin/bash
# SPDX-License-Identifier: MIT
# Makes tests/fuzz/fixed (the images and recordings that readers are given beside an input) and first inputs for the
# fuzzers: seeds.sh FOLDER writes FOLDER/READER/NAME. Needed when a format changes: the inputs in tests/fuzz/corpus are
# what the fuzzers made of these. Run from the repository's root after make build-host, build/fuzz/weft and
# build/fuzz/seal.
set -eu
to=$1
fixed=tests/fuzz/fixed
weft=build/fuzz/weft
mkdir -p "$to" $fixed
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS=detect_leaks=0

# The images do not say where they were made.
nowhere=-fdebug-prefix-map=$PWD=.
# Only the program itself has debug information: the images are small.
mkdir -p "$work/host" "$work/libc"
cp build/host/weft build/host/weft_gcc.so "$work/host"
for lib in libc.a libm.a libgcc.a librdimon.a; do
    file=$(arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -print-file-name=$lib)
    [ ! -f "$file" ] || arm-none-eabi-strip -g -o "$work/libc/$lib" "$file"
done
firmware() { # VARIANT...
    make -s BUILD="$work" build-firmware APP=tests/fuzz/afl/program.c PROBES=values "$@" \
        APP_CFLAGS="$nowhere" APP_LDLIBS="-L$work/libc -Wl,-z,max-page-size=4" | tail -n 1
}
image() { # NAME VARIANT...: its recording is $work/NAME.weft
    local elf name=$1
    shift
    elf=$(firmware "$@")
    find "$work/fw" \( -name '*.a' -o -name '*.o' \) ! -path '*/program*/obj/*' -exec arm-none-eabi-strip -g {} +
    rm "$elf"
    elf=$(firmware "$@")
    build/host/weft capture --icount 0 "$elf" -o "$work/$name.weft" >&2
    arm-none-eabi-objcopy --remove-section .note.gnu.build-id "$elf" "$work/$name.elf"
    tests/fuzz/afl/descriptors.py "$work/$name.elf"
}
image raw
image loops CODER=loops BUS=tre-bfcm
image grammar CODER=grammar BUS=bfcm
image profile KSF=2
image ring BUS=tre SINK=ring
image paths PROBES=paths KSF=2 KSF_ONLY=1
image packs PROBES=paths PACK=1
cp "$work/raw.elf" $fixed/probed.elf
chmod -x $fixed/probed.elf
for name in raw loops grammar profile ring paths packs; do build/fuzz/seal "$work/$name.weft" "$work/$name.sealed"; done
cp "$work/raw.sealed" $fixed/probed.weft
arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -O1 -g -nostdlib -nostartfiles "$nowhere" \
    -Wl,--section-start=.vectors=0,-Ttext=0x40 \
    -Wl,-Tdata=0x20000000,--build-id=none,-e,Reset_Handler,-z,max-page-size=4 tests/fuzz/afl/bare.c \
    -o $fixed/bare.elf
chmod -x $fixed/bare.elf
build/host/weft capture --full --icount 0 $fixed/bare.elf -o "$work/bare.weft" >&2
build/fuzz/seal "$work/bare.weft" $fixed/bare.weft
$weft wet build $fixed/bare.weft --elf $fixed/bare.elf -o $fixed/bare.wet >&2
for ((i = 0; i < 60; i++)); do echo $((i % 7 * 4 + i % 3)); done >$fixed/numbers

# The first byte chooses the command (tests/lib/readers.c).
put() { # READER FILE [COMMANDS]: once for each of its commands
    mkdir -p "$to/$1"
    for ((i = 0; i < ${3:-1}; i++)); do
        { printf '%b' "\\x$(printf %02x $i)"; cat "$2"; } >"$to/$1/$(basename "$2")-$i"
    done
}
put container "$work/raw.sealed" 26
for name in loops grammar profile ring paths packs; do put container "$work/$name.sealed" 2; done
cat "$work/raw.sealed" "$work/loops.sealed" >"$work/both"
put container "$work/both"
for file in tests/golden/v[12]/*.weft; do
    [ "$(wc -c <"$file")" -gt 1500 ] || { build/fuzz/seal "$file" "$work/golden-$(basename "$file")" &&
        put container "$work/golden-$(basename "$file")"; }
done
put full $fixed/bare.weft 14
python3 tests/fuzz/afl/small_full.py $fixed/bare.weft "$to/full"
put wet $fixed/bare.wet 10
$weft wet build --tier 1 $fixed/bare.weft --elf $fixed/bare.elf -o "$work/tier1" >&2
put wet "$work/tier1" 2
put packets <(printf '%s\n' 'qSupported:multiprocess+' '?' g 'm20000000,20' s bs c bc 'Z0,94,2' c 'Z2,20000000,4' bc \
    'p0' 'qXfer:features:read:target.xml:0,fff' 'qRcmd,77656674' vCont? 'vCont;s' 'P0=1' 'M20000000,2:0102' k)
mv "$to"/packets/* "$to/packets/session"
mkdir -p "$to/arrivals" "$to/messages" "$to/answers"
tests/fuzz/afl/client_inputs.py $fixed "$to"
mkdir -p "$to/memory"
tests/fuzz/afl/memory_inputs.py $fixed "$to/memory"
for format in text chars u32 i64; do
    for backward in "" --backward; do
        $weft squeeze $fixed/numbers --format $format $backward -o "$work/squeezed-$format$backward" >&2 || continue
        put squeezed "$work/squeezed-$format$backward" 3
    done
done
put stream $fixed/numbers 16
$weft model $fixed/numbers -o "$work/model" >"$work/model.txt"
put model "$work/model"
put model "$work/model.txt"
tests/fuzz/afl/model_inputs.py $weft "$to/model"
$weft loops $fixed/numbers --binary "$work/nest" >"$work/nest.txt"
$weft loops --format chars $fixed/numbers --binary "$work/nest.chars" >&2
put nest "$work/nest"
put nest "$work/nest.chars"
$weft grammar $fixed/numbers -o "$work/wpp"
$weft grammar $fixed/numbers >"$work/rules"
$weft grammar --json $fixed/numbers >"$work/rules.json"
$weft grammar --runs --format chars $fixed/numbers >"$work/rules.chars"
for file in wpp rules rules.json rules.chars; do put grammar "$work/$file" 2; done
tests/fuzz/afl/small_wpp.py $weft "$to/grammar"
$weft merge --elf $fixed/probed.elf --label v=1 "$work/raw.sealed" -o "$work/one" >&2
$weft merge --elf $fixed/probed.elf --label v=2 "$work/loops.sealed" -o "$work/two" >&2
$weft merge "$work/one" "$work/two" -o "$work/merged" >&2
put profile "$work/one" 6
put profile "$work/merged" 6
put image $fixed/bare.elf 12
# Without what its descriptors and debug information do not need.
arm-none-eabi-objcopy -R .text -R .data -R .ARM.attributes -R .debug_frame --strip-unneeded $fixed/probed.elf \
    "$work/described.elf"
put image "$work/described.elf" 4
cp tests/target/inspect/timer.svd "$work/timer"
put svd "$work/timer"
for folder in "$to"/*; do echo "$(basename "$folder"): $(ls "$folder" | wc -l) inputs"; done
