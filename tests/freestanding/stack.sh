#!/bin/bash
# SPDX-License-Identifier: MIT
# The core does not recurse, and its use of stack stays within what core/recorder.h promises. From the compiler's call
# graph; calls by pointer (sink, clock, coder, profiler) are followed as far as they stay in core.
set -u
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
top=$PWD
cd "$out" || exit 1
for file in "$top"/core/*.c; do
    # A compiler cache keeps the object only, not the call graph.
    CCACHE_DISABLE=1 arm-none-eabi-gcc -std=gnu11 -O2 -mthumb -mcpu=cortex-m3 -I"$top" -fcallgraph-info=su -c "$file" -o "$(basename "$file" .c).o"
    [ -s "$(basename "$file" .c).ci" ] || echo "not ok the compiler gives a call graph of ${file#"$top"/}"
done
cat >check.py <<'P'
import glob, re, sys
stack, calls = {}, {}
for name in glob.glob("*.ci"):
    for line in open(name):
        node = re.match(r'node: \{ title: "([^"]+)" label: "([^"]*)"', line)
        edge = re.match(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"', line)
        if node:
            size = re.search(r'(\d+) bytes \((\w+)', node[2])
            if size:
                stack[node[1]] = int(size[1])
                if size[2] == "dynamic":
                    print("# %s has a stack frame of no fixed size" % node[1]); print("not ok core has fixed stack frames"); sys.exit()
        if edge:
            calls.setdefault(edge[1], set()).add(edge[2])
# What the recorder's pointers lead to, except for the sink and the clock, which are the port's.
coders = {f for f in stack if re.match(r'.*recorder_(grammar|loops|ksf|tre|bfcm)\.c:', f) or f == "weft_bfcm_coder_restart"}
# The coders' own functions for an access and a value call the recorder.
def way(files): return {f for f in stack if re.match(r'.*recorder_(%s)\.c:(access|value)$' % files, f)}
coders -= {f for f in stack if re.match(r'.*recorder_tre\.c:access', f)}
calls.setdefault("weft_recorder_access", set()).update(way("tre|bfcm_bus"))
calls.setdefault("weft_recorder_access_bus", set()).update(way("bfcm_bus"))
calls.setdefault("weft_recorder_value", set()).update(way("bfcm_values"))
for f in list(calls):
    if "__indirect_call" in calls[f] and re.search(r'(^|:)(cut|put_symbol|slow_path|weft_recorder|seal|send_meta|region_min|deal|next_epoch|begin_frame|finish|seal_part)', f):
        calls[f] |= {b for b in coders if not b.endswith("weft_recorder_kpath")}
# Its pointers to what it does more with coders, which call those, and with packs.
more = {f for f in stack if re.search(r'recorder_coded\.c:|recorder_packs\.c:begin_or_end', f)}
for f in list(calls):
    if "__indirect_call" in calls[f] and f in more:
        calls[f] |= {b for b in coders if not b.endswith("weft_recorder_kpath")}
    elif "__indirect_call" in calls[f] and re.search(r'(^|:)(cut|enter|weft_recorder|region_min|deal|init)', f):
        calls[f] |= more
# The recorder's pointer to what sends frames.
for f in list(calls):
    if "__indirect_call" in calls[f] and re.search(r'(^|:)(weft_recorder_(free_buffer|flush)|send_parts)(\.|$)', f):
        calls[f].add("weft_recorder_send")
# Its pointers to what writes names and profiles.
def lead(callers, file, to):
    for f in list(calls):
        if "__indirect_call" in calls[f] and re.search(r'(^|:)(%s)(\.|$)' % callers, f):
            calls[f] |= {b for b in stack if re.search(r'%s\.c:%s(\.|$)' % (file, to), b)}
lead("weft_recorder_send|send_one|weft_recorder_finish", "recorder_names", "send_names")
lead("weft_recorder_open", "recorder_profile", "send_parts")
lead("weft_recorder_kpath|weft_recorder_profile", "recorder_profile", "write_profile")
lead("weft_recorder_finish", "recorder_profile", "end_profile")
known = {}
def depth(f, above):
    if f in above:
        print("# recursion: %s" % " -> ".join(above[above.index(f):] + [f])); print("not ok the core does not recurse"); sys.exit()
    if f not in known:
        known[f] = stack.get(f, 0) + max([depth(c, above + [f]) for c in calls.get(f, ())] + [0])
    return known[f]
depths = {f: depth(f, []) for f in stack}
print("ok the core does not recurse (%d functions)" % len(stack))
promised = int(sys.argv[1])
public = {f: d for f, d in depths.items() if re.match(r'weft_recorder_', f)}
worst = max(public, key=public.get)
for f in sorted(public, key=public.get, reverse=True): print("# %5d %s" % (public[f], f))
print("%s the recorder takes at most %d bytes of stack" % ("ok" if public[worst] <= promised else "not ok", promised))
P
promised=$(sed -nE 's/.*Stack: below ([0-9]+) bytes.*/\1/p' "$top/core/recorder.h")
if [ -z "$promised" ]; then
    echo "not ok core/recorder.h promises a bound on its stack"
    exit
fi
python3 check.py "$promised"
