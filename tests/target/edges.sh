#!/bin/bash
# SPDX-License-Identifier: MIT
# Probes by clang's own flags (PROBES=edges): each record, in order, is a call of a probe that the emulator saw, each
# function is entered and left as often as it was called, and what is not known is not claimed.
. tests/lib/check.sh
weft=build/host/weft
elf=$(make -s build-firmware APP=kernels PROBES=edges 2>"$tmp/log" | tail -n 1)
$weft capture "$elf" -o "$tmp/edges.weft" >"$tmp/captured" 2>>"$tmp/log"
verdict 'clang compiles a workload, and it runs with the recorder' $? -eq 0 -a \
    "$(strings "$elf" | grep -c '^Debian clang version\|^clang version')" -ge 1
$weft capture --full "$elf" -o "$tmp/full.weft" >>"$tmp/log" 2>&1
$weft dump --elf "$elf" "$tmp/edges.weft" >"$tmp/edges" 2>>"$tmp/log"
$weft dump "$tmp/full.weft" | grep instruction >"$tmp/full"
arm-none-eabi-objdump -d "$elf" >"$tmp/code"
python3 - "$tmp" <<'END'
import re, sys
folder = sys.argv[1]
recorded = [2 * int(line.split()[2]) for line in open(folder + "/edges") if line.split()[1] == "path"]
entered = [line.split()[2] for line in open(folder + "/edges") if line.split()[1] == "entry"]
left = [line.split()[2:] for line in open(folder + "/edges") if line.split()[1] == "exit"]
returned = [words for words in left if words[-1] != "unwound"]
probes, sites, function = {}, {}, None
for line in open(folder + "/code"):
    match = re.match(r"([0-9a-f]+) <(\S+)>:$", line)
    function = match[2] if match else function
    match = re.match(r" *([0-9a-f]+):.*\sbl\s+[0-9a-f]+ <(__sanitizer_cov_trace_pc|__cyg_profile_func_(?:enter|exit))>", line)
    if match:
        probes[int(match[1], 16) + 4] = match[2]
        sites.setdefault(function, []).append(int(match[1], 16) + 4)
called = [int(line.split()[2], 16) + 4 for line in open(folder + "/full")]
seen = [address for address in called if address in probes]
first = [min(all) for all in sites.values()]
def verdict(name, good): print("ok" if good else "not ok", name)
verdict("each of %d records is a probe that was called, in order" % len(recorded), len(recorded) > 10000 and recorded == seen)
verdict("each function is entered where its first probe is", len(entered) == sum(seen.count(address) for address in set(first)) and
        set(entered) <= set(sites))
exits = [address for address in seen if probes[address] == "__cyg_profile_func_exit"]
verdict("and left where it says so, or by a longjmp", len(returned) == len(exits) > 100 and
        set(words[0] for words in left if words[-1] == "unwound") == {"descend"})
verdict("nothing else is an entry", len(entered) >= len(left) > len(entered) - 10)
END
$weft functions --json --elf "$elf" "$tmp/edges.weft" >"$tmp/functions" 2>>"$tmp/log"
verdict 'instructions are said to be estimated' "$(python3 -c '
import json, sys
all = json.load(open(sys.argv[1]))
print(all["estimated"] == all["total"] > 0)' "$tmp/functions")" = True
$weft coverage --json --elf "$elf" "$tmp/edges.weft" >"$tmp/coverage" 2>>"$tmp/log"
verdict 'no branch is claimed' "$(python3 -c '
import json, sys
all = json.load(open(sys.argv[1]))
print(sum(len(file["branches"]) for file in all["files"]), all["functions_hit"] > 10)' "$tmp/coverage")" = '0 True'

elf=$(make -s build-firmware APP=interrupts PROBES=edges 2>>"$tmp/log" | tail -n 1)
$weft capture "$elf" -o "$tmp/irq.weft" >>"$tmp/log" 2>&1
$weft irq --json --elf "$elf" "$tmp/irq.weft" >"$tmp/irq" 2>>"$tmp/log"
$weft functions --json --elf "$elf" "$tmp/irq.weft" >"$tmp/functions" 2>>"$tmp/log"
verdict 'each run of a handler is an interrupt, and an entry of its function' "$(python3 -c '
import json, sys
irq, functions = (json.load(open(name)) for name in sys.argv[1:])
calls = {f["name"]: f["calls"] for f in functions["functions"]}
counts = {i["name"]: i["count"] for i in irq["interrupts"]}
print(len(counts) == 4 and all(calls[name] == counts[name] for name in counts) and counts["SysTick_Handler"] >= 300)' \
    "$tmp/irq" "$tmp/functions")" = True
sed 's/^/# /' "$tmp/log" | grep -i error | head -n 5
