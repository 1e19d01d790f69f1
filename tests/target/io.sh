#!/bin/bash
# SPDX-License-Identifier: MIT
# weft io: the accesses of a full recording are those of weft dump, in order; names, fields and values come from an SVD
# file; hostile SVD files are refused.
. tests/lib/check.sh
weft=build/host/weft
short() { # MAKE...: the image of a short run
    make -s build-firmware APP=interrupts VARIANT=short INTERRUPT_ITEMS=17 "$@" 2>"$tmp/log" | tail -n 1
}
asan=build/asan/weft

elf=$(short PROBES=none)
$weft capture --full "$elf" -o "$tmp/full.weft" >"$tmp/log" 2>&1
$weft dump --elf "$elf" "$tmp/full.weft" >"$tmp/dump"
svd=tests/target/inspect/timer.svd
$weft io --json --svd $svd --elf "$elf" "$tmp/full.weft" >"$tmp/io.json"
python3 tests/target/inspect/oracle.py io "$tmp/dump" "$tmp/io.json" >"$tmp/result"
sed 's/^/# /' "$tmp/result"
verdict "interrupts: accesses are those of the dump, in order" \
    "$(sed -n '1s/^same \([0-9]*\)$/\1/p' "$tmp/result")0" -gt 1000
others='TIMER0.COUNT.LOAD.*TIMER0.INTCLEAR.*SysTick.CSR.*NVIC.ISER0.*SCB.ICSR.*'
expect "a table with registers and fields" 0 \
    ".*TIMER0.CTRL.*ENABLE 0 to 1, changed 1 times, at last 0 (Off).*INTEN 0 to 1.*TIMER0.COUNT.NOW.*$others" \
    $asan io --svd $svd --elf "$elf" "$tmp/full.weft"
start='0x00000009 ENABLE=1(On) EXTIN=0(Off) INTEN=1  weft_cmsdk_timer_start cmsdk_timer.c:[0-9]*'
expect "a log with values of fields and source lines" 0 ".*store TIMER0.CTRL $start.*" \
    $weft io --log --svd $svd --elf "$elf" "$tmp/full.weft"
expect "without an SVD file by address" 0 '.*0x40000000.*0x40000004.*' $weft io --elf "$elf" "$tmp/full.weft"
expect "--context takes one" 0 '.*0x4000000c.*NVIC.ISPR0.* 2 registers.*' \
    $weft io --context 24 --elf "$elf" "$tmp/full.weft"

# Registers of bytes and halves, arrays, two at one address, values with x: what each access is, by name.
registers=$(make -s build-firmware APP=tests/target/inspect/registers.c PROBES=none 2>"$tmp/log" | tail -n 1)
$weft capture --full "$registers" -o "$tmp/registers.weft" >"$tmp/log" 2>&1
$asan io --log --svd tests/target/inspect/registers.svd --elf "$registers" "$tmp/registers.weft" |
    sed -n 's/^ *[0-9]* *0 \([ls][a-z]*\)  *\(\(DEV\|P[01]\)\.[^ ]* .*\)  main .*/\1 \2/p' >"$tmp/seen"
cat >"$tmp/meant" <<'LOG'
store DEV.LOW 0x5a R & D=5
store DEV.NEXT 0x33
store DEV.HALF 0x1234 TOP=18
store DEV.LOW 0xef R & D=14
store DEV.NEXT 0xbe
store DEV.HALF 0xdead TOP=222
store DEV.ARRAY[2] 0x00000007
store DEV.CHC.DATA 0x00000009
store DEV.CHB.SUB.PINS 0x00000085 P0=1 P1=1 P2=0 P3=2
store DEV.MODE 0x00000006 M=6(Wild)
store DEV.MODE 0x00000003 M=3(Three)
store DEV.MODE 0x00000001 M=1(Else)
load DEV.GOT 0x00000000
store DEV.SENT 0x00000005
store DEV.WIDE+2 0xabcd UPPER=43981
store P0.R 0x00000002
store P1.W 0x00000054 LOWER=84 UPPER=0
store DEV.WIDE_LAST 0x11
LOG
verdict "an SVD file with all that there is: each access by its name and fields" \
    "$(diff "$tmp/meant" "$tmp/seen" | shown | wc -l) $(wc -l <"$tmp/seen")" = '0 18'

size=$(stat -c %s $svd)
for part in 10 30 50 70 90; do
    head -c $((size * part / 100)) $svd >"$tmp/cut.svd"
    expect "an SVD file cut at $part % is refused" 1 '' $asan io --svd "$tmp/cut.svd" --elf "$elf" "$tmp/full.weft"
done
printf '<!DOCTYPE d [<!ENTITY x SYSTEM "/etc/passwd">]><device><name>&x;</name></device>' >"$tmp/dtd.svd"
expect "a document type (entities) is refused" 1 '' $asan io --svd "$tmp/dtd.svd" --elf "$elf" "$tmp/full.weft"
{ printf '<device>'; for i in $(seq 100); do printf '<cluster>'; done; } >"$tmp/deep.svd"
expect "nesting without end is refused" 1 '' $asan io --svd "$tmp/deep.svd" --elf "$elf" "$tmp/full.weft"
{
    printf '<device><peripherals><peripheral><name>P</name><baseAddress>0</baseAddress><registers>'
    for i in $(seq 8); do
        printf '<cluster><name>C%%s</name><dim>60000</dim><dimIncrement>4</dimIncrement>'
    done
    printf '<register><name>R</name><addressOffset>0</addressOffset></register>'
    for i in $(seq 8); do printf '</cluster>'; done
    printf '</registers></peripheral></peripherals></device>'
} >"$tmp/wide.svd"
expect "more registers than there can be are refused" 1 '' $weft io --svd "$tmp/wide.svd" --elf "$elf" "$tmp/full.weft"
expect "no SVD file: bad input" 1 '' $weft io --svd "$tmp/none.svd" --elf "$elf" "$tmp/full.weft"
expect "XML that is not SVD is refused" 1 '' $weft io --svd <(echo '<a/>') --elf "$elf" "$tmp/full.weft"

probed=$(short PROBES=mem)
$weft capture --icount 0 "$probed" -o "$tmp/run.weft" >"$tmp/log" 2>&1
verdict "with probes: as many stores to ICSR as in the dump" \
    "$($weft io --log --elf "$probed" "$tmp/run.weft" | grep -c 'store SCB.ICSR')" -eq \
    "$($weft dump --events bus --elf "$probed" "$tmp/run.weft" | grep -c ' store 0xe000ed04 ')"
paths=$(short PROBES=paths)
$weft capture --icount 0 "$paths" -o "$tmp/run.weft" >"$tmp/log" 2>&1
expect "probes without accesses: bad input" 1 '' $weft io --elf "$paths" "$tmp/run.weft"
