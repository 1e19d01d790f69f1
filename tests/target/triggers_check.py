# SPDX-License-Identifier: MIT
"""Compares what filters, triggers and sampling leave of a run with a naive model: triggers_check.py ALL CONTROLLED INFO

ALL is the dump of tests/target/programs/triggers.c where nothing is controlled. CONTROLLED is the dump where it is, and
INFO the `weft info --json` of that."""
import json
import sys

SHOWN = ("path", "load", "store", "value")
BELL = "21"


def read(name):
    return [line.split() for line in open(name)]


def place_of_sum(lines):
    return next((int(line[2], 16) for line in lines if "sum" in line[4:8]), 0)


def key(line, origin):
    """Addresses of data are counted from that of `sum`, since the two programs place their data differently."""
    if line[1] in ("load", "store") and int(line[2], 16) < 0x40000000:
        return line[0], line[1], int(line[2], 16) - origin, line[3]
    return tuple(line[:4])


class Truth:
    """The lines of the whole run. A part begins after the path of part() that ends before control()."""

    def __init__(self, lines):
        self.lines, self.start, self.origin = lines, [0], place_of_sum(lines)
        marked = False
        for i, line in enumerate(lines):
            marked = marked or line[1] == "event"
            if marked and line[1] == "path" and line[3] == "part":
                self.start.append(i + 1)
                marked = False
        self.start.append(len(lines))

    def part(self, number):
        return range(self.start[number], self.start[number + 1])

    def shown(self, places):
        return [key(self.lines[i], self.origin) for i in places if self.lines[i][1] in SHOWN]

    def ended(self, places):
        """Up to a gap. The accesses of a path that has not ended there are not known."""
        last = {}
        for i in places:
            if self.lines[i][1] == "path":
                last[self.lines[i][0]] = i
        return self.shown(i for i in places if i <= last.get(self.lines[i][0], -1))

    def first(self, places, wanted):
        return next(i for i in places if wanted(self.lines[i]))

    def after_paths(self, at, count):
        """The place after `count` more paths."""
        while count:
            count -= self.lines[at][1] == "path"
            at += 1
        return at


def rare(truth):
    number = truth.first(range(len(truth.lines)), lambda line: line[1] == "path" and line[3] == "rare")
    path = truth.lines[number][2]
    return truth.first(truth.part(4), lambda line: line[1] == "path" and line[2] == path)


def bell(truth, number):
    """After the path of that handler that ends before it calls ring()."""
    bells = [i for i, line in enumerate(truth.lines) if line[1:3] == ["entry", "IRQ5_Handler"]]
    path = truth.first(range(bells[number], len(truth.lines)), lambda line: line[0] == BELL and line[1] == "path")
    return path + 1


def sampled(truth, places, every):
    """The lines without those activations of deep() that are left out, and the number of these."""
    kept, stacks, seen = [], {}, 0
    for i in places:
        line = truth.lines[i]
        stack = stacks.setdefault(line[0], [True])
        if line[1] == "entry":
            stack.append(line[2] != "deep" or seen % every == 0)
            seen += line[2] == "deep"
        if stack[-1]:
            kept.append(i)
        if line[1] == "exit" and len(stack) > 1:
            stack.pop()
    return kept, seen - (seen + every - 1) // every


def expected(truth):
    """The parts of the run that are recorded. Each is whole, but the first events of the third may be missing."""
    part = truth.part
    trigger = rare(truth)
    gate = truth.first(part(6), lambda line: line[1:3] == ["entry", "gate"])
    rung = bell(truth, 179)
    sampling, out = sampled(truth, part(8), 5)
    return [
        truth.shown(part(0)) + truth.shown(i for i in part(1) if truth.lines[i][0] == "0")
        + truth.shown(i for i in part(2) if truth.lines[i][0] != "0") + truth.shown(part(3)),
        truth.ended(range(trigger, truth.after_paths(trigger, 40))),
        (truth.shown(range(truth.start[5], gate)), truth.ended(range(gate, truth.after_paths(gate, 30)))),
        truth.ended(range(rung, truth.after_paths(rung, 10))),
        truth.shown(sampling) + truth.shown(i for i in part(9) if truth.lines[i][0] != BELL) + truth.shown(part(10)),
    ], out


def fail(text):
    print(text)
    sys.exit()


def same(got, at, want, name):
    for i, line in enumerate(want):
        if at + i >= len(got) or got[at + i] != line:
            fail(f"{name}: event {i} of {len(want)} is {got[at + i:at + i + 3]}, wanted {want[i:i + 3]}")
    return at + len(want)


def check(truth, got, info):
    parts, activations = expected(truth)
    at = same(got, 0, parts[0], "filters")
    at = same(got, at, parts[1], "trigger at a path")
    before, after = parts[2]
    rest = sum(len(p) for p in parts[3:]) + len(after)
    held = len(got) - at - rest
    sent = next((i for i in range(held) if got[at + i] != before[i]), held)  # what was sent before the trigger was armed
    held -= sent
    if sent < len(before) and sum(line[1] == "path" for line in before[len(before) - held:]) < 60:
        fail(f"trigger at a function: {held} events before it")
    at = same(got, at + sent, before[len(before) - held:] + after, "trigger at a function")
    at = same(got, at, parts[3], "trigger by a call")
    at = same(got, at, parts[4], "sampling, and filters by the debugger's word")
    if at != len(got):
        fail(f"{len(got) - at} events too many")
    count(truth, info, activations)


def count(truth, info, activations):
    """What filters, triggers and sampling left out is counted, and what came before the trigger with frames."""
    left = [gap for gap in info["gaps"] if gap["kind"] == "left-out"]
    forgotten = [gap for gap in info["gaps"] if gap["kind"] == "frames"]
    whole = [i for i in range(len(truth.lines)) if truth.lines[i][1] in SHOWN]
    kept, _ = sampled(truth, truth.part(8), 5)
    by_sampling = set(truth.part(8)) - set(kept)
    for kind, names in (("paths", ("path",)), ("accesses", ("load", "store"))):
        all_of = sum(truth.lines[i][1] in names for i in whole)
        sampling = sum(truth.lines[i][1] in names for i in by_sampling)
        recorded = info[kind]["recorded"]
        counted = sum(gap[kind] for gap in left + forgotten)
        if recorded and all_of - recorded - sampling != counted:
            fail(f"{kind}: {all_of} in all, {recorded} recorded, {sampling} by sampling, {counted} counted as left out")
    if f"and {activations} activations" not in left[0]["text"]:
        fail(f"activations: {activations} wanted, {left[0]['text']}")


def main():
    truth, lines = Truth(read(sys.argv[1])), read(sys.argv[2])
    origin = place_of_sum(lines)
    check(truth, [key(line, origin) for line in lines if line[1] in SHOWN], json.load(open(sys.argv[3])))
    print("as the model says")


main()
