# SPDX-License-Identifier: MIT
"""What `weft diff` should say, found slowly from two outputs of `weft dump`.

    parting.py DUMP_A DUMP_B DIFF.json EVENT      EVENT: path (with probes) or instruction (full recordings)

Prints what differs, then "same N" with the number of contexts compared, and how many of them part."""
import json, sys


def sequences(path, event):
    out = {}
    for line in open(path):
        words = line.split()
        if words[1] == event or (event == "instruction" and words[1] == "skipped"):
            out.setdefault(int(words[0]), []).append((words[1], words[2]))
    return out


a, b = sequences(sys.argv[1], sys.argv[4]), sequences(sys.argv[2], sys.argv[4])
answer = json.load(open(sys.argv[3]))
got = {c["context"]: c for c in answer["contexts"]}
parting = 0
if sorted(got) != sorted(set(a) | set(b)):
    print("contexts", sorted(got))
for context in sorted(set(a) | set(b)):
    x, y = a.get(context, []), b.get(context, [])
    common = 0
    while common < min(len(x), len(y)) and x[common] == y[common]:
        common += 1
    parting += x != y
    c = got[context]
    want = (common, x == y, len(x), len(y))
    if want != (c["common"], c["equal"], c["count_a"], c["count_b"]):
        print("context", context, "is", want, "not", c)
    for side, all_ in (("a", x), ("b", y)):
        if x != y and common < len(all_):
            key, number = ("path", int(all_[common][1])) if sys.argv[4] == "path" else \
                ("address", int(all_[common][1], 16))
            if (c[side] or {}).get(key) != number:
                print("context", context, side, "is", number, "not", c.get(side))
if answer["equal"] != (a == b):
    print("equal is", a == b)
print("same", len(got), "part", parting)
