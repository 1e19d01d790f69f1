#!/bin/bash
# SPDX-License-Identifier: MIT
# An image of objects from builds with different probes: what counts accesses says that some functions announce none,
# and has status 3; what does not count them has status 0.
. tests/lib/check.sh
weft=$PWD/build/host/weft
mkdir "$tmp/app"
cat >"$tmp/app/main.c" <<'C'
#include <stdint.h>
#include <stdio.h>
void quiet(int i);
volatile uint32_t table[16];
int main(void)
{
    for (int i = 0; i < 16; i++) {
        table[i] = i;
        quiet(i);
    }
    printf("%u\n", (unsigned)table[3]);
    return 0;
}
C
cat >"$tmp/app/quiet.c" <<'C'
#include <stdint.h>
extern volatile uint32_t table[16];
void quiet(int i)
{
    table[i]++;
    *(volatile uint32_t *)0xe000ed04 = 1u << 27;
}
C

build() { # OF-ALL [OF-ONE]: where its recording is
    local elf
    echo "%/quiet.c.o: override PROBES := ${2:-$1}" >"$tmp/app/app.mk"
    elf=$(make -s build-firmware APP="$tmp/app" PROBES="$1" 2>"$tmp/log" | tail -n 1)
    cp "$elf" "$tmp/run.elf"
    $weft capture "$tmp/run.elf" -o "$tmp/run.weft" >"$tmp/capture" 2>&1
}

says() { # NAME STATUS TIMES COMMAND...: how often standard error speaks of functions without probes
    local name=$1 status=$2 times=$3 found
    shift 3
    (cd "$tmp" && $weft "$@") >"$tmp/out" 2>"$tmp/err"
    found=$?
    verdict "$name" $found -eq "$status" -a "$(grep -c ' of [0-9]* functions, which have' "$tmp/err")" -eq "$times"
}

says_all() { # NAME STATUS TIMES
    for command in 'dump --events bus' io race model 'report -o page.html' 'export --as sqlite -o run.db' \
        'info --function quiet' 'gdb --stdio'; do
        # shellcheck disable=SC2086 # words
        says "$1: ${command%% -*}" "$2" "$3" $command run.weft < <(printf '+$D#44')
    done
    says "$1: diff" "$2" "$3" diff run.weft run.weft
}

build mem paths
says_all 'accesses of some' 3 1
verdict "the page says so" "$(grep -c '"mixed":true' "$tmp/page.html")" -eq 1
says "dump as JSON says so in a line" 3 1 dump --json --events bus run.weft
verdict "which is the first" "$(head -n 1 "$tmp/out" | grep -c '"mixed":"probes"')" -eq 1
says "io as JSON says so" 3 1 io --json run.weft
verdict "with how many" "$(grep -c '"accesses_without":"1 of 2 functions"' "$tmp/out")" -eq 1
says "info of the whole recording: a note" 0 1 info run.weft
says "overview: a note" 0 1 overview run.weft
verdict "capture: a note" "$(grep -c 'note: .* 1 of 2 functions' "$tmp/capture")" -eq 1
for format in callgrind folded speedscope perfetto chrome ctf pprof lcov csv; do
    says "export as $format has no accesses" 0 0 export --as $format -o run.out run.weft
    rm -rf "$tmp/run.out"
done
for command in functions coverage stack irq paths 'dump --events control'; do
    # shellcheck disable=SC2086 # words
    says "$command has no accesses" 0 0 $command run.weft
done

build values mem
says "values of some: dump" 3 1 dump run.weft
says "values of some: dump of accesses only" 0 0 dump --events bus run.weft
says "values of some: io" 3 1 io run.weft

build mem
says "all announce them: report" 0 0 report -o page.html run.weft
verdict "nor does capture have a note" "$(grep -c note: "$tmp/capture")" -eq 0
build paths
says "none announce any: dump" 0 0 dump run.weft
says "none announce any: report" 0 0 report -o page.html run.weft
