#!/bin/bash
# SPDX-License-Identifier: MIT
# `make firmware` takes C++, assembler, -I and -D; destructors run; and it prints what the probes add (`weft size`).
. tests/lib/check.sh
mkdir -p "$tmp/mixed" "$tmp/include"
echo '#define ANSWER (20 + ONE)' >"$tmp/include/answer.h"
cat >"$tmp/mixed/main.cpp" <<'END'
#include <stdio.h>
#include "answer.h"
extern "C" int add(int, int);
struct Loud {
    ~Loud() { printf("destructor\n"); }
    int n = ANSWER;
};
static Loud loud;
__attribute__((destructor)) static void last() { printf("end\n"); }
int main()
{
    static Loud inner;
    printf("%d\n", add(loud.n, inner.n));
    return 0;
}
END
printf '.syntax unified\n.thumb\n.global add\n.thumb_func\nadd: adds r0, r0, r1\n bx lr\n' >"$tmp/mixed/add.S"
make -s sized-firmware "APP=$tmp/mixed" "FLAGS=-I$tmp/include -DONE=1" OPT=-O1 >"$tmp/log" 2>&1
elf=$(tail -n 1 "$tmp/log")
verdict "C++ and assembler, with -I and -D" "${elf##*/}" = app.elf
build/host/weft capture "$elf" -o "$tmp/a.weft" >"$tmp/out" 2>"$tmp/printed"
verdict "destructors run, and are recorded" "$(tr '\n' ' ' <"$tmp/printed")" = "42 destructor end destructor "
verdict "C++ is traced" "$(build/host/weft dump "$tmp/a.weft" --elf "$elf" | grep -c 'path .* main')" -ge 1

# What a virtual call names for devirtualisation is not loaded, so it is not an access. Nor is the address of an object
# whose life ends, where that takes no code, nor what it is computed from.
mkdir -p "$tmp/virtual"
cat >"$tmp/virtual/main.cxx" <<'END'
#include <stdio.h>
struct Shape {
    virtual int area(int scale) = 0;
    Shape *next = nullptr;
};
struct Square : Shape {
    int side = 3;
    int area(int scale) override { return side * side * scale; }
};
static Square squares[2];
template <typename T> struct Fifo {
    T *items, *others;
    unsigned at, step;
    T pop()
    {
        T item = items[at];
        items[at * step].~T();
        (step ? items + at : others)->~T();
        at += step;
        return item;
    }
};
static short numbers[2] = {7, 8};
static Fifo<short> fifo = {numbers, numbers, 0, 1};
int main()
{
    squares[0].next = &squares[1];
    int sum = fifo.pop() + fifo.pop();
    for (int turn = 0; turn < 200; turn++)
        sum += squares[turn % 2].next ? squares[0].next->area(turn) : turn;
    printf("%d\n", sum);
    return 0;
}
END
tests/target/oracle.sh "$tmp/virtual" -O0

# A function has one name, whether probes or each instruction say that it ran.
cat >"$tmp/names.cpp" <<'END'
#include <stdio.h>
namespace space {
template <typename T> __attribute__((noinline)) T twice(T x) { return x + x; }
template <unsigned N> __attribute__((noinline)) unsigned long times(unsigned long x) { return x * N; }
}
static __attribute__((noinline)) int cloned(int a, int b)
{
    int s = 0;
    for (int i = 0; i < a; i++)
        s += b ^ i;
    return s;
}
volatile int in = 5;
int main()
{
    printf("%d\n", space::twice<int>(in) + (int)space::twice<float>(in) + cloned(in, 7) + cloned(in + 1, 7) +
           (int)space::times<9>(in));
}
END
elf=$(make -s build-firmware "APP=$tmp/names.cpp" OPT=-O2 | tail -n 1)
names() {
    build/host/weft capture "$@" "$elf" -o "$tmp/names.weft" >/dev/null 2>&1
    build/host/weft functions --json --elf "$elf" "$tmp/names.weft" | python3 -c 'import json, sys
print(*sorted(f["name"] for f in json.load(sys.stdin)["functions"] if f["file"] and f["file"].endswith("names.cpp")))'
}
all="cloned.constprop.0 main space::times<9u> space::twice<float> space::twice<int>"
verdict "names of templates and clones: with probes" "$(names)" = "$all"
verdict "and of a full recording" "$(names --full)" = "$all"
lto=$(make -s build-firmware "APP=$tmp/names.cpp" OPT=-O2 FLAGS=-flto VARIANT=lto \
    APP_LDLIBS="-fplugin=$PWD/build/host/weft_gcc.so -fplugin-arg-weft_gcc-probes=mem" | tail -n 1)
verdict "and with -flto" "$(elf=$lto names)" = "$all"
cat >"$tmp/clones.c" <<'END'
struct three {
    int a, b, c;
};
volatile int in;
static __attribute__((noinline)) int cloned(struct three *of, int k, int unused)
{
    int t = 0;
    for (int i = 0; i < of->a; i++)
        t += of->b * k ^ in;
    return t;
}
int main(void)
{
    struct three of = {in, 2, 3};
    return cloned(&of, 7, 0) + cloned(&of, 7, 0);
}
void _start(void)
{
    main();
    for (;;)
        ;
}
END
for probe in path loop loop_path packed packed_full access derived; do # what the recorder would define
    echo "void __weft_$probe(void) {}"
done >"$tmp/probes.c"
arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -w -c "$tmp/probes.c" -o "$tmp/probes.o"
arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -O2 -flto -g -w -fplugin=build/host/weft_gcc.so -nostdlib \
    -Wl,--unresolved-symbols=ignore-all "$tmp/clones.c" "$tmp/probes.o" -o "$tmp/clones.elf"
verdict "a clone of a clone has all numbers of its symbol" \
    "$(strings -a "$tmp/clones.elf" | grep '^cloned\.' | sort -u)" = cloned.constprop.0.isra.0

# An exception passes several activations of a function: each cleanup is of the one that has it. The target, which keeps
# the paths of an activation in its frame, counts the same.
cleanups() { # MAKE...
    held=$(make -s build-firmware APP=tests/target/programs/cleanups.c FLAGS="-fexceptions $flags" "$@" 2>"$tmp/built" | tail -n 1)
    build/host/weft capture "$held" -o "$tmp/cleanups.weft" >/dev/null 2>&1
}
of_each() { # FROM: sequences of paths, without their numbers
    build/host/weft paths -k 4 --from "$1" --elf "$held" "$tmp/cleanups.weft" | awk -F '\t' '/hold/ { print $1, $3 }' |
        sed 's/cleanups\.c://g' | sort
}
flags=
cleanups OPT=-O0 PROBES=paths
# By hand, of 10 runs with 7 activations each: what begins at an entry and goes on with a cleanup.
sort >"$tmp/wanted" <<'END'
60 all_hold 44-45,47 | all_hold | all_hold 44
10 all_hold 44-45 | all_hold | all_hold 44
30 some_hold 53,55,57-58 | some_hold | some_hold 57
30 hold_twice 64-67 | hold_twice | hold_twice 66
30 hold_twice 64-67 | hold_twice | hold_twice 66 | hold_twice
30 hold_twice 64-65,69,71 | hold_twice | hold_twice 64
10 hold_twice 64-65,69 | hold_twice | hold_twice 64
END
of_each control | grep -E '^[0-9]+ [a-z_]+ (44|53|64).* \| .* \| ' >"$tmp/cleaned"
diff "$tmp/wanted" "$tmp/cleaned" | sed 's/^/# /'
verdict "each activation that an exception passes has its own cleanups" "$(cat "$tmp/cleaned")" = "$(cat "$tmp/wanted")"
# Dump and functions: as many exits as entries, and a cleanup at each depth of the tree.
build/host/weft dump --elf "$held" "$tmp/cleanups.weft" >"$tmp/dumped"
verdict "and is left once" "$(grep -c 'entry .*hold' "$tmp/dumped") $(grep -c 'exit .*hold' "$tmp/dumped")" = "210 210"
build/host/weft functions --tree --elf "$held" "$tmp/cleanups.weft" 2>/dev/null | awk '$NF == "all_hold" { print $4 }' \
    >"$tmp/selves"
verdict "calls in the tree have their own cleanups" "$(sed -n '1,6p' "$tmp/selves" | sort -u | wc -l)" -eq 1
flags=-DRUNS=3000
cleanups OPT=-O0 PROBES=paths VARIANT=many
counted() { # THREADS
    build/host/weft functions --json --threads "$1" --elf "$held" "$tmp/cleanups.weft" 2>/dev/null | md5sum
}
verdict "and counted in parts, too" "$(counted 1)" = "$(counted 7)"
flags=
for build in "-O0 mps2-an385" "-O2 mps2-an385" "-Os microbit"; do
    cleanups OPT="${build% *}" BOARD="${build#* }" PROBES=paths KSF=4 PACK=0
    verdict "the target counts the same, $build" \
        "$(of_each control | wc -l)" -ge 20 -a "$(of_each control)" = "$(of_each profile)"
done

# The sum of what weft size says is the image: the rest is the program without probes.
plain=$(make -s build-firmware "APP=$tmp/mixed" "FLAGS=-I$tmp/include -DONE=1" OPT=-O1 PROBES=none | tail -n 1)
sizes=$(build/host/weft size --without "$plain" "$elf" --json)
number() { sed -E "s/.*\"$1\":([0-9]+).*/\1/" <<<"$sizes"; }
parts=$(($(number plain) + $(number engine) + $(number probes)))
verdict "weft size: text is plain, engine and probes" $parts -eq "$(number text)"
ram=0
for size in $(arm-none-eabi-nm -S "$elf" | awk '$4 ~ /^(trace(_.*)?|slots|ring|spare_bytes|names)$/ { print "0x" $2 }'); do ram=$((ram + size)); done
verdict "weft size: ram holds the recorder" "$(number ram)" -ge "$ram" -a "$(number ram)" -lt $((ram + 256))
verdict "weft size: and says what makes it smaller" "$(grep -c 'trace_slots.*lower WEFT_AUTO_SLOTS' "$tmp/log")" -eq 1
smaller=$(make -s build-firmware "APP=$tmp/mixed" "FLAGS=-I$tmp/include -DONE=1" OPT=-O1 \
    AUTO_CFLAGS=-DWEFT_AUTO_SLOTS=16 VARIANT=small | tail -n 1)
verdict "weft size: which it does" \
    "$(($(number ram) - $(sizes=$(build/host/weft size "$smaller" --json) && number ram)))" -eq $((240 * 8))

# Names that the shell of a rule would take apart.
for name in 'a b.c' 'a;touch ran.c' 'a&touch ran.c' 'a(1).c'; do
    cp tests/target/programs/events.c "$tmp/$name"
    expect "no firmware of a file named $name" 2 '' make -s build-firmware "APP=$tmp/$name"
    verdict "and it says why: $name" "$(grep -c 'cannot be given' "$tmp/stderr")" -eq 1
done
