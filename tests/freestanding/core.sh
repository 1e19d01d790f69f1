#!/bin/bash
# SPDX-License-Identifier: MIT
# The core is freestanding: compiled for M0, M3 and M33 without a libc it needs mem{cpy,move,set,cmp} and the compiler's
# helpers and nothing else, it has no data of its own, and its files keep to the dependency rule.
set -u
nm=arm-none-eabi-nm
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

verdict() { # NAME STATUS: what is wrong was printed to $out/log
    if [ "$2" -eq 0 ]; then
        echo "ok $1"
    else
        sed 's/^/# /' "$out/log"
        echo "not ok $1"
    fi
}

undefined_are_known() { # ARCHIVE
    local known='^(memcpy|memmove|memset|memcmp|__aeabi_.*|__gnu_thumb1_case_.*|__(clz|ctz|ffs|popcount|bswap)[sd]i2)$'
    $nm "$1" | awk 'NF == 3 { print $3 }' | sort -u >"$out/defined"
    $nm -u "$1" | awk '/ U / { print $2 }' | sort -u | comm -23 - "$out/defined" | grep -vE "$known" |
        sed 's/$/ is needed/' >"$out/log"
    ! [ -s "$out/log" ]
}

no_data() { # ARCHIVE
    $nm "$1" | awk '$2 ~ /^[bBdDgGsSC]$/ { print $3 " is data" }' >"$out/log"
    ! [ -s "$out/log" ]
}

# WEFT_LONG: M33, whose instructions are those of M3 and a few more.
for cpu in cortex-m0 cortex-m3 ${WEFT_LONG:+cortex-m33}; do
    make -s build/small/$cpu.a >"$out/log" 2>&1
    verdict "core compiles freestanding for $cpu" $?
    undefined_are_known build/small/$cpu.a
    verdict "core needs only mem{cpy,move,set,cmp} and compiler helpers on $cpu" $?
    no_data build/small/$cpu.a
    verdict "core has no data of its own on $cpu" $?
done

# All in one process of clang-tidy, which shows errors and warnings of clang: a process per header takes ten times as
# long. The check that is named finds nothing in C; it does not run without one.
compile_alone() { # NAME FLAGS HEADER...
    local name=$1 flags=$2
    shift 2
    # shellcheck disable=SC2086 # The flags are words.
    clang-tidy --quiet '--checks=-*,clang-diagnostic-*,llvm-namespace-comment' '--warnings-as-errors=*' "$@" -- -x c $flags \
        -Wall -Wextra -Wno-unused-{function,variable,const-variable} -I. >"$out/log" 2>&1
    status=$?
    [ $status -eq 0 ] || sed -i -n -E '/: (error|warning): /p' "$out/log"
    verdict "$name compile alone: $#" $status
}
# A source that includes the header of its name first has shown already that this compiles alone.
not_shown() { # HEADER...
    printf '%s\n' "$@" | awk '{
        source = substr($0, 1, length - 1) "c"
        first = ""
        while (first == "" && (getline line <source) > 0)
            if (line ~ /^#include/) { split(line, part, /[<">]/); first = part[2] }
        close(source)
        if (first != $0) print
    }'
}
arm='--target=arm-none-eabi -ffreestanding -mcpu=cortex-m3 -mthumb'
# shellcheck disable=SC2046 # The names are words.
{
    compile_alone "headers of core and hal" "$arm -std=c11 -Wshadow -Wundef -Wvla" $(not_shown core/*.h hal/*.h)
    compile_alone "headers of port and boards" "$arm -std=gnu11 -DBOARD_TIMER_IRQ=1" port/cortex-m/*.h boards/*.h
    compile_alone "headers of tools and tests" -std=gnu11 $(not_shown tools/lib/*/*.h tools/weft/*.h tests/lib/*.h)
}
echo 'uint32_t planted(void);' >"$out/planted.h"
compile_alone planted -std=gnu11 "$out/planted.h" | grep -q '^not ok'
verdict "a header that needs another one is found" $?

# `make prove` runs seldom: what it names must be there.
missing=$(sed -nE 's/^runs=(\$runs,)?//p' tests/prove/prove.sh | tr , '\n' | sort -u |
    comm -23 - <(grep -ohE '^[a-z].*\(' core/*.[ch] | grep -oE '\w+\(' | tr -d '(' | sort -u) | sed 's/^/# /')
[ -z "$missing" ] || echo "$missing"
verdict "the functions that make prove names are in the core" $([ -z "$missing" ]; echo $?)
for source in tests/prove/{bytes,frame,runs}.c; do
    gcc -std=gnu11 -I. -fsyntax-only "$source" >"$out/log" 2>&1
    verdict "its contracts in $source are of functions as they are" $?
done
