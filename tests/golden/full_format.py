# SPDX-License-Identifier: MIT
# A decoder of full recordings, written from core/FORMAT.md and tools/qemu/FULL.md alone. It shares no code with Weft.
#     full_format.py FILE   its events, a line each, as `weft dump` prints them without names
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
from formats import Reader, frame_check, uncobs, unzigzag, wanted  # noqa: E402

ALWAYS = 14  # the condition of an instruction that has none
AS_BEFORE = 31
REGISTERS = ["r%d" % n for n in range(15)] + ["apsr", "fpscr"] + [""] * 15 + ["s%d" % n for n in range(32)]


class Instruction:
    """A static instruction, and what it did the last time."""

    def __init__(self, file):
        self.pc, self.size = file.fixed(4), file.byte()
        file.bytes(4)
        self.condition, mask = file.byte(), file.fixed(8)
        self.forget(mask)

    def forget(self, mask):
        self.bits = [bit for bit in range(64) if mask >> bit & 1]
        self.last = dict.fromkeys(self.bits, 0)
        self.shape, self.address, self.value = [], [], []

    def reshape(self, shape):
        more = max(0, len(shape) - len(self.address))
        self.shape = shape
        self.address += [0] * more
        self.value += [0] * more


class Recording:
    def __init__(self):
        self.static, self.next, self.context, self.counts = [], 0, 0, [0, 0, 0]

    def chunk(self, file):
        count = file.varint()
        sizes = [file.varint() for _ in range(6)]
        definitions, runs, passed, values, accesses, notes = [Reader(file.bytes(size)) for size in sizes]
        while definitions.left():
            self.static.append(Instruction(definitions))
        self.noted = notes.varint() if notes.left() else None
        done = 0
        while done < count:
            length = runs.varint()
            number = (self.next + unzigzag(runs.varint())) % 2**32
            for at in range(length):
                self.execute(self.static[number + at], done + at, passed, values, accesses, notes)
            self.next = number + length
            done += length
        wanted(done == count and self.noted is None, "a chunk's runs or notes do not end with it")
        wanted(not any(c.left() for c in (runs, passed, values, accesses, notes)), "a column is too long")
        self.counts[0] += count

    def execute(self, one, place, passed, values, accesses, notes):
        incomplete, after = False, []
        while self.noted == place:
            kind = notes.byte()
            if kind == 1:
                one.forget(notes.fixed(8))
            elif kind == 2:
                one.reshape([notes.byte() for _ in range(notes.varint())])
            elif kind == 3:
                incomplete = True
            else:
                wanted(kind == 4, "an unknown note")
                after.append([notes.varint() for _ in range(3)] + [notes.fixed(4) for _ in range(18)])
            self.noted = place + notes.varint() if notes.left() else None
        holds = one.condition == ALWAYS or passed.byte()
        kind = "skipped" if not holds else "incomplete" if incomplete else "instruction"
        print(self.context, kind, hex(one.pc))
        if holds:
            self.effects(one, incomplete, values, accesses)
        for exception in after:
            self.exception(*exception[:3], exception[3:])

    def effects(self, one, incomplete, values, accesses):
        wrote = []
        for bit in [] if incomplete else one.bits:
            one.last[bit] = (one.last[bit] + unzigzag(values.varint())) % 2**32
            wrote.append(one.last[bit])
        for at, kind in enumerate(one.shape):
            size = 1 << (kind & 3)
            base = end if at else one.address[0]
            one.address[at] = (base + unzigzag(accesses.varint())) % 2**32
            end = one.address[at] + size
            expected = one.value[at] if kind >> 3 == AS_BEFORE else wrote[kind >> 3]
            one.value[at] = (expected % 256**size + unzigzag(accesses.varint())) % 2**64
            name = "store" if kind & 4 else "load"
            print(self.context, name, hex(one.address[at]), size, "value", one.value[at], hex(one.pc))
            self.counts[1] += 1
        for bit, value in zip(one.bits, wrote):
            print(self.context, "value", REGISTERS[bit], hex(value), hex(one.pc))

    def exception(self, source, target, entry, registers):
        self.context = target
        self.counts[2] += 1
        print(target, "exception from" if entry else "return from", source, hex(registers[15]))


def decode(data):
    wanted(data[:6] == b"\0WEFT\0", "this is not a container")
    recording, before, chained = Recording(), 0, False
    for run in filter(None, data[6:].split(b"\0")):
        content = uncobs(run)
        wanted(frame_check(content[:-4]) == int.from_bytes(content[-4:], "little"), "a frame is damaged")
        file = Reader(content[:-4])
        version, kind = file.byte(), file.byte()
        wanted(version in (1, 2, 3) and kind == 5, "this is not a full recording")
        file.varint()
        lost, _ = file.varint(), file.varint()
        if version > 1:
            file.bytes(4), file.varint()
        wanted(lost == (before if chained else 0), "a frame does not follow the one before")
        before = frame_check(content[:-4])
        what = file.byte()
        if what == 0:
            chained = b"chained=1" in file.bytes(file.left()).split(b"\n")
        elif what == 1:
            size = file.varint()
            packed = file.bytes(file.left())
            chunk = subprocess.run(["zstd", "-dcq"], input=packed, stdout=subprocess.PIPE, check=True).stdout
            wanted(len(chunk) == size, "a chunk has another size")
            recording.chunk(Reader(chunk))
        else:
            wanted(what == 2 and [file.varint() for _ in range(3)] == recording.counts, "the end counts otherwise")
            return
    sys.exit("full_format.py: there is no end")


if __name__ == "__main__":
    decode(open(sys.argv[1], "rb").read())
