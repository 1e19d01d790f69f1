#!/bin/bash
# SPDX-License-Identifier: MIT
# --threads: what is done in parts of the frames gives the same bytes with any number of parts, whole and damaged.
. tests/lib/check.sh
weft=build/host/weft
cat >"$tmp/small.c" <<'C'
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#define ICSR (*(volatile uint32_t *)0xe000ed04)
static volatile uint32_t taken, table[64];
static jmp_buf back;
void PendSV_Handler(void)
{
    for (int i = 0; i < 8; i++)
        table[i] += taken++;
}
__attribute__((noinline)) static uint32_t deep(uint32_t n)
{
    if (n == 0 && taken % 3 == 0)
        longjmp(back, 1);
    uint32_t all = n ? deep(n - 1) : 0;
    for (uint32_t i = 0; i < n % 5; i++)
        all += table[i];
    return all;
}
int main(void)
{
    uint32_t all = 0;
    for (volatile uint32_t i = 0; i < 600; i++) {
        if (i % 10 == 0)
            ICSR = 1u << 28;
        if (!setjmp(back))
            all += deep(i % 23);
    }
    printf("%u\n", (unsigned)all);
    return 0;
}
C
elf=$(make -s build-firmware APP="$tmp/small.c" PROBES=mem AUTO_CFLAGS=-DWEFT_AUTO_FRAME=256 VARIANT=parts 2>"$tmp/log" | tail -n 1)
in=$tmp/run.weft
$weft capture "$elf" -o "$in" >"$tmp/log" 2>&1 || cat "$tmp/log"
frames=$($weft info --json "$in" 2>"$tmp/log" | sed 's/.*"frames":\([0-9]*\).*/\1/')
verdict "there are frames enough to divide" "${frames:-0}" -ge 20
size=$(stat -c %s "$in")
{ head -c $((size / 3)) "$in"; tail -c +$((size / 3 + 700)) "$in"; } >"$tmp/torn.weft"

same() { # NAME INPUT COMMAND...
    local name=$1 input=$2 n equal=1
    shift 2
    for n in 1 2 3 7; do
        $weft "$@" --elf "$elf" --threads $n "$input" >"$tmp/out.$n" 2>"$tmp/err.$n"
        echo "status $?" >>"$tmp/out.$n"
        cmp -s "$tmp/out.1" "$tmp/out.$n" && cmp -s "$tmp/err.1" "$tmp/err.$n" || equal=0
    done
    verdict "$name: 1, 2, 3 and 7 threads, the same bytes" "$equal" -eq 1
    verdict "$name: there is something to compare" "$(wc -l <"$tmp/out.1")" -ge 3
}

for input in "$in" "$tmp/torn.weft"; do
    of=$(basename "$input" .weft)
    same "paths -k 1, $of" "$input" paths -k 1
    same "paths -k 6, $of" "$input" paths -k 6
    same "paths of a function, $of" "$input" paths -k 4 --function deep
    same "paths of a context, $of" "$input" paths -k 4 --context PendSV_Handler
    same "coverage, $of" "$input" coverage --lines
    same "info, $of" "$input" info
    same "dump, $of" "$input" dump --events control
    same "dump of all, $of" "$input" dump
    same "dump of a function, as JSON, $of" "$input" dump --json --function deep
    same "functions, $of" "$input" functions --tree

    # Without any events: the accesses that were counted are those that the events say.
    $weft dump --elf "$elf" "$input" --events bus >"$tmp/dump" 2>"$tmp/err"
    all=$(grep -cE '^[0-9]+ (load|store) ' "$tmp/dump")
    unknown=$(grep -cE '^[0-9]+ (load|store) unknown ' "$tmp/dump")
    said=$($weft info --json --elf "$elf" "$input" 2>"$tmp/err" | tr -d ' ' |
        sed 's/.*"derived":{"recorded":\([0-9]*\),"derived":\([0-9]*\),"unknown":\([0-9]*\).*/\1 \2 \3/')
    read -r recorded derived missing <<<"$said"
    verdict "info, $of: $all accesses, $unknown unknown, as dump has them" \
        "$((recorded + derived + missing)),$missing" = "$all,$unknown"
done
expect "64 threads are more than there are frames" 0 '.*' $weft info --threads 64 "$in"
expect "no threads are refused" 2 '' $weft info --threads 0 "$in"
