# SPDX-License-Identifier: MIT
# A decoder of the streams of a .wet file, written from tools/lib/wet/FORMAT.md, sections 2 and 6. It shares no code
# with Weft. Used by wet_format.py.
import formats
from formats import Reader, unzigzag, wanted
from wet_block_format import Block, MixedBlock

LOW32 = 2**32 - 1


def squeezed(data, count):
    """A block of docs/FORMATS.md, section 5."""
    file = Reader(data)
    numbers = list(formats.block(file))
    wanted(len(numbers) == count and file.left() == 0, "a block has another size")
    return numbers


BLOCKS = { # by kind of stream: the versions that have it, and what decodes a block
    3: (range(1, 5), squeezed),
    9: (range(5, 7), lambda data, count: MixedBlock(data, count).decode()),
    10: (range(7, 23), lambda data, count: Block(data, count).decode()),
}


class Stream:
    """Of `count` numbers; `get(i)` gives one."""

    def __init__(self, node, count):
        self.node, file, self.trace, self.count = node, node.file, node.trace, count
        node.streams.append(self)
        self.kind = file.varint()
        self.same = self.numbers = self.value = None
        if self.kind == 0:
            self.value = file.varint()
        elif self.kind == 1:
            self.same = node.streams[file.varint()]
        elif self.kind in (2, 6, 7):
            size = {2: 4, 6: 1, 7: 2}[self.kind]
            data = self.trace.take(size * count)
            self.numbers = [int.from_bytes(data[i:i + size], "little") for i in range(0, len(data), size)]
        elif self.kind == 4:
            data, last, self.numbers = Reader(self.trace.take(file.varint())), 0, []
            for _ in range(count):
                last = last + unzigzag(data.varint()) & LOW32
                self.numbers.append(last)
        elif self.kind == 5:
            unique = file.varint()
            self.unique, self.places = Stream(node, unique), Stream(node, count)
        elif self.kind in BLOCKS:
            self.read_blocks()
        else:
            wanted(self.kind == 8, "an unknown kind of stream")

    def read_blocks(self):
        versions, decoded = BLOCKS[self.kind]
        wanted(self.trace.version in versions, "a kind of stream that this version does not have")
        size = self.trace.block
        sizes = [self.node.file.varint() for _ in range((self.count + size - 1) // size)]
        self.numbers = []
        for bytes_ in sizes:
            self.numbers += decoded(self.trace.take(bytes_), min(size, self.count - len(self.numbers)))

    def get(self, at):
        if self.same:
            return self.same.get(at)
        if self.kind == 5:
            return self.unique.get(self.places.get(at))
        return self.value if self.kind == 0 else self.numbers[at]

    def inferred(self):
        return self.same.inferred() if self.same else self.kind == 8
