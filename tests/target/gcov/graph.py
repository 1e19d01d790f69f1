# SPDX-License-Identifier: MIT
"""gcov's own blocks and counters: the .gcno file that the compiler wrote, with the .gcda file of a run. What gcov
prints is made of them; here they answer single questions, for lines where what it prints is not what ran."""
import collections, os, struct

TREE, FAKE = 1, 2


class Words:
    def __init__(self, data):
        self.data, self.at = data, 0

    def word(self, kind="<I"):
        self.at += struct.calcsize(kind)
        return struct.unpack_from(kind, self.data, self.at - struct.calcsize(kind))[0]

    def text(self):
        size = self.word()
        self.at += size
        return self.data[self.at - size:self.at].rstrip(b"\0").decode() if size else None

    def left(self):
        return self.at + 8 <= len(self.data)


class Function:
    def __init__(self, words):
        self.ident, _, _ = words.word(), words.word(), words.word()
        self.name, _, self.file = words.text(), words.word(), os.path.basename(words.text())
        self.arcs, self.lines, self.blocks, self.counts = [], collections.defaultdict(list), 0, []

    def add_lines(self, words):
        block, file = words.word(), None
        while True:
            line = words.word()
            if line:
                self.lines[block].append((file, line))
                continue
            file = words.text()
            if file is None:
                return
            file = os.path.basename(file)

    def solve(self):
        """The count of each arc, from those that were counted: what goes into a block comes out of it."""
        given = iter(self.counts)
        count = [None if flags & TREE else next(given, 0) for _, _, flags in self.arcs]
        ends = [[] for _ in range(2 * self.blocks)] # of block b: arcs into it, arcs out of it
        for i, (start, end, _) in enumerate(self.arcs):
            ends[2 * end].append(i)
            ends[2 * start + 1].append(i)
        of = [None] * self.blocks
        work = list(range(self.blocks))
        while work:
            b = work.pop()
            sides = [ends[2 * b + s] for s in (0, 1) if b != s]
            for side in sides:
                if of[b] is None and all(count[i] is not None for i in side):
                    of[b] = sum(count[i] for i in side)
            for side in sides if of[b] is not None else []:
                unknown = [i for i in side if count[i] is None]
                if len(unknown) == 1:
                    count[unknown[0]] = of[b] - sum(count[i] for i in side if i != unknown[0])
                    work += self.arcs[unknown[0]][:2]
        self.arcs = [(a, b, flags, n or 0) for (a, b, flags), n in zip(self.arcs, count)]
        self.runs = [n or 0 for n in of]

    def ends(self, block):
        """The lines that a block counts for: the greatest of those in a row in one file. The last block counts for
        none, since gcov takes it for the exit."""
        runs = []
        for file, line in self.lines.get(block, []):
            if not runs or runs[-1][0] != file:
                runs.append((file, line))
            runs[-1] = max(runs[-1], (file, line))
        return runs

    def count(self, place):
        """Of a line, in this function alone. Blocks that only hold it count if those that count for it never ran."""
        mine = {b for b in self.lines if b + 1 < self.blocks and place in self.ends(b)}
        inside = [(a, b) for a, b, _, n in self.arcs if n and a in mine and b in mine]
        entries = sum(n for a, b, _, n in self.arcs if b in mine and a not in mine)
        if any(a >= b for a, b in inside):
            return None # a loop on the line
        return entries or sum(self.runs[b] for b in self.lines if place in self.lines[b])

    def entered(self, place):
        """How often control came to the blocks that hold a line, but for turns of loops that begin with them."""
        mine = [b for b in self.lines if place in self.lines[b]]
        return sum(n for a, b, _, n in self.arcs if b in mine and a < b)

    def ways(self, place):
        """Counts of the ways out of the blocks that end on a line, each block at one line only."""
        found = []
        for b in self.lines:
            out = [n for a, _, flags, n in self.arcs if a == b and not flags & FAKE]
            if self.ends(b)[-1] == place and len(out) > 1:
                found += out
        return found


def functions(notes, data):
    """notes: a path of .gcno; data: the bytes of .gcda."""
    words, all_of = Words(open(notes, "rb").read()), []
    for _ in range(4):
        words.word()
    words.text(), words.word()
    while words.left():
        tag, size = words.word(), words.word()
        end = words.at + size
        if tag == 0x01000000:
            all_of.append(Function(words))
        elif tag == 0x01410000:
            all_of[-1].blocks = words.word()
        elif tag == 0x01430000:
            block = words.word()
            while words.at < end:
                all_of[-1].arcs.append((block, words.word(), words.word()))
        elif tag == 0x01450000:
            all_of[-1].add_lines(words)
        words.at = end
    counted, words, own = {f.ident: f for f in all_of}, Words(data), None
    words.at = 16
    while words.left():
        tag, size = words.word(), words.word("<i")
        end = words.at + max(size, 0)
        if tag == 0x01000000:
            own = counted[words.word()] if size > 0 else None
        elif tag == 0x01a10000 and size > 0:
            own.counts = [words.word("<q") for _ in range(size // 8)]
        words.at = end
    for f in all_of:
        f.solve()
    return all_of
