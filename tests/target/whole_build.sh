#!/bin/bash
# SPDX-License-Identifier: MIT
# Weft in somebody else's build: the plugin in the flags of all files, Weft's own included, in folders of other names;
# and -flto, with the plugin named at the compile, at the link, at both. A recording that holds nothing, or that lacks a
# part, is never called done. Weft's own files are compiled without optimisation, which takes most of the time;
# WEFT_LONG: as the program is, with -flto as well, and the other ways of -flto.
. tests/lib/check.sh
weft=build/host/weft
plugin="-fplugin=$PWD/build/host/weft_gcc.so -fplugin-arg-weft_gcc-probes=mem"
cpu="-mcpu=cortex-m3 -mthumb"
common="$cpu -std=gnu11 -O1 -g -w -DWEFT_AUTO_BOARD=other -DWEFT_AUTO_ACCESSES=1 -DWEFT_AUTO_VALUES=0 -DWEFT_AUTO_KSF=0
    -DWEFT_AUTO_KSF_ONLY=0 -DWEFT_AUTO_SINK_SEMIHOST -DWEFT_AUTO_CODER_RAW"

# A copy under other names: vendor/engine for core, and so on.
mkdir -p "$tmp/vendor"
for folder in core hal port boards; do cp -r $folder "$tmp/vendor/engine_$folder"; done
find "$tmp/vendor" -name '*.[ch]' -exec sed -i -E 's;#include "(core|hal|port|boards)/;#include "engine_\1/;' {} +
# As port/cortex-m/weft_target.h says: all but the deliveries that are not chosen, the black box, and what wraps main.
own=$(ls "$tmp"/vendor/engine_core/*.c "$tmp"/vendor/engine_port/cortex-m/{,program/}*.c "$tmp/vendor/engine_boards/mps2-an385/board.c" |
    grep -vE '/(blackbox|probes_(last|last_packed|ring)|check_target|autobox|around_main)\.c$')
cat >"$tmp/app.c" <<'C'
#include <stdio.h>
static int table[16];
__attribute__((noinline)) static int mix(int i) { return table[i & 15] = i % 3 ? i * 7 : table[(i + 1) & 15] - i; }
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 300; i++)
        sum += mix(i);
    printf("sum %d\n", sum);
    return 0;
}
C

# compile FOLDER FLAGS...: the objects of all files
compile() {
    local to=$tmp/$1 quickly='-O0 -g0'
    ! in_long || quickly=
    shift
    mkdir -p "$to"
    (cd "$to" && { [ -z "$own" ] || arm-none-eabi-gcc $common -I"$tmp/vendor" "$@" $quickly -c $own; } &&
        arm-none-eabi-gcc $common -I"$tmp/vendor" "$@" -c "$tmp/app.c") 2>"$to.log"
}

# link NAME FOLDER FLAGS...: $tmp/NAME.elf of the folder's objects
link() {
    local name=$1 from=$tmp/$2
    shift 2
    arm-none-eabi-gcc $cpu -O1 -nostartfiles -Wl,--no-warn-rwx-segments -Wl,--build-id=sha1 -T linker/mps2-an385.ld "$@" \
        "$from"/*.o -Wl,--start-group -lc -lm -lgcc -Wl,--end-group -o "$tmp/$name.elf" 2>"$tmp/$name.link"
}

# linked NAME FOLDER FLAGS...: links, and says what is missing where that fails
linked() {
    link "$@" && return
    grep -E 'undefined|multiple|error' "$tmp/$1.link" | sed 's/^/# /' | head -n 20
    return 1
}

# records NAME: it runs, and its recording is that of the program, whole
records() {
    [ -f "$tmp/$1.elf" ] || { verdict "$2" links = "does not"; return; }
    $weft capture --sink semihost --board mps2-an385 --timeout 60 "$tmp/$1.elf" -o "$tmp/$1.weft" --json >"$tmp/$1.json" 2>"$tmp/$1.err"
    local status=$? mixes
    mixes=$($weft dump --elf "$tmp/$1.elf" --events control "$tmp/$1.weft" 2>&1 | grep -c 'entry mix')
    sed 's/^/# /' "$tmp/$1.err"
    verdict "$2" "$status $mixes" = "0 300"
}

compile global $plugin -O0
linked global global; records global "the plugin in the flags of Weft's own files too"
verdict "it notes each file of Weft that it leaves alone" "$(grep -c 'note: weft: this file is part of Weft' "$tmp/global.log")" -gt 20
verdict "and has no function of Weft in the descriptors" "$($weft dump --elf "$tmp/global.elf" "$tmp/global.weft" | grep -c 'entry weft_\|entry __weft')" = 0

# What delivers nothing, or what its descriptors do not explain, is not "done".
refused() { # NAME PATTERN TEXT
    local status=0
    $weft capture --sink semihost --board mps2-an385 --timeout 60 "$tmp/$1.elf" -o "$tmp/$1.weft" >"$tmp/out" 2>"$tmp/err" || status=$?
    sed 's/^/# /' "$tmp/err"
    verdict "weft capture: $3" "$status $(grep -c "$2" "$tmp/err")" = "1 1"
}
# Weft's own files have no probes in any case.
cp -r "$tmp/global" "$tmp/plain" && (cd "$tmp/plain" && arm-none-eabi-gcc $common -I"$tmp/vendor" -O0 -c "$tmp/app.c")
linked plain plain; refused plain 'nothing was recorded: .*no path descriptors' "a program without probes records nothing"
expect "weft info: and says why" 1 '.*events *0.*' $weft info "$tmp/plain.weft"
verdict "on standard error" "$(grep -c 'no event was recorded: .*compiled with weft_gcc.so' "$tmp/stderr")" = 1
arm-none-eabi-objcopy -R .weft.desc "$tmp/global.elf" "$tmp/stripped.elf"
refused stripped 'cannot be decoded: .*no path descriptors' "the descriptors were removed"
arm-none-eabi-objcopy -O binary --only-section=.weft.desc --set-section-flags .weft.desc=alloc "$tmp/global.elf" "$tmp/desc"
size=$(od -An -tu4 -N4 "$tmp/desc")
head -c $((size)) "$tmp/desc" >"$tmp/first"
arm-none-eabi-objcopy --update-section .weft.desc="$tmp/first" "$tmp/global.elf" "$tmp/part.elf"
refused part 'do not cover the code that ran' "descriptors of one function only"

# -flto: of the program alone, beside the objects of Weft above; make test-long: of Weft's own files, too.
in_long || { cp -r "$tmp/global" "$tmp/both" && own=; }
compile both -flto $plugin
linked lto_both both -flto $plugin; records lto_both "-flto, the plugin at both the compile and the link"
link lto_compile both -flto
verdict "-flto with the plugin at the compile only does not link" $? = 1
verdict "and the linker says why" "$(grep -c 'undefined reference to .*flto_needs_the_weft_plugin' "$tmp/lto_compile.link")" -gt 0
if [ -n "${WEFT_LONG:-}" ]; then
    linked lto_one both -flto -flto-partition=none $plugin; records lto_one "-flto in one partition"
    compile bare -flto
    linked lto_link bare -flto $plugin; records lto_link "-flto, the plugin at the link only"
    compile fat -O0 -flto -ffat-lto-objects $plugin
    linked fat fat -fno-lto; records fat "fat objects, linked without -flto"
fi

# ---- make firmware: what changes how objects are made makes them again ----
mkdir "$tmp/folder"
cp "$tmp/app.c" "$tmp/folder"
made() { # MAKE...: functions with probes in the result
    local elf
    elf=$(make -s build-firmware APP="$tmp/folder" "$@" 2>"$tmp/make" | tail -n 1)
    $weft capture "$elf" -o "$tmp/made.weft" >/dev/null 2>&1
    $weft dump --elf "$elf" --events control "$tmp/made.weft" 2>/dev/null | grep -o 'entry [a-z]*' | sort -u | xargs echo
}
verdict "make firmware: both functions" "$(made)" = "entry main entry mix"
verdict "another PLUGIN_MORE" "$(made PLUGIN_MORE=exclude=mix)" = "entry main"
echo "APP_CFLAGS := -Dmix=blend" >"$tmp/folder/app.mk"
verdict "and a new app.mk" "$(made)" = "entry blend entry main"
echo '%/app.c.o: override OPT := -O2 -Dmix=whirl' >"$tmp/folder/app.mk"
verdict "and one that sets a variable of one object" "$(made OPT=-O2)" = "entry main entry whirl"
rm -rf build/fw/mps2-an385/folder-*
