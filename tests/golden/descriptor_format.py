# SPDX-License-Identifier: MIT
# A decoder of path descriptors, versions 3 to 6, and of packs, written from tools/lib/image/descriptor_format.h and
# ballarus.h. It shares no code with Weft. Used by formats.py and container_format.py.
from formats import Reader, crc32, wanted

ENTRY, EXIT, CALL, LANDING, PACKED, CAUGHT = -1, -2, 1, 2, 128, 256


def bits(n):
    return max(0, (n - 1).bit_length())


class Function:
    def __init__(self, record):
        file = Reader(record)
        file.fixed(4)
        wanted(file.bytes(2) == b"WD" and file.data[file.at] in (3, 4, 5, 6), "another version of descriptors")
        version = file.byte()
        self.flags, self.address = file.byte(), file.fixed(4)
        self.path_base, self.site_base, self.block_base = [file.fixed(4) for _ in range(3)]
        strings = [file.bytes(file.varint()).decode() for _ in range(file.varint())]
        self.name, _, self.file = [strings[file.varint()] for _ in range(3)]
        self.lines = file.varint(), file.varint()
        self.paths, blocks, sites, edges = [file.varint() for _ in range(4)]
        self.block_flags = []
        for _ in range(blocks):
            self.block_flags.append(file.varint())
            for _ in range(2 * file.varint()):
                file.varint()
            for _ in range(file.varint() if version > 4 else 0): # steps
                file.varint()
            file.varint()
            if version > 5 and self.block_flags[-1] & CAUGHT:
                wanted(file.varint() < blocks, "an exception arrives nowhere")
        linked = sum(self.site(file) for _ in range(sites))
        self.edges = [self.edge(file, version) for _ in range(edges)] # (from, to, is it cut?)
        for _ in range(min(version, 4) * file.varint()): # the numbers of a move
            file.varint()
        self.check(file, record, linked)
        self.number()

    @staticmethod
    def site(file):
        """True: its constant is the linker's."""
        _, flags, _, _, _, how, _ = [file.varint() for _ in range(7)]
        if flags & 16384:
            file.varint()
        if not how & 1:
            file.varint()
        if how >> 1 == 3:
            for _ in range(5 * file.varint()):
                file.varint()
        return how & 1

    @staticmethod
    def edge(file, version):
        start, end, kind = file.varint() - 1, file.varint() - 1, file.varint()
        file.varint()
        for _ in range(2 if version > 4 and kind >> 1 & 3 else 0): # the place of a goto
            file.varint()
        return (ENTRY if start < 0 else start), (EXIT if end < 0 else end), bool(kind & 1)

    @staticmethod
    def check(file, record, linked):
        constants_at = file.at
        constants = file.bytes(4 * linked)
        wanted(file.bytes(4 * linked) == constants and file.bytes(16) == record[8:24], "what is linked differs")
        wanted(file.fixed(4) == crc32(record[24:constants_at] + record[6:8]) and not file.left(), "a descriptor's check")

    def number(self):
        """Values of edges and of the dummy edges to start blocks: Ball and Larus's numbering."""
        count = len(self.block_flags)
        starts = {to for _, to, cut in self.edges if cut and to >= 0}
        starts |= {b for b in range(count) if self.block_flags[b] & LANDING}
        self.out = {b: [e for e in self.edges if e[0] == b] for b in [ENTRY] + list(range(count))}
        self.ways_of = {}
        total = sum(self.ways_on(e) for e in self.out[ENTRY])
        self.start_value = {}
        for b in range(count):
            if b in starts:
                self.start_value[b] = total
                total += self.ways(b)
        wanted(total == self.paths, "the number of paths is another one")

    def ways_on(self, edge):
        return 1 if edge[2] or edge[1] == EXIT else self.ways(edge[1])

    def ways(self, block):
        if block not in self.ways_of:
            self.ways_of[block] = sum(self.ways_on(e) for e in self.out[block]) or 1
        return self.ways_of[block]

    def end_of(self, number):
        """The block that the cut edge leads to on which this path ends; EXIT otherwise."""
        at, rest = ENTRY, number
        for block in sorted(self.start_value):
            if number >= self.start_value[block]:
                at, rest = block, number - self.start_value[block]
        while True:
            for edge in self.out[at]:
                if rest < self.ways_on(edge):
                    break
                rest -= self.ways_on(edge)
            else:
                return EXIT
            if edge[2] or edge[1] == EXIT:
                return edge[1]
            at = edge[1]

    def unpack(self, word):
        """The global numbers of the paths of a pack."""
        left = word.bit_length() - 1
        numbers, size, first = [], bits(self.paths), 0
        while left or not numbers:
            left -= size
            wanted(left >= 0, "this is not a pack")
            numbers.append(first + (word >> left & (1 << size) - 1))
            if left:
                start = self.end_of(numbers[-1])
                wanted(start >= 0 and not self.block_flags[start] & (CALL | LANDING), "a pack goes on where none can")
                size, first = max(1, bits(self.ways(start))), self.start_value[start]
        return [self.path_base + n for n in numbers]


class Descriptors:
    def __init__(self, data):
        file, self.functions = Reader(data), []
        while file.left():
            size = int.from_bytes(data[file.at:file.at + 4], "little")
            self.functions.append(Function(file.bytes(size)))
        self.packs = {f.path_base + f.paths: f for f in self.functions if f.flags & PACKED}
