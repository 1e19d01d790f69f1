# SPDX-License-Identifier: MIT
# A decoder of whole program paths of method 1, written from docs/FORMATS.md, section 8. It shares no code with Weft.
# Used by wpp_format.py.
LOW32 = 2**32 - 1
ORDERS = 1, 2, 4, 7, 12
ROLL = 0x2F0B4C47
AT = (1, 2, 3, 6, 10, 16, 27, 45, 73, 120, 194, 310, 488, 747, 1101, 1546, 2047, 2549, 2994, 3348, 3607, 3785, 3901,
      3975, 4022, 4050, 4068, 4079, 4085, 4089, 4092, 4093, 4094)


def squash(x):
    if abs(x) > 2047:
        return 4095 if x > 0 else 1
    k, r = x + 2048 >> 7, x + 2048 & 127
    return AT[k] * (128 - r) + AT[k + 1] * r + 64 >> 7


def logits():
    table, x = [], -2047
    for p in range(4096):
        while x < 2047 and squash(x) < p:
            x += 1
        table.append(x)
    return table


LOGIT = logits()


def divided(number, by):
    return number // by if number >= 0 else -(-number // by)


class Mixer:
    def __init__(self, inputs, weight):
        self.weights = [weight] * inputs

    def mix(self, inputs):
        return max(-2047, min(2047, divided(sum(i * w for i, w in zip(inputs, self.weights)), 65536)))

    def learn(self, inputs, mixture, bit, rate):
        error = (4096 * bit - squash(mixture)) * rate
        self.weights = [w + divided(i * error + 512, 1024) for i, w in zip(inputs, self.weights)]


class Mixers(dict):
    def __init__(self, inputs, weight):
        self.inputs, self.weight = inputs, weight

    def __missing__(self, at):
        self[at] = Mixer(self.inputs, self.weight)
        return self[at]


class Slot:
    def __init__(self, check=0):
        self.first = self.second = None
        self.sure = self.count = 0
        self.check = check

    def learn(self, symbol):
        if self.first is None:
            self.first, self.sure, self.count = symbol, 40000, 0
            return
        rate = 65536 // (self.count + 2)
        self.count = min(self.count + 1, 30)
        if self.first == symbol:
            self.sure += (65535 - self.sure) * rate >> 16
            return
        self.sure -= self.sure * rate >> 16
        if self.count > 6:
            self.count -= 2
        if self.sure < 16000 or (self.second == symbol and self.sure < 30000):
            self.first, self.second, self.sure, self.count = symbol, self.first, 25000, 1
        else:
            self.second = symbol


class Stream:
    def __init__(self, bits, length, models, values, old):
        """`models(limit)`: models that start when they are asked for. `values`: has value(). `old`: version 1 or 2."""
        self.bits, self.length, self.values, self.old = bits, length, values, old
        self.log2 = 12
        while self.log2 < 20 and length >> self.log2:
            self.log2 += 1
        self.past, self.known = [], []
        self.slots = [{} for _ in ORDERS]
        self.place, self.check = [0] * 5, [1] * 5
        self.go_on, self.sure, self.outcomes = models(62), models(126), 0
        self.state, self.last, self.tree_mixers = Mixers(6, 19660), Mixers(6, 19660), Mixers(3, 21845)
        self.trees = models(30), models(15), models(7)
        self.starts, self.repeat, self.repeat_at = {}, 0, 0
        if old:
            self.find_old_contexts()

    def back(self, n):
        return self.past[-n] if n <= len(self.past) else 0

    def roll(self, count, skip=0):
        return sum(self.back(skip + i + 1) * pow(ROLL, i, 2**32) for i in range(count)) & LOW32

    def find_contexts(self):
        for i, order in enumerate(ORDERS):
            if i < 3:
                h = self.roll(order) * 0x9E3779B1 & LOW32
                self.place[i], self.check[i] = h >> 32 - self.log2, (h | 1) & 65535
            else:
                h, last = self.roll(order - 1, 1) * 0x9E3779B1 & LOW32, self.back(1) * 0x85EBCA6B & LOW32
                self.place[i] = h >> 32 - self.log2 & ~3 | last >> 30
                self.check[i] = (h ^ last >> 8 | 1) & 65535

    def old_hash(self, count):
        h = 0
        for i in range(1, count + 1):
            h = (h + self.back(i) + 1) * ROLL & LOW32
            h ^= h >> 15
        return h

    def find_old_contexts(self):
        for i, order in enumerate(ORDERS):
            h = self.old_hash(order) * 0x9E3779B1 & LOW32
            self.place[i], self.check[i] = h >> 32 - self.log2, (h | 1) & 65535

    def slot(self, i):
        return self.slots[i].setdefault(self.place[i], Slot())

    def code(self):
        """The next symbol, as an index."""
        if self.repeat >= 400:
            if self.bits.bit(self.go_on[self.repeat.bit_length() - 1]):
                return self.past[self.repeat_at]
            self.repeat = 0
        tried = []
        longest = self.slot(4)
        if not self.old and longest.check == self.check[4] and longest.first is not None and longest.sure >= 55000:
            at = min(longest.count, 15) * 512 + (longest.sure >> 12) % 8 * 64 + self.outcomes
            right = self.bits.bit(self.sure[at])
            self.outcomes = (self.outcomes << 1 | right) & 63
            if right:
                symbol = longest.first
                longest.learn(symbol)
                return symbol
            tried.append(longest.first)
        for i in range(5):
            if self.slot(i).check != self.check[i]:
                self.slots[i][self.place[i]] = Slot(self.check[i])
        here = [self.slot(i) for i in range(5)]
        symbol = self.candidates(here, tried)
        if symbol is None:
            symbol = self.index()
        for slot in here:
            slot.learn(symbol)
        return symbol

    def candidates(self, here, tried):
        length = max([i + 1 for i in range(5) if here[i].first is not None], default=0)
        while len(tried) < 6:
            offered = [s.first for s in reversed(here)] + [s.second for s in reversed(here)]
            candidate = next((c for c in offered if c is not None and c not in tried), None)
            if candidate is None:
                return None
            inputs = [opinion(s, candidate, s.first in tried) for s in here] + [256]
            row, agree = min(len(tried), 3), sum(s.first == candidate for s in here)
            mixers = self.state[row, length, agree], self.last[self.back(1) % 4096, row]
            mixtures = [m.mix(inputs) for m in mixers]
            bit = self.bits.plain(16 * squash(divided(sum(mixtures), 2)) + 8)
            for mixer, mixture in zip(mixers, mixtures):
                mixer.learn(inputs, mixture, bit, 6)
            if bit:
                return candidate
            tried.append(candidate)
        return None

    def index(self):
        one = self.back(1) * 0x9E3779B1 & LOW32
        two = one + self.back(2) * 0x85EBCA6B & LOW32
        node, index = 1, 0
        for i in reversed(range(len(self.known).bit_length())):
            models = (self.trees[0][node % 2**20], self.trees[1][(one + node * 0xC2B2AE35 & LOW32) >> 12],
                      self.trees[2][(two + node * 0x27D4EB2F & LOW32) >> 12])
            inputs = [LOGIT[m.p >> 4] for m in models]
            mixture = self.tree_mixers[i].mix(inputs)
            bit = self.bits.plain(16 * squash(mixture) + 8)
            self.tree_mixers[i].learn(inputs, mixture, bit, 8)
            for m in models:
                m.learn(bit)
            index, node = index | bit << i, node << 1 | bit
        if index == len(self.known):
            self.known.append(self.values.value())
        return index

    def add(self, symbol):
        self.repeat = min(self.repeat + 1, 2**18) if self.repeat and self.past[self.repeat_at] == symbol else 0
        self.repeat_at += 1
        self.past.append(symbol)
        if self.old:
            self.find_old_contexts()
        else:
            self.find_contexts()
        m = len(self.past)
        if self.repeat >= 400 or m < 24:
            return
        h = self.old_hash(24) if self.old else self.roll(24) * 0x9E3779B1 & LOW32
        if not self.old and h * 0x85EBCA6B >> 28 & 15:
            return
        enough = 1000 if self.old else 400
        q = self.starts.get(h >> 32 - self.log2, 0)
        self.starts[h >> 32 - self.log2] = m
        if not self.repeat and q and m - q < 2**22 - 1 - enough:
            same = 0
            while same < enough and same < q and self.past[q - 1 - same] == self.past[m - 1 - same]:
                same += 1
            if same >= 24:
                self.repeat, self.repeat_at = same, q

    def decode(self):
        for _ in range(self.length):
            self.add(self.code())
        return [self.known[i] for i in self.past]


def opinion(slot, candidate, was_tried):
    if slot.first is None:
        return 0
    sure = LOGIT[slot.sure >> 4]
    if slot.first == candidate:
        return sure
    if slot.second == candidate:
        return 200 if was_tried else -sure - 100
    return -150 if was_tried else -sure - 300
