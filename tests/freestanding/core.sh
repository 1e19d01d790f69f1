#!/bin/bash
# SPDX-License-Identifier: MIT
# The core is freestanding: compiled for M0, M3 and M33 without a libc it needs mem{cpy,move,set,cmp} and the compiler's
# helpers and nothing else, it has no data of its own, and its files keep to the dependency rule.
set -u
cc=arm-none-eabi-gcc
nm=arm-none-eabi-nm
flags=(-std=c11 -ffreestanding -nostdlib -mthumb -Wall -Wextra -Wshadow -Wundef -Wvla -Werror -I.)
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

undefined_are_known() { # CPU: objects in $out/$1
    local known='^(memcpy|memmove|memset|memcmp|__aeabi_.*|__gnu_thumb1_case_.*|__(clz|ctz|ffs|popcount|bswap)[sd]i2)$'
    $nm "$out/$1"/*.o | awk 'NF == 3 { print $3 }' | sort -u >"$out/defined"
    $nm -u "$out/$1"/*.o | awk '/ U / { print $2 }' | sort -u | comm -23 - "$out/defined" | grep -vE "$known" |
        sed 's/$/ is needed/' >"$out/log"
    ! [ -s "$out/log" ]
}

no_data() { # CPU
    $nm "$out/$1"/*.o | awk '$2 ~ /^[bBdDgGsSC]$/ { print $3 " is data" }' >"$out/log"
    ! [ -s "$out/log" ]
}

# Optimised for one, since the compiler turns loops into calls; the others take a third of its time.
declare -A level=([cortex-m0]=-O0 [cortex-m3]=-Os [cortex-m33]=-O0)
for cpu in cortex-m0 cortex-m3 cortex-m33; do
    mkdir "$out/$cpu"
    status=0
    for file in core/*.c; do
        $cc "${flags[@]}" "${level[$cpu]}" -mcpu=$cpu -c "$file" -o "$out/$cpu/$(basename "$file" .c).o" 2>>"$out/log.$cpu" || status=1
    done
    touch "$out/log.$cpu"
    cp "$out/log.$cpu" "$out/log"
    verdict "core compiles freestanding for $cpu" $status
    undefined_are_known $cpu
    verdict "core needs only mem{cpy,move,set,cmp} and compiler helpers on $cpu" $?
    no_data $cpu
    verdict "core has no data of its own on $cpu" $?
done

# A source that includes the header of its name first has shown already that this compiles alone.
shown() { # HEADER
    [ "$(sed -nE 's/^#include ["<]([^">]+).*/\1/p' "${1%.h}.c" 2>/dev/null | head -n 1)" = "$1" ]
}
for header in core/*.h hal/*.h; do
    shown "$header" && continue
    echo "#include \"$header\"" | $cc "${flags[@]}" -mcpu=cortex-m3 -x c -fsyntax-only - 2>"$out/log"
    verdict "$header compiles alone" $?
done
for header in port/cortex-m/*.h boards/*.h; do
    echo "#include \"$header\"" | $cc -std=gnu11 -mthumb -Wall -Wextra -Werror -I. -DBOARD_TIMER_IRQ=1 -mcpu=cortex-m3 \
        -x c -fsyntax-only - 2>"$out/log"
    verdict "$header compiles alone" $?
done
for header in tools/lib/*/*.h tools/weft/*.h tests/lib/*.h; do
    shown "$header" && continue
    echo "#include \"$header\"" | gcc -std=gnu11 -Wall -Wextra -Werror -I. -x c -fsyntax-only - 2>"$out/log"
    verdict "$header compiles alone" $?
done

# `make prove` runs seldom: what it names must be there.
missing=$(sed -nE 's/^runs=(\$runs,)?//p' tests/prove/prove.sh | tr , '\n' | while read -r name; do
    grep -qE "^[a-z].*\b$name\(" core/*.[ch] || echo "# $name"
done)
[ -z "$missing" ] || echo "$missing"
verdict "the functions that make prove names are in the core" $([ -z "$missing" ]; echo $?)
