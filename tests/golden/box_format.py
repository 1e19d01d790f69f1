# SPDX-License-Identifier: MIT
# A decoder of black boxes, written from core/FORMAT.md, section 12. It shares no code with Weft.
#     box_format.py MEMORY   what the box in a dump of memory holds, the newest first: a path's number per line, or
#                            `context N`, `reset`, `pause`
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from formats import Reader, crc32, unzigzag, wanted  # noqa: E402

CONTEXT, PAUSE, RESET = 0xFE00, 0xFDFE, 0xFDFF


def plain(head, size, wide, version):
    mask = head.fixed(4)
    held = head.bytes(8)
    held_sum = head.fixed(4) if version > 1 else 0
    count = head.fixed(4)
    width = 4 if wide else 2
    n, ones = size // width, 256**width - 1
    memory = head.bytes(size)
    wanted(mask or not held_sum or held_sum == (crc32(held + memory[width:]) or 0xFFFFFFFF), "memory has changed")
    entries = [int.from_bytes(memory[i:i + width], "little") for i in range(0, size, width)]
    held_count, held_first = int.from_bytes(held[:4], "little"), int.from_bytes(held[4:], "little")
    if not mask:
        count, entries[0] = held_count, held_first
    all_of_them = entries[(count + 1) % n] == ones
    for i in range(count - 1, count - 1 - min(count, n if all_of_them else n - 1), -1):
        entry = entries[i % n]
        if entry == ones:
            return
        yield "reset" if entry == ones - 1 else "pause" if entry == ones - 2 else entry


class Packed:
    def __init__(self, head, size, log2, version):
        words = head.bytes(48)
        is_open, state, self.at, laps, _, busy = [int.from_bytes(words[4 * i:4 * i + 4], "little") for i in range(6)]
        wanted(not busy, "a push was at work")
        held_sum = head.fixed(4) if version > 1 else 0
        memory = head.bytes(size)
        held = is_open == 0xFFFFFFFF
        wanted(not held or not held_sum or held_sum == (crc32(words + memory) or 0xFFFFFFFF), "memory has changed")
        head = Reader(memory, 0)
        self.symbol, self.hits, self.log2 = state & 65535, state >> 16, log2
        self.sets = [[head.fixed(2), head.fixed(2)] for _ in range(1 << log2)]
        self.ring = [nibble for byte in head.bytes(size - (4 << log2)) for nibble in (byte & 15, byte >> 4)]
        self.left = len(self.ring) if laps else self.at

    def nibble(self):
        if not self.left:
            raise EOFError
        self.left -= 1
        self.at = (self.at - 1) % len(self.ring)
        return self.ring[self.at]

    def number(self):
        value = shift = 0
        while True:
            group = self.nibble()
            value |= (group & 7) << shift
            shift += 3
            if not group & 8:
                return value

    def back(self):
        """From the newest symbol to the one before it."""
        of = self.symbol * 0x9E3779B1 % 2**32 >> 32 - self.log2
        if self.hits:
            self.hits -= 1
            self.symbol = self.sets[of][0]
            return
        tag = self.nibble()
        hits = tag & 7 if tag & 7 < 7 else 7 + self.number()
        number = self.number() if tag & 8 else None
        self.hits = hits
        if number == 0:
            self.back()
            return
        p, b = self.sets[of]
        self.sets[of] = [b, p if number is None else 0 if number == 1 else p + unzigzag(number - 1) & 65535]
        self.symbol = p

    def newest_first(self):
        try:
            while self.symbol:
                yield self.text()
                self.back()
        except EOFError:
            return

    def text(self):
        if self.symbol >= CONTEXT:
            return "context %d" % (self.symbol - CONTEXT)
        return {PAUSE: "pause", RESET: "reset"}.get(self.symbol, self.symbol - 1)


def newest_first(data):
    """Of the first box whose check is right: RAM may hold copies of the first bytes."""
    at = data.find(b"WEFT_BOX")
    while at >= 0 and crc32(data[at:at + 24]) != int.from_bytes(data[at + 24:at + 28], "little"):
        at = data.find(b"WEFT_BOX", at + 1)
    wanted(at >= 0, "there is no black box")
    head = Reader(data, at + 8)
    version, form, sets = head.byte(), head.byte(), head.byte()
    head.byte()
    size = head.fixed(4)
    head.bytes(12)
    wanted(version in (1, 2) and form in (1, 2, 3), "another version or form")
    if form == 3:
        return Packed(head, size, sets, version).newest_first()
    return plain(head, size, form == 2, version)


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as opened:
        for line in newest_first(opened.read()):
            print(line)
