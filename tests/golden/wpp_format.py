# SPDX-License-Identifier: MIT
# A decoder of whole program paths, written from docs/FORMATS.md: method 0 here, method 1 in wpp_stream_format.py. It
# shares no code with Weft.
#     wpp_format.py FILE   the symbols, one per line
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from formats import Reader, crc32, unzigzag, wanted  # noqa: E402
from wpp_stream_format import Stream  # noqa: E402

LOW32 = 2**32 - 1


class Model:
    def __init__(self, limit):
        self.p, self.count, self.limit = 32768, 0, limit

    def learn(self, bit):
        rate = 655360 // (10 * self.count + 18)
        if bit:
            self.p += (65503 - min(self.p, 65503)) * rate >> 16
        else:
            self.p -= (self.p - min(self.p, 32)) * rate >> 16
        self.count = min(self.count + 1, self.limit)


class Models(dict):
    """Those that were used; the others are as at first."""

    def __init__(self, limit=126):
        self.limit = limit

    def __missing__(self, at):
        self[at] = Model(self.limit)
        return self[at]


class Bits:
    def __init__(self, data):
        self.data, self.at, self.low, self.high, self.code = data, 0, 0, LOW32, 0
        for _ in range(4):
            self.more()

    def more(self):
        wanted(self.at < len(self.data) + 8, "the file is cut")
        self.code = (self.code << 8 | (self.data[self.at] if self.at < len(self.data) else 0)) & LOW32
        self.at += 1

    def plain(self, p=32768):
        span = self.high - self.low
        middle = self.low + (span >> 16) * p + ((span & 65535) * p >> 16)
        bit = self.code <= middle
        if bit:
            self.high = middle
        else:
            self.low = middle + 1
        while self.low >> 24 == self.high >> 24:
            self.more()
            self.low, self.high = self.low << 8 & LOW32, self.high << 8 & LOW32 | 255
        return int(bit)

    def bit(self, model):
        bit = self.plain(model.p)
        model.learn(bit)
        return bit


class Rules:
    def __init__(self, bits):
        self.bits, self.kinds, self.last = bits, 0, 0
        self.more, self.fresh, self.rule, self.terminals, self.distances = [Models() for _ in range(5)]
        self.length, self.top = Models(20), Models(20)
        self.value_before, self.values, self.rules = 0, [], []

    def value(self):
        count = 0
        while count < 32 and self.bits.bit(self.length[count]):
            count += 1
        x = 1
        for at in range(count):
            x = x << 1 | (self.bits.plain() if at else self.bits.bit(self.top[count]))
        self.value_before = (self.value_before + unzigzag(x - 1)) & LOW32
        return self.value_before

    def below(self, models, context, count):
        node, number = 1, 0
        for at in reversed(range((count - 1).bit_length())):
            bit = 0
            if number | 1 << at < count:
                bit = self.bits.bit(models[(context * 0x9E3779B1 + node * 0x85EBCA6B & LOW32) >> 12])
            number |= bit << at
            node = node << 1 | bit
        return number

    def element(self, start):
        """The symbols that it stands for."""
        new = self.bits.bit(self.fresh[self.kinds + 16 * start])
        rule = len(self.rules) > 0
        if new or (self.rules and self.values):
            rule = self.bits.bit(self.rule[self.kinds + 16 * new])
        self.kinds = (self.kinds << 2 | new << 1 | rule) & 15
        if rule and new:
            number = len(self.rules)
            self.rules.append(None)
            self.rules[number] = self.elements(False)
            return self.rules[number]
        if rule:
            return self.rules[len(self.rules) - 1 - self.below(self.distances, 0, len(self.rules))]
        if new:
            self.values.append(self.value())
            number = len(self.values) - 1
        else:
            number = self.below(self.terminals, self.last, len(self.values))
        self.last = number + 1
        return [self.values[number]]

    def elements(self, start):
        symbols, count = [], 0
        while (not start and count < 2) or self.bits.bit(self.more[7 if start else min(count, 6)]):
            symbols += self.element(start)
            count += 1
        return symbols


def decode(data):
    file = Reader(data)
    wanted(file.bytes(2) == b"\xffW", "this is not a whole program path")
    kind, length = file.byte(), file.varint()
    version = kind >> 2
    wanted(version in (1, 2, 3), "another version")
    head, crc = data[:file.at], file.fixed(4)
    rest = file.bytes(file.left())
    wanted(version == 1 or crc32(head + rest) == crc, "the check sum is wrong")
    sys.setrecursionlimit(100000)
    bits = Bits(rest)
    rules = Rules(bits)
    symbols = Stream(bits, length, Models, rules, version < 3).decode() if kind & 2 else rules.elements(True)
    wanted(len(symbols) == length, "the length is wrong")
    wanted(version > 1 or crc32(b"".join(s.to_bytes(4, "little") for s in symbols)) == crc, "the check sum is wrong")
    return symbols


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as opened:
        for symbol in decode(opened.read()):
            print(symbol)
