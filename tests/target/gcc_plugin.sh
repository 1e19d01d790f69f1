#!/bin/bash
# SPDX-License-Identifier: MIT
# The compiler plugin against the emulator: nasty programs, at every level of optimisation, with every set of probes
# (here each level and each set once or twice; WEFT_LONG: most pairs of them).
# The emulator sees the calls of the probes and the markers, and each load and store; tests/target/plugin/compare.c
# checks them against the descriptors. What the program prints must be what it prints without probes.
. tests/lib/check.sh
here=tests/target/plugin
fw=build/fw/mps2-an385
target="arm-none-eabi-gcc -std=gnu11 -mcpu=cortex-m3 -mthumb -g -w"
mkdir -p $fw
flock $fw/.lock make -s $fw/libweft.a || exit 1
gcc -std=gnu11 -O2 -I. $here/compare.c build/host/libweft.a -ldw -lelf -lyajl -lz -lstdc++ -o "$tmp/compare" || exit 1
$target -O2 -c $here/stubs.c -o "$tmp/stubs.o" || exit 1

build() { # DIR OPT FLAGS...: compiles and links into DIR/app.elf
    local out=$1 opt=$2 file
    shift 2
    mkdir -p "$out"
    for file in nasty control calls memory nasty_other nasty_strong; do
        $target "$opt" "$@" -I. -c $here/$file.c -o "$out/$file.o" || return 1
    done
    arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -nostartfiles -Wl,--no-warn-rwx-segments -Wl,--gc-sections \
        -T linker/mps2-an385.ld $fw/obj/port/cortex-m/program/startup.o "$out"/*.o "$tmp/stubs.o" \
        -Wl,--start-group $fw/libweft.a -lc -lm -Wl,--end-group \
        -o "$out/app.elf"
}

emulate() { # ELF ARGUMENTS...: what it prints, and its exit status
    local elf=$1
    shift
    timeout 100 qemu-system-arm -M mps2-an385 -display none -monitor none -serial none \
        -semihosting-config enable=on,target=native,arg=nasty "$@" -kernel "$elf" 2>&1 </dev/null
    echo "exit status $?"
}

functions() { # ELF: the probes, for the emulator plugin
    arm-none-eabi-nm "$1" | awk 'BEGIN {
            split("path kpath kpath_exit access value value64 mark derived stamp loop loop_path", names)
        }
        { at[$3] = $1 }
        END { for (i = 1; i in names; i++) printf ",function=%s:%s", names[i], at["__weft_" names[i]] }'
}

one() { # OPT MODE OPTIONS...
    local opt=$1 mode=$2 name out flags=() option
    shift 2
    name="nasty programs, $opt, $mode $*"
    out=$tmp/$opt-$mode-${*// /-}
    for option in "mode=$mode" oracle "$@"; do
        case $option in
        -*)
            flags+=("$option")
            build "$out" -O1 "$option" && plain=$(emulate "$out/app.elf")
            ;;
        *) flags+=("-fplugin-arg-weft_gcc-$option") ;;
        esac
    done
    # A nonlocal goto leaves a path that spans calls unfinished.
    [ "$mode" = cut ] || flags+=(-DWITHOUT_JUMPS)
    build "$out" "$opt" -fchecking -fplugin=build/host/weft_gcc.so "${flags[@]}" ||
        { echo "not ok $name: compiled"; return; }
    emulate "$out/app.elf" >"$out/printed" \
        -plugin "build/host/weft_qemu.so,mode=probes,out=$out/seen$(functions "$out/app.elf")"
    if [ "$mode" = cut ]; then verdict "$name: prints the same" "$(cat "$out/printed")" = "$plain"; fi
    if "$tmp/compare" "$out/app.elf" "$out/seen" "$mode"; then echo "ok $name"; else echo "not ok $name"; fi
    rm -rf "$out"
}

build "$tmp/plain" -O1 || exit 1
plain=$(emulate "$tmp/plain/app.elf")
verdict "nasty programs run without probes" "${plain##*exit status }" = 0
export -f one build emulate functions verdict
export plain tmp here fw target
{
    echo "-O0 cut probes=mem"
    for opt in ${WEFT_LONG:+-O2 -Os}; do echo "$opt cut probes=mem"; done
    # Other cores' code, which this one runs.
    echo "-O2 cut probes=mem -mcpu=cortex-m0"
    echo "-O2 cut probes=values ksf"
    echo "-Os cut probes=mem derive=activation"
    echo "-O2 cut probes=paths exact"
    echo "-O3 span limit=100"
    if [ -n "${WEFT_LONG:-}" ]; then
        echo "-O2 cut probes=mem derive=activation"
        echo "-O2 cut probes=paths"
        echo "-O2 span limit=100"
        echo "-O3 span"
        for opt in -O1 -O3; do echo "$opt cut probes=mem"; done
        echo "-Os cut probes=mem -mpure-code"
        echo "-O0 cut probes=values"
        echo "-O0 cut probes=mem derive=activation"
        echo "-O2 cut probes=mem derive=none"
        echo "-O0 cut probes=paths"
        echo "-O2 cut probes=paths -mcpu=cortex-m0"
        echo "-O2 cut limit=10"
        echo "-O0 span ksf"
        echo "-Og cut probes=mem"
        echo "-O0 cut probes=mem -mcpu=cortex-m0"
        echo "-O1 cut probes=paths"
        echo "-Os cut probes=paths"
    fi
} | xargs -P "${JOBS:-2}" -I {} bash -c 'set -u; one {}'

# ---- the sections cost nothing --------------------------------------------------------------------------------------
mkdir "$tmp/sections"
build "$tmp/sections" -O2 -ffunction-sections -fplugin=build/host/weft_gcc.so -fplugin-arg-weft_gcc-probes=mem || exit 1
elf=$tmp/sections/app.elf
sections=$(arm-none-eabi-readelf -SW "$elf" | sed 's/^ *\[ *[0-9]*\] *//')
verdict "numbers and descriptors stand at address 0" \
    "$(grep -cE '^\.weft\.(paths|sites|blocks|desc) +[A-Z]+ +00000000' <<<"$sections")" = 4
allocated=$(grep -E '^\.weft\.(paths|sites|blocks|desc)' <<<"$sections" | awk '{ print $7 }' | sort -u)
verdict "they are not allocated" "$allocated" = 0
arm-none-eabi-objcopy -O binary "$elf" "$tmp/full"
arm-none-eabi-objcopy -O binary -R '.weft.*' "$elf" "$tmp/bare"
verdict "the image is the same without them" "$(cksum <"$tmp/full")" = "$(cksum <"$tmp/bare")"

# ---- options --------------------------------------------------------------------------------------------------------
compile() {
    local flags=() option
    for option in "$@"; do flags+=("-fplugin-arg-weft_gcc-$option"); done
    $target -fplugin=build/host/weft_gcc.so "${flags[@]}" -S $here/nasty_other.c -o "$tmp/out.s"
}
expect "an unknown option is an error" 1 '' compile bogus
verdict "that names the options there are" "$(grep -c 'bogus.*mode=cut|span' "$tmp/stderr")" = 1
expect "an unknown value is an error" 1 '' compile mode=both
expect "accesses are refused in span mode" 1 '' compile mode=span probes=mem
probed() {
    compile "$@" && grep '^	\.4byte	.*Lweft_path' "$tmp/out.s" | sort -u | grep -c . # it stands there twice
}
expect "all functions of the file" 0 3 probed mode=cut
expect "only those included" 0 1 probed 'include=other_*'
expect "none of those excluded" 0 1 probed 'exclude=first,weak_on?' exclude=nothing 'exclude=weak'
expect "by file" 0 3 probed include-file=nasty_other.c
expect "not by file" 1 0 probed 'exclude-file=*/plugin/nasty_*'

printf '# traced\n  other_*\r\n\nnothing # of that name\n' >"$tmp/list"
printf '*/plugin/nasty_*' >"$tmp/files"
printf '# nothing\n' >"$tmp/empty"
expect "those of a list in a file" 0 1 probed "include=@$tmp/list"
expect "lists and globs together" 0 2 probed "include=@$tmp/list,first"
expect "none of the files of a list" 1 0 probed "exclude-file=@$tmp/files"
expect "a list of nothing is an error" 1 '' compile "include=@$tmp/empty"
expect "so is one that cannot be read" 1 '' compile "exclude=@$tmp/missing"
verdict "that is named" "$(grep -c "missing.*cannot be read: No such file" "$tmp/stderr")" = 1

# ---- sinks ----------------------------------------------------------------------------------------------------------
cat >"$tmp/sink.c" <<'END'
#include "hal/sink.h"
volatile uint8_t port;
static weft_status send(void *context, const uint8_t *frame, size_t size)
{
    for (; size; size--)
        port = context ? 0 : *frame++;
    return WEFT_OK;
}
weft_sink sink = {0, send};
weft_status other(const uint8_t *frame, size_t size)
{
    return send(0, frame, size);
}
END
sinks() {
    $target -x "$1" -I. -fno-inline -fplugin=build/host/weft_gcc.so -S "$tmp/sink.c" -o "$tmp/out.s" &&
        grep '^	\.4byte	.*Lweft_path' "$tmp/out.s" | sort -u | grep -c .
}
expect "the function of a sink has no probes" 0 1 sinks c
expect "nor in C++" 0 1 sinks c++
