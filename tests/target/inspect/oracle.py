# SPDX-License-Identifier: MIT
"""What `weft irq`, `weft stack` and `weft io` should say of a full recording, found slowly from `weft dump`.

    oracle.py irq DUMP IRQ.json       times, intervals, latencies and pre-emption
    oracle.py stack DUMP STACK.json   the lowest stack pointer of each context; chains sum up
    oracle.py io DUMP IO.json         each access of a device, in order

Prints what differs, then "same N" with the number of figures compared."""
import json, sys

TOP = 0x20040000


def events(path):
    """(kind, context, words, instructions before it) of each line."""
    time = 0
    for line in open(path):
        words = line.split()
        yield words[1], int(words[0]), words[2:], time
        time += words[1] in ("instruction", "skipped")


def switches(path):
    """Exceptions with what they did, found from the end back: an entry either interrupts what returns go back to, or
    takes the place of a handler that ended."""
    found = [(k, c, int(w[1]), t) for k, c, w, t in events(path) if k in ("exception", "return")]
    stack, out = [], []
    for kind, to, source, time in reversed(found):
        if kind == "return":
            stack = stack or [0]
            stack.append(source)
        elif len(stack) > 1 and stack[-2] == source:
            stack.pop()
            kind = "entered"
        else:
            stack[-1] = source
            kind = "chained"
        out.append((kind, to, source, time))
    return out[::-1]


def figures(values):
    return (len(values), min(values), max(values)) if values else None


def irq(path):
    asked, late, wait = {}, {}, {}
    for kind, context, words, time in events(path):
        if kind == "store" and words[0] == "0xe000ed04" and int(words[3]) >> 28 & 1:
            asked.setdefault(14, time - 1)
        if kind == "store" and words[0].startswith("0xe000e20"):
            for bit in range(32):
                if int(words[3]) >> bit & 1:
                    asked.setdefault(16 + 8 * (int(words[0], 16) & 127) + bit, time - 1)
        if kind == "exception" and context in asked:
            late.setdefault(context, []).append(time - asked.pop(context) - 1)
    running, whole, own, began, pairs = [], {}, {}, {}, {}

    def ended(time):
        number, start, nested = running.pop()
        whole.setdefault(number, []).append(time - start)
        own.setdefault(number, []).append(time - start - nested)
        if running:
            running[-1][2] += time - start

    for kind, to, source, time in switches(path):
        if kind != "entered":
            ended(time)
        if kind != "return":
            running.append([to, time, 0])
            began.setdefault(to, []).append(time)
            if kind == "entered":
                pairs[source, to] = pairs.get((source, to), 0) + 1
    want = {}
    for number, starts in began.items():
        want[number] = (figures(whole.get(number)), figures(own.get(number)),
                        figures([b - a for a, b in zip(starts, starts[1:])]), figures(late.get(number)))
    return want, pairs


def same(name, want, got):
    if want != got:
        print("%s: %s, not %s" % (name, got, want))
    return 1


def check_irq(path, answer):
    def given(i, key):
        return (i[key]["count"], i[key]["min"], i[key]["max"]) if i[key] else None
    want, pairs = irq(path)
    keys = ("time", "own", "interval", "latency")
    got = {i["number"]: tuple(given(i, k) for k in keys) for i in answer["interrupts"]}
    count = same("numbers", sorted(want), sorted(got))
    for number in want:
        count += same("irq %d" % number, want[number], got.get(number))
    return count + same("pairs", pairs, {(p["over"], p["by"]): p["count"] for p in answer["preemption"]})


def check_stack(path, answer):
    lowest = {}
    for kind, context, words, time in events(path):
        if kind == "value" and words[0] == "r13":
            lowest[context] = min(lowest.get(context, TOP), int(words[1], 16))
    count = 0
    for s in answer["stacks"]:
        if s["context"] in lowest:
            count += same("stack of %d" % s["context"], TOP - lowest[s["context"]], s["bytes"])
        count += same("chain of %d" % s["context"], s["bytes"], sum(l["bytes"] for l in s["chain"]))
    return count


def check_io(path, answer):
    want = []
    for kind, context, words, time in events(path):
        if kind in ("load", "store"):
            address = int(words[0], 16)
            if 0x40000000 <= address < 0x60000000 or 0xe0000000 <= address < 0xe0100000:
                want.append((time - 1, context, address, kind == "store", int(words[3])))
    got = [(a["time"], a["context"], a["address"], a["store"], a["value"]) for a in answer["accesses"]]
    for w, g in zip(want, got):
        if w != g:
            same("access", w, g)
            break
    table = sum(r["loads"] + r["stores"] for r in answer["registers"])
    return same("accesses", len(want), len(got)) + same("table", len(want), table) + len(want)


checks = {"irq": check_irq, "stack": check_stack, "io": check_io}
print("same", checks[sys.argv[1]](sys.argv[2], json.load(open(sys.argv[3]))))
