#!/bin/bash
# SPDX-License-Identifier: MIT
# weft report: the page of each workload that is quick, in a headless Chromium (report_check.py); hostile names; what is
# refused. make test-long: the pages of threads and thermostat with probes, too, and
# `interrupts` with all of its items.
. tests/lib/check.sh
weft=build/host/weft
checks=()

page() { # NAME MAKE...: makes the page of a workload, to be checked below
    local name=$1 elf
    shift
    elf=$(make -s build-firmware "$@" 2>"$tmp/log" | tail -n 1)
    $weft capture --icount 0 "$elf" -o "$tmp/$name.weft" >"$tmp/log" 2>&1
    $weft report --json --elf "$elf" "$tmp/$name.weft" -o "$tmp/$name.html" >"$tmp/$name.json" 2>"$tmp/log"
    verdict "$name: there is a page" $? -eq 0
    $weft functions --json --elf "$elf" "$tmp/$name.weft" >"$tmp/$name.functions" 2>/dev/null
    checks+=("$name" "$tmp/$name.html" "$tmp/$name.json" "$tmp/$name.functions")
}

full() { # APP MAKE...: the page of a full recording, without probes; its image is in $elf
    local name=full-$1
    elf=$(make -s build-firmware APP="$1" "${@:2}" PROBES=none 2>"$tmp/log" | tail -n 1)
    $weft capture --full --icount 5 "$elf" -o "$tmp/$name.weft" >"$tmp/log" 2>&1
    $weft report --json --svd "$tmp/device.svd" --elf "$elf" "$tmp/$name.weft" -o "$tmp/$name.html" \
        >"$tmp/$name.json" 2>"$tmp/log"
    verdict "$name: there is a page" $? -eq 0
    $weft functions --json --elf "$elf" "$tmp/$name.weft" >"$tmp/$name.functions" 2>/dev/null
    verdict "$name: there are loops with their lines, and hot subpaths" \
        "$(grep -c '"loops":{"what":"block",.*"lines":\[{"function":' "$tmp/$name.html")" -eq 1 -a \
        "$(grep -c '"hot":{"what":"block",.*"steps":\[\[' "$tmp/$name.html")" -eq 1
    checks+=("$name" "$tmp/$name.html" "$tmp/$name.json" "$tmp/$name.functions")
}

page jpeg APP=jpeg
if in_long; then
    page interrupts APP=interrupts
    page threads APP=threads
    page thermostat APP=thermostat
else
    page interrupts APP=interrupts VARIANT=short INTERRUPT_ITEMS=17
fi
cat >"$tmp/device.svd" <<'SVD'
<?xml version="1.0" encoding="utf-8"?>
<device schemaVersion="1.3"><name>CPU</name><width>32</width><size>32</size><peripherals><peripheral>
<name>CLOCK_TICKS</name><baseAddress>0xE000E010</baseAddress><registers>
<register><name>CONTROL</name><addressOffset>0</addressOffset><fields><field><name>ENABLE</name>
<bitOffset>0</bitOffset><bitWidth>1</bitWidth></field></fields></register>
<register><name>RELOAD</name><addressOffset>4</addressOffset></register>
</registers></peripheral></peripherals></device>
SVD
full threads VARIANT=short THREAD_ROUNDS=10
verdict "full-threads: the devices are those of the SVD file" \
    "$(grep -c '"CLOCK_TICKS","device".*"CLOCK_TICKS.CONTROL"' "$tmp/full-threads.html")" -eq 1
$weft irq --json --elf "$elf" "$tmp/full-threads.weft" >"$tmp/irq"
count=$(sed -n 's/.*"name":"SysTick_Handler",[^{}]*"count":\([0-9]*\).*/\1/p' "$tmp/irq")
verdict "full-threads: SysTick ran $count times, as weft irq says" \
    "$(grep -c "\"name\":\"SysTick_Handler\",\"priority\":[0-9]*,\"count\":$count," "$tmp/full-threads.html")" -eq 1
$weft wet build "$tmp/full-threads.weft" --elf "$elf" -o "$tmp/threads.wet" >"$tmp/log" 2>&1
$weft report --svd "$tmp/device.svd" --elf "$elf" "$tmp/threads.wet" -o "$tmp/threads-wet.html" >"$tmp/log" 2>&1
verdict "the page of a .wet is that of its recording: interrupts, stacks and devices, too" \
    "$(sed 's/threads\.wet/full-threads.weft/' "$tmp/threads-wet.html" | cmp - "$tmp/full-threads.html" && echo same)" = same
for run in full-threads.weft threads.wet; do
    $weft overview --json --elf "$elf" "$tmp/$run" | sed 's/"bytes":[0-9]*/"bytes":SIZE/' >"$tmp/$run.overview"
done
accesses=$($weft dump --events bus "$tmp/full-threads.weft" | grep -cE '^[0-9]+ (load|store) ')
total=$(grep -o '"total":[0-9]*' "$tmp/threads.wet.overview" | cut -d : -f 2)
verdict "weft overview of a .wet says what it says of the recording: instructions and $accesses accesses" \
    "$(cmp "$tmp/full-threads.weft.overview" "$tmp/threads.wet.overview" && echo same)" = same -a \
    "$(grep -c "\"events\":$((total + accesses))," "$tmp/threads.wet.overview")" -eq 1

# A whole execution trace, with the trees of values.
elf=$(make -s build-firmware APP=thermostat PROBES=none 2>"$tmp/log" | tail -n 1)
$weft capture --full "$elf" -o "$tmp/full.weft" >"$tmp/log" 2>&1
$weft wet build "$tmp/full.weft" --elf "$elf" -o "$tmp/wet.wet" >"$tmp/log" 2>&1
$weft report --json --why set_point,heating --elf "$elf" "$tmp/wet.wet" -o "$tmp/wet.html" >"$tmp/wet.json"
verdict "wet: there is a page" $? -eq 0
$weft functions --json --elf "$elf" "$tmp/wet.wet" >"$tmp/wet.functions"
checks+=(wet "$tmp/wet.html" "$tmp/wet.json" "$tmp/wet.functions")
$weft wet why "$tmp/wet.wet" --at set_point --lines 100 |
    sed -n 's/^ *[0-9]*  *\([^ ].* (0x[0-9a-f]*)\)   [^ ].*/\1/p' >"$tmp/values"
while read -r value; do grep -qF "\"$value" "$tmp/wet.html" && echo found; done <"$tmp/values" >"$tmp/found"
verdict "wet: the values of the tree are those of weft wet why ($(wc -l <"$tmp/values"))" \
    "$(wc -l <"$tmp/found")0" -eq "$(wc -l <"$tmp/values")0" -a -s "$tmp/values"
# Places that only the debug information of the image names.
$weft report --why 'sensors[2].offset' --elf "$elf" "$tmp/wet.wet" -o "$tmp/member.html" >"$tmp/log" 2>&1
verdict "wet: --why of a member has the value that weft wet why has" $? -eq 0 -a \
    "$(grep -cF "\"$($weft wet why "$tmp/wet.wet" --elf "$elf" --at 'sensors[2].offset' | sed -n '2s/^ *[0-9]*  *\([^ ].* (0x[0-9a-f]*)\)   .*/\1/p')" "$tmp/member.html")" -gt 0
expect "--why of a place that is not there: status 1" 1 '' $weft report --why nowhere --elf "$elf" "$tmp/wet.wet" \
    -o "$tmp/x.html"
expect "--why without a whole execution trace: status 2" 2 '' $weft report --why set_point --elf "$elf" \
    "$tmp/full.weft" -o "$tmp/x.html"

# A file name that would end the script and begin another.
mkdir "$tmp/hostile"
cat >"$tmp/hostile/main.c" <<'C'
int sum;
#line 7 "</script><script>console.error(1)</script><!--<b>.c"
__attribute__((noinline)) static int twice(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        sum += s += i;
    return s;
}
int main(void)
{
    for (int i = 0; i < 20; i++)
        twice(i);
    return 0;
}
C
page hostile APP="$tmp/hostile"
verdict "hostile: no text of the program ends the script" \
    "$(grep -c '</script><script>console' "$tmp/hostile.html")" -eq 0
verdict "hostile: the name is there" "$(grep -c 'u003c/script>\|u003c\\/script>' "$tmp/hostile.html")" -gt 0

# More contexts than there are rows for.
cp -r tests/workloads/threads "$tmp/many"
sed -i 's/THREADS = 2, STACK_WORDS = 192/THREADS = 90, STACK_WORDS = 400/; s/n <= 60/n <= 20/' "$tmp/many/threads.c"
page many APP="$tmp/many" THREAD_ROUNDS=2
verdict "many: the page says 90 threads, the last row 29 others, and how deep one of them was" \
    "$(grep -c '"sentence":"[^"]* 90 threads ' "$tmp/many.html")$(grep -c '"name":"29 others","self":[0-9]*,"deepest":[12],' "$tmp/many.html")" -eq 11

verdict "jpeg: the page holds the whole run, as a grammar" "$(grep -c '"zoom":{' "$tmp/jpeg.html")" -eq 1
python3 -B tests/target/report_check.py "${checks[@]}"

# Damage is a gap that the page shows.
size=$(stat -c %s "$tmp/jpeg.weft")
elf=$(make -s build-firmware APP=jpeg 2>/dev/null | tail -n 1)
head -c $((size / 2)) "$tmp/jpeg.weft" >"$tmp/cut.weft"
$weft report --elf "$elf" "$tmp/cut.weft" -o "$tmp/cut.html" >"$tmp/log" 2>&1
verdict "a recording that is cut gives a page, status 3" $? -eq 3
verdict "which says what is missing" "$(grep -c '"sentence":"[^"]*its end is missing; [0-9] gaps in all' "$tmp/cut.html")" -eq 1
python3 -c 'import sys; d = open(sys.argv[1], "rb").read(); sys.stdout.buffer.write(d[:d.index(0, 6) + 1])' \
    "$tmp/jpeg.weft" >"$tmp/first.weft"
$weft report --elf "$elf" "$tmp/first.weft" -o "$tmp/first.html" >"$tmp/log" 2>&1
verdict "of no event there is a page, too, with a sentence" $? -eq 3 -a \
    "$(grep -c '"sentence":"[^"]* ran 0 instructions. The recording is cut: its end is missing' "$tmp/first.html")" -eq 1
# Frames lost from within, whose records held several paths each; a recursion without end; a name of many letters.
packs=$(make -s build-firmware APP=jpeg PROBES=paths 2>"$tmp/log" | tail -n 1)
$weft capture "$packs" -o "$tmp/packs.weft" >"$tmp/log" 2>&1
python3 -c '
import sys
frames = open(sys.argv[1], "rb").read().split(b"\0")
open(sys.argv[2], "wb").write(b"\0".join(frames[:3] + frames[6:]))' "$tmp/packs.weft" "$tmp/lost.weft"
$weft report --elf "$packs" "$tmp/lost.weft" -o "$tmp/lost.html" >"$tmp/log" 2>&1
cat >"$tmp/deep.c" <<'C'
static volatile int sum;
__attribute__((noinline)) int deep(int n)
{
    return n ? deep(n - 1) + sum : 0;
}
int main(void)
{
    for (int i = 0; i < 3; i++)
        sum += deep(300);
    return 0;
}
C
deep=$(make -s build-firmware APP="$tmp/deep.c" PROBES=none 2>"$tmp/log" | tail -n 1)
arm-none-eabi-objcopy --redefine-sym "deep=deep$(printf 'x%.0s' {1..3000})" "$deep" "$tmp/deep.elf"
$weft capture --full "$tmp/deep.elf" -o "$tmp/deep.weft" >"$tmp/log" 2>&1
$weft report --elf "$tmp/deep.elf" "$tmp/deep.weft" -o "$tmp/deep.html" >"$tmp/log" 2>&1
python3 -B tests/target/report_check.py --says \
    "a page without any event opens, and does not say 0 paths lost" "$tmp/first.html" '#figures' 'unknown part of the run' \
    "its tables say so" "$tmp/first.html" '#functions td' 'nothing is recorded' \
    "lost paths of which only some are counted: at least" "$tmp/lost.html" '#figures' 'at least ' \
    "a recursion is one link of the chain of calls, and a long name is cut" "$tmp/deep.html" '#calls td:last-child' \
    'xxx … × 301'
expect "weft overview of it does not say that none was lost" 3 '.*0 events in [0-9]* bytes; its end is missing.*' \
    $weft overview --elf "$elf" "$tmp/first.weft"
expect "no output file: status 2" 2 '' $weft report --elf "$elf" "$tmp/jpeg.weft"
expect "the recording is not overwritten: status 2" 2 '' $weft report --elf "$elf" "$tmp/jpeg.weft" -o "$tmp/jpeg.weft"
expect "a folder that is not there: status 4" 4 '' $weft report --elf "$elf" "$tmp/jpeg.weft" -o "$tmp/none/x.html"
elf=$(make -s build-firmware APP="$tmp/hostile" 2>/dev/null | tail -n 1)
$weft report --elf "$elf" "$tmp/hostile.weft" -o "$tmp/again.html" >/dev/null
verdict "the same page twice" "$(cmp "$tmp/again.html" "$tmp/hostile.html" && echo same)" = same
