#!/bin/bash
# SPDX-License-Identifier: MIT
# weft stack: the depths of a full recording are those of the lowest stack pointers in weft dump, and the chains sum up
# to them; threads have stacks of their own; with probes, frames are what the ELF says.
. tests/lib/check.sh
weft=build/host/weft
. tests/lib/interrupts.sh
short_full
oracle stack
verdict "interrupts: depths are those of the dump, chains sum up" "$(cat "$tmp/result")" = "same 9"
expect "a chain names calls and interrupts" 0 '.*Reset_Handler.*main.*IRQ[0-9]*_Handler.*' \
    $weft stack --context 36 --elf "$elf" "$tmp/full.weft"
size=$(stat -c %s "$tmp/full.weft")
head -c $((size / 2)) "$tmp/full.weft" >"$tmp/cut.weft"
$weft stack --elf "$elf" "$tmp/cut.weft" >"$tmp/out" 2>"$tmp/err"
verdict "a cut full recording: done, with a gap" $? -eq 3 -a -s "$tmp/err"
expect "without an image the command line is wrong" 2 '' $weft stack "$tmp/full.weft"

elf=$(make -s build-firmware APP=threads PROBES=none 2>"$tmp/log" | tail -n 1)
$weft capture --full --icount 0 "$elf" -o "$tmp/full.weft" >"$tmp/log" 2>&1
$weft stack --json --elf "$elf" "$tmp/full.weft" >"$tmp/stack.json"
verdict "threads have process stacks, within their arrays" "$(python3 - "$tmp/stack.json" <<'END'
import json, sys
stacks = json.load(open(sys.argv[1]))["stacks"]
threads = [s for s in stacks if s["stack"] == "process" and 0 < s["bytes"] < 1536]
print(len(stacks), sum(s["name"] == "thread %d (thread)" % s["context"] for s in threads))
END
)" = "5 2"

probed=$(short PROBES=paths)
$weft capture --icount 0 "$probed" -o "$tmp/run.weft" >"$tmp/log" 2>&1
$weft stack --json --elf "$probed" "$tmp/run.weft" >"$tmp/stack.json"
# What main takes from the stack is the sum of its push and sub instructions.
main=$(arm-none-eabi-objdump -d --disassemble=main "$probed" | python3 -c '
import re, sys
code, size = sys.stdin.read(), 0
for register in re.search(r"(?:push|stmdb\s+sp!,)\s*\{(.*?)\}", code)[1].split(","):
    ends = [int(n) for n in re.findall(r"r(\d+)", register)]
    size += 4 * (ends[1] - ends[0] + 1) if len(ends) == 2 else 4
print(size + int(re.search(r"subw?(?:\.w)?\s+sp, (?:sp, )?#(\d+)", code)[1]))')
verdict "with probes: the frame of main is what its code takes ($main bytes)" "$(python3 - "$tmp/stack.json" <<'END'
import json, sys
stacks = json.load(open(sys.argv[1]))
chain = [s["chain"] for s in stacks["stacks"] if s["context"] == 0][0]
print([link["bytes"] for link in chain if link["name"] == "main"][0], stacks["known"])
END
)" = "$main frames"

# A recursion is one line.
cat >"$tmp/deep.c" <<'C'
__attribute__((noinline)) unsigned deep(unsigned n)
{
    volatile unsigned own = n;
    return n ? deep(n - 1) + own : 0;
}
int main(void)
{
    return deep(300) != 300 * 301 / 2;
}
C
elf=$(make -s build-firmware "APP=$tmp/deep.c" PROBES=none OPT=-O1 2>"$tmp/log" | tail -n 1)
$weft capture --full "$elf" -o "$tmp/full.weft" >"$tmp/log" 2>&1
$weft stack --elf "$elf" "$tmp/full.weft" >"$tmp/out"
verdict "calls of 300 rounds of a recursion stand in one line" \
    "$(grep -c . "$tmp/out") $(grep -c ' deep  deep.c:4  300 times$' "$tmp/out") $(awk 'NR == 1 { all = $1 }
        NR > 2 { sum += $1 * ($NF == "times" ? $(NF - 1) : 1) } END { print all - sum }' "$tmp/out")" = '6 1 0'
