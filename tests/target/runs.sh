#!/bin/bash
# SPDX-License-Identifier: MIT
# Recordings of instructions: paths and sites of full recordings and whole execution traces, and a naive model of them;
# traces as the recordings that they were made of. make test-long: another core and level, and threads in all of it.
. tests/lib/check.sh
weft=build/host/weft
cat >"$tmp/small.c" <<'C'
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#define ICSR (*(volatile uint32_t *)0xe000ed04)
static volatile uint32_t taken, table[32];
static jmp_buf back;
void PendSV_Handler(void)
{
    for (int i = 0; i < 3; i++)
        table[i] += taken++;
}
__attribute__((noinline)) static int chosen(int n)
{
    switch (n % 7) {
    case 0: return (int)table[1];
    case 1: return n * (int)table[2];
    case 2: table[3] += 2; return 5;
    case 3: return n / 3;
    case 4: table[4]--; return 7;
    case 5: return (int)table[n % 32];
    default: return n;
    }
}
__attribute__((noinline)) static int depth(int n) { return n <= 1 ? chosen(n) : depth(n - 1) + depth(n - 2) % 5; }
__attribute__((noinline)) static int tail(int n) { return n % 3 ? chosen(n + 1) : depth(n % 6); }
__attribute__((noinline)) static int thrown(int n)
{
    if (n % 5 == 0)
        longjmp(back, n + 1);
    return tail(n);
}
static int (*const calls[])(int) = {chosen, depth, tail, thrown};
int main(void)
{
    int sum = 0;
    for (volatile int i = 0; i < 60; i++) {
        if (i % 9 == 4)
            ICSR = 1u << 28;
        if (!setjmp(back))
            sum += calls[i % 4](i % 11);
        else
            sum ^= i;
    }
    printf("%d\n", sum);
    return 0;
}
C
run() { # NAME MAKE...: a full recording in $tmp/NAME.weft, with NAME.elf and NAME.wet
    cp "$(make -s build-firmware PROBES=none "${@:2}" 2>"$tmp/log" | tail -n 1)" "$tmp/$1.elf"
    $weft capture --full --icount 5 "$tmp/$1.elf" -o "$tmp/$1.weft" >"$tmp/log" 2>&1
    $weft wet build "$tmp/$1.weft" --elf "$tmp/$1.elf" -o "$tmp/$1.wet" >"$tmp/log" 2>&1
}
same() { # NAME: all four, from both files, against the model
    local at=$tmp/$1 kind
    $weft dump --elf "$at.elf" "$at.weft" | python3 tests/lib/executed_paths.py "$at.elf" "$at" >"$at.counts"
    read -r all different <"$at.counts"
    for kind in weft wet; do
        $weft grammar "$at.$kind" >"$tmp/grammar" && $weft grammar --expand "$tmp/grammar" >"$tmp/stream"
        verdict "$1.$kind: $all paths, $different different ones, in the order of the model" \
            "$(tr -s '\n ' '\n\n' <"$tmp/stream" | cmp - <(tr ' ' '\n' <"$at.stream") && echo same)" = same
        verdict "$1.$kind: loops has them" "$($weft loops --window 64 --json "$at.$kind" |
            python3 -c 'import json, sys; print(json.load(sys.stdin)["length"])')" = "$all"
        verdict "$1.$kind: sequences of two" "$($weft paths -k 2 "$at.$kind" | cut -f 1,2 | LC_ALL=C sort |
            cmp - <(LC_ALL=C sort "$at.pairs") && echo same)" = same
        verdict "$1.$kind: hot knows their instructions" "$($weft hot --min-cost 1 --min-length 1 --max-length 1 "$at.$kind" |
            awk -F '\t' '{ print $3, $1 / $2 }' | sort -n | cut -d ' ' -f 2 | cmp - "$at.costs" && echo same)" = same
        verdict "$1.$kind: those of main" "$($weft paths --function main "$at.$kind" | awk '{ n += $1 } END { print n }')" = \
            "$(wc -w <"$at.main")"
    done
}
run small APP="$tmp/small.c" OPT=-O2
same small
! in_long || { run cores BOARD=microbit APP="$tmp/small.c" OPT=-Os && same cores; }
run threads APP=threads
! in_long || same threads
run nested BOARD=microbit APP=interrupts VARIANT=short INTERRUPT_ITEMS=17
same nested

# The events of a whole execution trace are those of the recording that it was made of, whatever reads them.
! in_long || run cleared BOARD=mps3-an547 APP=interrupts VARIANT=short INTERRUPT_ITEMS=17
printf 'int main(void) { volatile int *p = (int *)0xf0000000; return p[3]; }\n' >"$tmp/fault.c"
run fault APP="$tmp/fault.c"
for name in small ${WEFT_LONG:+cores cleared} threads nested fault; do
    at=$tmp/$name
    for command in dump stack irq io race 'functions --tree'; do
        case $name${WEFT_LONG:+-long}' '$command in
        threads*' dump') continue ;; # long; the others say whether threads are the same
        'threads '[!sr]*) continue ;;
        esac
        $weft $command --json --elf "$at.elf" "$at.weft" >"$tmp/of_full" 2>"$tmp/stderr"
        status=$?
        $weft $command --json --elf "$at.elf" "$at.wet" >"$tmp/of_trace" 2>"$tmp/stderr"
        verdict "$name: ${command%% *} of the trace is that of the recording" \
            "$? $(cmp "$tmp/of_full" "$tmp/of_trace" && echo same)" = "$status same" -a -s "$tmp/of_full"
    done
    expect "$name: diff finds them equal" 0 '{"equal":true.*' \
        $weft diff --json --elf "$at.elf" "$at.weft" "$at.wet"
done
expect 'stack of a trace: another program' 1 '' $weft stack --elf "$tmp/nested.elf" "$tmp/small.wet"
expect 'dump of a trace: another program' 1 '' $weft dump --elf "$tmp/nested.elf" "$tmp/small.wet"
# Another instruction where the run ends, after 100,000 and more that are the same. With a seal the image is refused.
cp "$tmp/threads.elf" "$tmp/late.elf"
arm-none-eabi-objcopy -R .weft.seal "$tmp/late.elf"
python3 - "$tmp/late.elf" "$(arm-none-eabi-nm "$tmp/late.elf" | awk '$3 == "_exit" { print $1 }')" <<'EOF'
import struct
import sys

elf = bytearray(open(sys.argv[1], "rb").read())
(segments,) = struct.unpack_from("<I", elf, 28)
offset, start = struct.unpack_from("<II", elf, segments + 4)
elf[(int(sys.argv[2], 16) & ~1) - start + offset] ^= 1
open(sys.argv[1], "wb").write(elf)
EOF
for kind in weft wet; do
    $weft dump --json --events control --elf "$tmp/late.elf" "$tmp/threads.$kind" >"$tmp/dump" 2>"$tmp/stderr"
    verdict "dump of threads.$kind: another end of the program" "$? $(grep -cm 1 '"instruction"' "$tmp/dump")" = '1 1'
    verdict 'and which it says' "$(grep -c 'another instruction at' "$tmp/stderr")" = 1
done

# model: each instruction that loads or stores is a site, with all of its accesses.
by_site() { # NAME KIND
    $weft model --json "$tmp/$1.$2" | python3 -c 'import json, sys
for s in json.load(sys.stdin)["sites"]:
    assert s["exact"]
    print(hex(s["site"]), "store" if s["store"] else "load", s["accesses"])' | sort
}
for name in small ${WEFT_LONG:+threads nested}; do
    $weft dump --events bus --elf "$tmp/$name.elf" "$tmp/$name.weft" | awk '{ print $NF, $2 }' | sort | uniq -c |
        awk '{ print $2, $3, $1 }' | sort >"$tmp/sites"
    for kind in weft wet; do
        verdict "$name.$kind: model has $(wc -l <"$tmp/sites") sites, and their accesses" \
            "$(by_site $name $kind | cmp - "$tmp/sites" && echo same)" = same
    done
done
verdict 'model: of a function' "$($weft model --json --function chosen "$tmp/small.weft" | python3 -c 'import json, sys
print(*{s["function"] for s in json.load(sys.stdin)["sites"]})')" = chosen
