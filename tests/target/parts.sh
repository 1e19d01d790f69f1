#!/bin/bash
# SPDX-License-Identifier: MIT
# --threads: what is done in parts of the frames gives the same bytes with any number of parts, whole and damaged.
# make test-long: 2 and 7 parts, all commands of what is damaged, and ranges of other probes.
. tests/lib/check.sh
weft=build/host/weft
threads="1 ${WEFT_LONG:+2 7 }3"
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
    case $name${WEFT_LONG:+, long} in
    "paths -k 1, torn" | "paths of a "*", torn" | "dump, torn" | "dump of a function"*", torn") return ;;
    esac
    for n in $threads; do
        $weft "$@" --elf "$elf" --threads $n "$input" >"$tmp/out.$n" 2>"$tmp/err.$n"
        echo "status $?" >>"$tmp/out.$n"
        cmp -s "$tmp/out.1" "$tmp/out.$n" && cmp -s "$tmp/err.1" "$tmp/err.$n" || equal=0
    done
    verdict "$name: $threads threads, the same bytes" "$equal" -eq 1
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

# Replays in ranges (tools/lib/recording/replay_all.c): bases that stay over ranges and are lost in gaps, recursion,
# interrupts within paths. A longjmp in small.c keeps all of it in one replay.
cat >"$tmp/ranges.c" <<'C'
#include <stdint.h>
#include <stdio.h>
#define ICSR (*(volatile uint32_t *)0xe000ed04)
static volatile uint32_t taken, sums[16];
static uint32_t table[64];
void PendSV_Handler(void)
{
    for (int i = 0; i < 4; i++)
        sums[i] += taken++;
}
__attribute__((noinline)) static void fill(uint32_t *to, uint32_t count, uint32_t seed)
{
    for (uint32_t i = 0; i < count; i++) {
        if ((seed + i) % 31 == 0)
            ICSR = 1u << 28;
        to[i] += (uint32_t)seed * i;
    }
}
__attribute__((noinline)) static uint32_t deep(uint32_t *at, uint32_t n)
{
    uint32_t local[4] = {n, 1, 2, 3};
    fill(local, 1 + n % 4, n);
    uint32_t below = n ? deep(at + 1, n - 1) : 0;
    *at += local[n % 4] + below;
    return *at ^ below;
}
int main(void)
{
    uint32_t all = 0, own[8] = {0};
    for (uint32_t i = 0; i < 400; i++) {
        fill(&table[i % 32], 5, i);
        own[i % 8] += table[i % 64] ^ taken;
        all += deep(table, i % 13) + own[(i + 3) % 8];
    }
    printf("%u\n", (unsigned)all);
    return 0;
}
C
in_ranges() { # NAME INPUT
    local n command equal=0 all=0
    for command in "info --json" "functions --tree --json" "functions --context PendSV_Handler"; do
        for n in $threads; do
            $weft $command --elf "$elf" --threads $n "$2" >"$tmp/out.$n" 2>"$tmp/err.$n"
            echo "status $?" >>"$tmp/out.$n"
            all=$((all + 1))
            cmp -s "$tmp/out.1" "$tmp/out.$n" && cmp -s "$tmp/err.1" "$tmp/err.$n" && equal=$((equal + 1))
        done
    done
    verdict "in ranges, $1: $threads threads, the same bytes ($equal of $all)" "$equal" -eq "$all"
}
for kind in "mem activation" "paths path" ${WEFT_LONG:+"mem path"}; do
    read -r probes derive <<<"$kind"
    elf=$(make -s build-firmware APP="$tmp/ranges.c" PROBES="$probes" DERIVE="$derive" AUTO_CFLAGS=-DWEFT_AUTO_FRAME=256 \
        VARIANT=ranges 2>"$tmp/log" | tail -n 1)
    $weft capture "$elf" -o "$in" >"$tmp/log" 2>&1 || cat "$tmp/log"
    size=$(stat -c %s "$in")
    in_ranges "$kind" "$in"
    { head -c $((size / 4)) "$in"; tail -c +$((size / 4 + 700)) "$in"; } >"$tmp/torn.weft"
    in_ranges "$kind, torn" "$tmp/torn.weft"
    cat "$tmp/torn.weft" "$in" >"$tmp/twice.weft"
    in_ranges "$kind, two recordings" "$tmp/twice.weft"
    # Bases that were set before the first frame are unknown to the end.
    tail -c +$((size / 9)) "$in" >"$tmp/late.weft"
    in_ranges "$kind, without its beginning" "$tmp/late.weft"
    for at in 33 ${WEFT_LONG:+71}; do
        { head -c $((size * at / 100)) "$in"; printf '\377\001'; tail -c +$((size * at / 100 + 3)) "$in"; } >"$tmp/bad.weft"
        in_ranges "$kind, damaged at $at %" "$tmp/bad.weft"
    done
done

# Of paths alone, calls and costs are counted by ranges (tools/lib/profile/functions_ranges.h), after longjmps too.
check=build/host/tests/target/ranges_check
begun_wrongly() { # NAME: what a range of the last recording does to the stacks of calls is forgotten, or changed
    $check "$elf" "$in" >"$tmp/log" 2>&1
    local status=$?
    sed 's/^not ok .*//; s/^ok .*//; /^$/d' "$tmp/log"
    verdict "$1: ranges that begin wrongly are replayed again" "$status" -eq 0
}
elf=$(make -s build-firmware APP="$tmp/ranges.c" PROBES=paths AUTO_CFLAGS=-DWEFT_AUTO_FRAME=256 VARIANT=ranges \
    2>"$tmp/log" | tail -n 1)
$weft capture "$elf" -o "$in" >"$tmp/log" 2>&1 || cat "$tmp/log"
begun_wrongly "recursion, interrupts"
elf=$(make -s build-firmware APP="$tmp/small.c" PROBES=paths AUTO_CFLAGS=-DWEFT_AUTO_FRAME=256 VARIANT=parts \
    2>"$tmp/log" | tail -n 1)
$weft capture "$elf" -o "$in" >"$tmp/log" 2>&1 || cat "$tmp/log"
size=$(stat -c %s "$in")
in_ranges "longjmp, paths" "$in"
begun_wrongly "longjmp"
{ head -c $((size / 3)) "$in"; tail -c +$((size / 3 + 700)) "$in"; } >"$tmp/torn.weft"
in_ranges "longjmp, paths, torn" "$tmp/torn.weft"
tail -c +$((size / 9)) "$in" >"$tmp/late.weft"
in_ranges "longjmp, paths, without its beginning" "$tmp/late.weft"
expect "64 threads are more than there are frames" 0 '.*' $weft info --threads 64 "$in"
expect "no threads are refused" 2 '' $weft info --threads 0 "$in"
