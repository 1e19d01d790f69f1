# SPDX-License-Identifier: MIT
# A decoder of the snapshots of a .wet file (from version 3 on) and of its schedule (from 7 on), written from the heads
# of tools/lib/wet/snapshots.h and schedule.h. It shares no code with Weft. What they say of each window is compared
# with the statements of the run, as wet_format.py decodes them.
#     wet_moment_format.py FILE   how many of each were compared; status 1 and the first that differs
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
import thumb  # noqa: E402
from formats import Reader, unzigzag, wanted  # noqa: E402
from wet_format import FLAGS, Trace  # noqa: E402

LOW32 = 2**32 - 1
WRITTEN, READ, STATE = 1, 2, 4
IPSR = 17


def numbers(section):
    """Ascending numbers, as differences."""
    number = 0
    for _ in range(section.varint()):
        number += section.varint()
        yield number


class Snapshots:
    def __init__(self, data, version):
        file = Reader(data)
        sections = []
        for _ in range(7 if version >= 9 else 6):
            count = file.varint()
            sections.append((count, Reader(file.bytes(file.varint()))))
        wanted(file.left() == 0, "the snapshots go on")
        (count, windows), (_, masks), (_, states), entries, (restores, _), (blocks, _) = sections[:6]
        wanted(restores == blocks == 0, "floats, or blocks of an old version")
        self.registers, self.words = {}, {} # the last state said; a word: value, known bytes
        self.windows = [self.window(windows, masks, states) for _ in range(count)]
        self.entries = [(entries[1].varint(), entries[1].varint()) for _ in range(entries[0])]
        self.batch, self.reads = 0, [] # 0: what was read stands in the windows
        if version >= 9:
            self.batch = sections[6][0]
            self.reads = [set(numbers(sections[6][1])) for _ in range((count + self.batch - 1) // self.batch)]
        wanted(not any(s.left() for _, s in sections), "a section goes on")

    def window(self, windows, masks, states):
        """What it says: registers, words, and flags of words."""
        registers, words, flags, number = {}, {}, {}, 0
        for _ in range(windows.varint()):
            location = windows.varint()
            self.registers[location] = self.registers.get(location, 0) + unzigzag(windows.varint()) & LOW32
            registers[location] = self.registers[location]
        for _ in range(windows.varint()):
            code = windows.varint()
            number += code >> 3
            flags[number] = code & 7
            if code & STATE:
                value = self.words.get(number, (0, 0))[0] + unzigzag(states.varint()) & LOW32
                words[number] = self.words[number] = value, masks.byte()
        return registers, words, flags


class Machine:
    """What the statements leave."""

    def __init__(self, entries):
        self.registers, self.words, self.touched, self.entries = {}, {}, {}, list(entries)

    def access(self, address, size, value, store):
        for i in range(size):
            number, byte = (address + i) >> 2, (address + i) & 3
            word, mask = self.words.get(number, (0, 0))
            word = word & ~(255 << 8 * byte) | (value >> 8 * i & 255) << 8 * byte
            self.words[number] = word, mask | 1 << byte
            self.touched[number] = self.touched.get(number, 0) | (WRITTEN if store else READ)

    def enter(self, statement, accesses):
        """The core stacks eight words; the file says where the run goes on, and the bits of an IT block."""
        resume, it = self.entries.pop(0)
        wanted(resume, "it is not known where the run goes on")
        old = self.registers
        active = statement.instruction[0]
        xpsr = old[FLAGS] & 0xF8000000 | 1 << 24 | (it & 3) << 25 | (it >> 2) << 10 | active
        stacked = [old.get(n) for n in (0, 1, 2, 3, 12, thumb.LR)] + [(resume - 1) * 2, xpsr]
        for n, value in enumerate(stacked):
            address = accesses[n]["address"]
            if value is None:
                self.touched[address >> 2] = self.touched.get(address >> 2, 0) # whatever was there is not known
                self.words.pop(address >> 2, None)
            else:
                self.access(address, 4, value, True)

    def step(self, statement, values, accesses):
        if statement.exception == 1:
            self.enter(statement, accesses)
        elif not statement.exception:
            for n in sorted(accesses):
                size, store = statement.accesses[n]
                self.access(accesses[n]["address"], size, statement.data(n, values, accesses[n]), store)
        if statement.exception:
            self.registers[IPSR] = statement.instruction[1]
        self.registers.update(values)


def executed(trace):
    """In the order of the run: the timestamp, the node, and its statements with what they did."""
    when = sorted((n.times.get(at), i, at) for i, n in enumerate(trace.nodes) for at in range(n.executions))
    for time, number, at in when:
        node, first, done = trace.nodes[number], 0, []
        for statement in node.statements:
            values, accesses = {}, {}
            for slot, (operation, kind, what, _) in enumerate(node.slots):
                if first <= operation < first + len(statement.operations):
                    into = values if kind == "value" else accesses.setdefault(what, {})
                    into[what if kind == "value" else kind] = trace.word(node, slot, at)
            first += len(statement.operations)
            done.append((statement, values, accesses))
        yield time, number, done


def scheduled(section, windows):
    """Of each window, how often its nodes execute."""
    for _ in range(windows):
        node, counts = -1, {}
        for _ in range(section.varint()):
            node += section.varint() + 1
            counts[node] = section.varint() + 1
        yield counts
    wanted(section.left() == 0, "the schedule goes on")


class Reads:
    """The words that were only read: in old versions those of a window, later those of a batch."""

    def __init__(self, snapshots):
        self.snapshots, self.read = snapshots, set()

    def compare(self, window, touched, flags):
        only = {n for n, how in touched.items() if how == READ}
        if not self.snapshots.batch:
            wanted(only == {n for n in flags if flags[n] & 3 == READ}, f"words read in window {window} are wrong")
            return
        self.read |= {n for n in only if not flags.get(n, 0)}
        batch, windows = self.snapshots.batch, len(self.snapshots.windows)
        if (window + 1) % batch == 0 or window + 1 == windows:
            wanted(self.read == self.snapshots.reads[window // batch], f"words read up to window {window} are wrong")
            self.read = set()


def compare(trace, snapshots, schedule):
    machine, counts, reads, told = Machine(snapshots.entries), {}, Reads(snapshots), [0, 0, 0]
    known = {}, {}
    run = executed(trace)
    for window, (registers, words, flags) in enumerate(snapshots.windows):
        machine.touched, counts = {}, {}
        while told[0] < min((window + 1) * trace.window, trace.times):
            told[0], node, done = next(run)
            counts[node] = counts.get(node, 0) + 1
            for step in done:
                machine.step(*step)
        wanted(schedule is None or counts == schedule[window], f"the schedule of window {window} is wrong")
        known[0].update(registers)
        known[1].update(words)
        for location, value in machine.registers.items():
            wanted(known[0].get(location) == value, f"location {location} is wrong after window {window}")
        for number, word in machine.words.items():
            wanted(known[1].get(number) == word, f"word {4 * number:x} is wrong after window {window}")
        written = {n for n, how in machine.touched.items() if how & WRITTEN}
        wanted(written == {n for n in flags if flags[n] & WRITTEN}, f"words written in window {window} are wrong")
        reads.compare(window, machine.touched, flags)
        told[1] += len(registers)
        told[2] += len(words)
    wanted(told[0] == trace.times and not machine.entries, "the run goes on")
    return told


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as opened:
        trace = Trace(opened.read())
    snapshots = Snapshots(trace.moments[0], trace.version)
    windows = len(snapshots.windows)
    schedule = list(scheduled(Reader(trace.moments[1]), windows)) if trace.version >= 7 else None
    told = compare(trace, snapshots, schedule)
    print(f"{windows} windows, {len(snapshots.reads)} batches, {len(snapshots.entries)} entries:",
          "{} timestamps, {} registers, {} words".format(*told))
