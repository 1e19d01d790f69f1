#!/bin/bash
# SPDX-License-Identifier: MIT
# weft report: the page of each workload that is quick, in a headless Chromium (report_check.py); hostile names; what is
# refused.
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

page jpeg APP=jpeg
page interrupts APP=interrupts
page threads APP=threads
page thermostat APP=thermostat

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

python3 -B tests/target/report_check.py "${checks[@]}"

# Damage is a gap that the page shows.
size=$(stat -c %s "$tmp/jpeg.weft")
elf=$(make -s build-firmware APP=jpeg 2>/dev/null | tail -n 1)
head -c $((size / 2)) "$tmp/jpeg.weft" >"$tmp/cut.weft"
$weft report --elf "$elf" "$tmp/cut.weft" -o "$tmp/cut.html" >"$tmp/log" 2>&1
verdict "a recording that is cut gives a page, status 3" $? -eq 3
verdict "which says what is missing" "$(grep -c '"sentence":"[^"]*[0-9] gap' "$tmp/cut.html")" -eq 1
expect "no output file: status 2" 2 '' $weft report --elf "$elf" "$tmp/jpeg.weft"
expect "the recording is not overwritten: status 2" 2 '' $weft report --elf "$elf" "$tmp/jpeg.weft" -o "$tmp/jpeg.weft"
expect "a folder that is not there: status 4" 4 '' $weft report --elf "$elf" "$tmp/jpeg.weft" -o "$tmp/none/x.html"
$weft report --elf "$elf" "$tmp/jpeg.weft" -o "$tmp/again.html" >/dev/null
verdict "the same page twice" "$(cmp "$tmp/again.html" "$tmp/jpeg.html" && echo same)" = same
