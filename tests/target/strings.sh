#!/bin/bash
# SPDX-License-Identifier: MIT
# Strings and blocks that functions of the C library read or write are announced by their callers, with as many bytes
# as the comments of tests/target/programs/strings say, and the emulator sees each of them moved. A function of such a
# name that has probes itself announces its own, wherever it is defined. Copies of constants, and comparisons with them
# (tests/target/programs/literals.c), are announced as they are made. make test takes -O2, a Cortex-M0 at -Os, and
# values at -O0.
. tests/lib/check.sh
weft=build/host/weft
source=tests/target/programs/strings/strings.c

# blocks FILE.weft ELF: `LINE load room 8, store to 8` for each line of the program with a comment, of the first round.
blocks() {
    $weft dump --elf "$2" "$1" --events bus | sed -nE 's/^[0-9]+ (load|store) 0x[0-9a-f]+ ([0-9]+) ([^ ]+) .*strings\.c:([0-9]+) .*/\4 \1 \3 \2/p' |
        awk 'FNR == NR { if ($0 ~ /\/\* (load|store)/) wanted[FNR]; next }
             !($1 in wanted) { next }
             $1 < last { exit }
             { line = $1; last = $1; $1 = ""; all[line] = all[line] (all[line] ? "," : "") $0 }
             END { for (line in all) print line all[line] }' "$source" - | sort -n
}
grep -nE '/\* (load|store)' $source | sed -E 's/^([0-9]+):.*\/\* (.*) \*\/$/\1 \2/' >"$tmp/wanted"

# announced NAME MAKE...
announced() {
    local name=$1 elf
    shift
    elf=$(make -s build-firmware APP=tests/target/programs/strings "$@" 2>"$tmp/build" | tail -n 1)
    $weft capture "$elf" -o "$tmp/strings.weft" >"$tmp/said" 2>&1
    verdict "${name}_strings_are_recorded_and_nothing_is_lost" $? -eq 0
    blocks "$tmp/strings.weft" "$elf" >"$tmp/blocks"
    diff "$tmp/wanted" "$tmp/blocks" >"$tmp/differ"
    verdict "${name}_strings_have_the_bytes_that_are_moved" $? -eq 0
    sed 's/^/# /' "$tmp/differ" "$tmp/build"
}

announced m3 OPT=-O2 PROBES=mem
announced m0 OPT=-Os PROBES=mem BOARD=microbit
announced plain OPT=-O0 PROBES=values
! in_long || announced ring OPT=-O3 PROBES=values DELIVERY=ring BUS=tre
for opt in -O2 ${WEFT_LONG:+-O0 -Os -O1 -O3}; do
    tests/target/oracle.sh tests/target/programs/strings $opt | grep -av '^# '
done

# Of what is announced, all is made: `moved` and `removed` count what is not.
made() { # WHAT PROGRAM OPT MAKE...
    local what=$1 program=$2
    shift 2
    tests/target/oracle.sh tests/target/programs/$program "$@" >"$tmp/made"
    grep -a '^ok' "$tmp/made"
    grep -av '^ok' "$tmp/made" | grep -aE '^not|removed|moved' | sed 's/^/# /'
    verdict "$what" "$(grep -ac '^ok.*honesty.* moved=0 removed=0$' "$tmp/made")" -eq 1
}
literals() { # NAME OPT MAKE...
    made "$1_literals_are_announced_where_they_are_loaded" literals.c "${@:2}"
}
literals m3_o0 -O0
literals m3_o2 -O2 PROBES=values DERIVE=none
literals m0_os -Os BOARD=microbit
for opt in ${WEFT_LONG:+-O0 -O1 -O2 -O3 -Os}; do
    literals "m3$opt" $opt PACK=1
    literals "m0$opt" $opt BOARD=microbit PROBES=values
done

# String functions of the program's own, in other files than their callers: weak, replaced, under another name, without
# probes; also where the link is what compiles. Nothing is announced twice, and nothing is missing: a library routine
# would be counted as such.
own() { # NAME OPT MAKE...
    made "$1_own_strings_are_announced_once" own_strings "${@:2}"
}
own_lto() { # NAME OPT FLAGS
    local plugin="-fplugin=$PWD/build/host/weft_gcc.so" argument=-fplugin-arg-weft_gcc flags="-flto ${3:-}"
    own "$1" "$2" "FLAGS=$flags" VARIANT=lto \
        APP_LDLIBS="$flags $2 $plugin $argument-probes=mem $argument-oracle $argument-derive=activation"
}
own m3 -O2
own m0 -Os BOARD=microbit PROBES=values
own_lto lto -O2
for opt in ${WEFT_LONG:+-O0 -O1 -O2 -O3 -Os}; do
    own "m3$opt" $opt PACK=1 DERIVE=path
    own "m0$opt" $opt BOARD=microbit DERIVE=none
    own "far$opt" $opt FLAGS=-mlong-calls
    own "throwing$opt" $opt FLAGS=-fnon-call-exceptions
    own_lto "lto$opt" $opt -flto-partition=max
done

# The same call, of the library and of a function in the same file: the second is not announced for its callee.
cat >"$tmp/own.c" <<'END'
#include <stdio.h>
#include <string.h>
static char from[8] = "abc", to[8];
#ifdef OWN
__attribute__((noinline)) char *strcpy(char *t, const char *f)
{
    char *start = t;
    while ((*t++ = *f++) != 0)
        __asm__ volatile("");
    return start;
}
#endif
int main(void)
{
    char *f = from;
    __asm__ volatile("" : "+r"(f));
    puts(strcpy(to, f));
}
END
stores() { # FLAG: how many stores to `to`, and their bytes
    local elf
    elf=$(make -s build-firmware APP="$tmp/own.c" OPT=-O2 FLAGS="$1" PROBES=mem 2>"$tmp/build" | tail -n 1)
    $weft capture "$elf" -o "$tmp/own.weft" >"$tmp/said" 2>&1 &&
        $weft dump --elf "$elf" "$tmp/own.weft" --events bus | awk '$2 == "store" && $5 ~ /^to/ { n++; sum += $4 } END { print n, sum }'
}
verdict the_librarys_strcpy_is_one_block "$(stores -DLIBRARY)" = '1 4'
verdict an_own_strcpy_stores_by_itself "$(stores '-DOWN -fno-tree-loop-distribute-patterns')" = '4 4'
