# SPDX-License-Identifier: MIT
# A decoder of coded blocks and of mixed ones, written from tools/lib/wet/FORMAT.md, sections 5 and 6. It shares no code
# with Weft. Used by wet_format.py.
from collections import defaultdict

LOW32 = 2**32 - 1
LEVELS = 0, 1, 2, 3, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 6, 7
AT = (1, 2, 4, 6, 10, 17, 27, 45, 74, 120, 194, 311, 488, 747, 1102, 1546, 2048, 2550, 2994, 3349, 3608, 3785, 3902,
      3976, 4022, 4051, 4069, 4079, 4086, 4090, 4092, 4094, 4095)


def squash(x):
    if x >= 2047 or x <= -2047:
        return 4095 if x > 0 else 1
    k, r = (x >> 7) + 16, x % 128
    return AT[k] * (128 - r) + AT[k + 1] * r + 64 >> 7


def logits():
    table, x = [], -2047
    for p in range(4096):
        while squash(x) < p:
            x += 1
        table.append(x)
    return table


LOGIT = logits()


def mixed(x, y):
    z = x * 0x9E3779B1 + y * 0x85EBCA6B & LOW32
    return (z ^ z >> 15) * 0x2C1B3C6D & LOW32


class Counter:
    def __init__(self):
        self.p, self.uses = 2**21, 0

    def learn(self, bit):
        self.p += ((4194303 if bit else 0) - self.p) * (131072 // (2 * self.uses + 3)) >> 16
        self.uses = min(self.uses + 1, 255)


class Row:
    most = 15

    def __init__(self):
        self.value = self.sure = 0

    def level(self):
        return LEVELS[self.sure]

    def learn(self, value):
        if self.value == value:
            self.sure = min(self.sure + 1, self.most)
        elif self.sure > 1:
            self.sure //= 4 if self.sure > 3 else 2
        else:
            self.value, self.sure = value, 1


class MixedRow(Row):
    most = 3


class Block:
    row, most = Row, 15

    def __init__(self, data, count):
        self.shape, self.data, self.at = data[0], data, 5
        self.low, self.high, self.code = 0, LOW32, int.from_bytes(data[1:5].ljust(4, b"\0"), "big")
        self.count, self.log2 = count, 8
        while self.log2 < self.most and 2**self.log2 < 2 * count:
            self.log2 += 1
        self.tables = [defaultdict(self.row) for _ in range(3)]
        self.counters, self.weights = defaultdict(Counter), defaultdict(lambda: [22000] * 3)
        self.v, self.t, self.outcomes, self.length = [0] * 6, [0, 0], [0] * 4, 0

    def coded(self, p, n):
        middle = self.low + ((self.high - self.low) * p >> n)
        bit = int(self.code <= middle)
        if bit:
            self.high = middle
        else:
            self.low = middle + 1
        while self.low >> 24 == self.high >> 24:
            byte = self.data[self.at] if self.at < len(self.data) else 0
            self.at += 1
            self.low, self.high = self.low << 8 & LOW32, self.high << 8 & LOW32 | 255
            self.code = self.code << 8 & LOW32 | byte
        return bit

    def bit(self, *which):
        counter = self.counters[which]
        bit = self.coded(max(16, min(65520, counter.p >> 6)), 16)
        counter.learn(bit)
        return bit

    def rows(self):
        v, shift = self.v, 32 - self.log2
        if self.shape == 2:
            k = mixed(mixed(v[0], v[1]), v[2])
            places = [mixed(k, mixed(v[3], mixed(v[4], v[5]))), k]
        else:
            places = [mixed(v[0], v[1]), mixed(v[0], 0), mixed(*self.t)]
        return [self.tables[i][place >> shift] for i, place in enumerate(places)]

    def decided(self, rows):
        """The result, and the number if it is not 3."""
        a, b = rows[0].value, rows[1].value
        outcomes = tuple(self.outcomes[:2])
        if self.bit(0, rows[0].level(), (rows[1].level() >> 1) * 2 + (a == b), outcomes):
            return 0, a
        c = self.v[0] + rows[2].value & LOW32 if self.shape != 2 else None
        other = 0 if c is None else (rows[2].level() >> 1) * 2 + (b == c)
        if a != b and self.bit(1, rows[1].level(), other, outcomes):
            return 1, b
        if c is not None and c not in (a, b) and self.bit(2, rows[2].level(), 0, outcomes):
            return 2, c
        return 3, None

    def mixed_bit(self, counters, weights):
        x = [LOGIT[c.p >> 10] for c in counters]
        total = sum(i * w for i, w in zip(x, weights)) >> 16
        p = squash(max(-2047, min(2047, total)))
        bit = self.coded(p, 12)
        weights[:] = [w + (i * (4096 * bit - p) * 16 + 32768 >> 16) for i, w in zip(x, weights)]
        for c in counters:
            c.learn(bit)
        return bit

    def symbol_counters(self, node):
        one, two, shift = self.v[0] * 0x9E3779B1, mixed(self.v[0], self.v[1]), 32 - self.log2
        return (("zero", node), ("one", (one + node * 0x85EBCA6B & LOW32) >> shift),
                ("two", (two + node * 0x9E3779B1 & LOW32) >> shift))

    def symbol(self):
        node = 1
        for _ in range(8):
            counters = [self.counters[which] for which in self.symbol_counters(node)]
            node = node << 1 | self.mixed_bit(counters, self.weights[node])
        return node & 255

    def literal(self):
        node = 1
        for _ in range(6):
            node = node << 1 | self.bit("length", self.length, node)
        self.length = node & 63
        word = 1 if self.length else 0
        for done in range(self.length - 1):
            left = self.length - 1 - done
            word = word << 1 | (self.bit("top", self.length, word) if done < 3 else self.bit("low", self.length, left))
        return word

    def number(self, rows):
        result, number = self.decided(rows)
        if result == 3 and self.shape == 2:
            number = self.symbol()
        elif result == 3:
            number = self.literal()
            if self.shape == 1:
                number = self.v[0] + (number >> 1 ^ -(number & 1)) & LOW32
        self.outcomes = [result] + self.outcomes[:3]
        return number

    def decode(self):
        numbers = []
        for _ in range(self.count):
            rows = self.rows()
            number = self.number(rows)
            rows[0].learn(number)
            rows[1].learn(number)
            if self.shape != 2:
                rows[2].learn(number - self.v[0] & LOW32)
            self.t = [number - self.v[0] & LOW32, self.t[0]]
            self.v = [number] + self.v[:5]
            numbers.append(number)
        return numbers


class MixedBlock(Block):
    row, most = MixedRow, 16

    def bit(self, *which):
        counter = self.counters[which]
        bit = self.coded(max(1, counter.p >> 10), 12)
        counter.learn(bit)
        return bit

    def decided(self, rows):
        symbols, outcomes = self.shape == 2, tuple(self.outcomes)
        a, b, c = rows[0].value, rows[1].value, self.v[0] + (0 if self.shape == 2 else rows[2].value) & LOW32
        sure = tuple(row.sure for row in rows)
        near = mixed(self.v[0], self.v[1] if symbols else 0)
        for i, number in enumerate((a, b) if symbols else (a, b, c)):
            if number in (a, b, c)[:i]:
                continue
            which = (("sure", i, sure, a == b, b == c, a == c, outcomes[:2]), ("past", i, outcomes),
                     ("near", (near + i * 0x9E3779B1 & LOW32) >> 32 - self.log2))
            if self.mixed_bit([self.counters[w] for w in which], self.weights["decision", i, outcomes[:2]]):
                return i, number
        return 3, None

    def symbol_counters(self, node):
        two = mixed(self.v[0], self.v[1]) + node * 0x9E3779B1 & LOW32
        return ("zero", node), ("one", self.v[0], node), ("two", two >> 32 - self.log2)
