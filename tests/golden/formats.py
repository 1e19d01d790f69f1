# SPDX-License-Identifier: MIT
# Decoders written from the documents alone (docs/FORMATS.md, core/FORMAT.md), which share no code with Weft. Used by
# tests/golden/formats.sh. Each prints what the file stands for:
#     formats.py nest FILE        the symbols of a loop nest, one per line
#     formats.py model FILE       the numbers of an address model, one per line
#     formats.py squeeze FILE     the numbers of a squeezed stream, one per line
#     formats.py profile FILE     what merged profiles hold, as `weft info --json` prints it
#     formats.py sequences FILE   of a merged profile of one group: its sequences of paths, as `weft paths` prints them
#     formats.py tables FILE      of its functions, loops and chains of calls: a line of numbers for each
#     formats.py container FILE   the events of a container of the made-up program of tests/golden/golden.c, as there;
#                                 `gap N` where N events are missing
import json
import subprocess
import sys


def wanted(condition, what):
    if not condition:
        sys.exit("formats.py: " + what)


CRC = []
for n in range(256):
    for _ in range(8):
        n = n >> 1 ^ (0xEDB88320 if n & 1 else 0)
    CRC.append(n)


def crc32(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = CRC[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def unzigzag(x):
    return x >> 1 ^ -(x & 1)


class Reader:
    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def left(self):
        return len(self.data) - self.at

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def bytes(self, size):
        wanted(size <= self.left(), "the file is cut")
        self.at += size
        return self.data[self.at - size:self.at]

    def fixed(self, size):
        return int.from_bytes(self.bytes(size), "little")

    def varint(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def signed(self):
        return unzigzag(self.varint())


# ---- loop nests ----


class LowBits:
    """Bits, the lowest of each byte first."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def bit(self):
        self.at += 1
        return self.data[self.at - 1 >> 3] >> (self.at - 1 & 7) & 1

    def bits(self, count):
        value = 0
        for _ in range(count):
            value = value << 1 | self.bit()
        return value

    def gamma(self):
        k = 0
        while not self.bit():
            k += 1
        return 1 << k | self.bits(k)

    def index(self, bound):
        bound = max(2, bound)
        k = bound.bit_length() - 1
        low = (2 << k) - bound
        value = self.bits(k)
        return value if value < low else (value << 1 | self.bit()) - low


def checked(data):
    """A file that ends with the CRC-32 of all that stands before."""
    wanted(crc32(data[:-4]) == int.from_bytes(data[-4:], "little"), "the check sum of the file is wrong")
    return data[:-4]


def nest(data):
    file = Reader(checked(data))
    wanted(file.bytes(5) == b"\0WLF\x02", "this is not a nest file")
    body = file.bytes(file.varint())
    wanted(body[:4] == b"WLN\x01", "this is not a nest")
    wanted(crc32(body[:-2]) & 0xFFFF == int.from_bytes(body[-2:], "little"), "the check sum is wrong")
    bits = LowBits(body[4:-2])
    length = bits.gamma() - 1
    alphabet, last = [], -1
    for _ in range(bits.gamma() - 1):
        last += bits.gamma()
        alphabet.append(last)
    expanded = [[symbol] for symbol in alphabet]
    for _ in range(bits.gamma() - 1):
        iterations = bits.gamma() + 1
        items = [bits.index(len(expanded)) for _ in range(bits.gamma())]
        expanded.append([s for item in items for s in expanded[item]] * iterations)
    count = bits.gamma() - 1
    root = [s for _ in range(count) for s in expanded[bits.index(len(expanded))]]
    wanted(len(root) == length, "the length is wrong")
    if file.byte():
        names = file.bytes(file.left()).split(b"\0")
        return [names[symbol].decode() for symbol in root]
    return root


# ---- address models ----


def face(file, outer):
    divisor = file.varint()
    constant = file.signed()
    return divisor, constant, [file.signed() for _ in range(outer)]


def numerator(face_, index):
    return face_[1] + sum(s * i for s, i in zip(face_[2], index))


def points(levels, index, base):
    if len(index) == len(levels):
        yield base
        return
    coefficient, lowers, uppers = levels[len(index)]
    low = max([-(-numerator(f, index) // f[0]) for f in lowers] or [0])
    high = min(numerator(f, index) // f[0] for f in uppers)
    for i in range(low, high + 1):
        yield from points(levels, index + [i], base + coefficient * i)


def model(data):
    file = Reader(checked(data))
    wanted(file.bytes(8) == b"WEFTMOD\x02", "this is not a model")
    numbers = []
    while file.left():
        head, accesses = file.varint(), file.varint()
        depth, value = head >> 1, 0
        if depth == 0:
            for _ in range(accesses):
                value += file.signed()
                numbers.append(value)
            continue
        base = file.signed()
        levels = []
        for outer in range(depth):
            coefficient, faces = file.signed(), file.varint()
            lowers = [face(file, outer) for _ in range(faces >> 4)]
            levels.append((coefficient, lowers, [face(file, outer) for _ in range(faces & 15)]))
        for _, value in zip(range(accesses), points(levels, [], base)):
            numbers.append(value)
    return [(n + 2**63) % 2**64 - 2**63 for n in numbers]


# ---- squeezed streams ----


def sparse(file, size):
    """Bytes that are mostly 0. Maps say which are not."""
    sizes = [size]
    while sizes[-1] > 1:
        sizes.append((sizes[-1] + 7) // 8)
    if size == 0:
        return []
    level = [file.byte()]
    for size in reversed(sizes[:-1]):
        level = [file.byte() if level[i >> 3] >> (i & 7) & 1 else 0 for i in range(size)]
    return level


def words(file, width):
    count = file.varint()
    if count == 0:
        return []
    mapping = file.byte()
    nibbles = file.bytes((count + 1) // 2)
    sizes = [nibbles[i // 2] >> 4 * (i & 1) & 15 for i in range(count)]
    mapped = [0] * count
    for k in range(8):
        for i in range(count):
            if sizes[i] > k:
                mapped[i] |= file.byte() << 8 * k
    last, out = 0, []
    for word in mapped:
        if mapping == 1:
            word = unzigzag(word) % 2**width
        elif mapping == 2 and word:
            word = (last + unzigzag(word - 1)) % 2**width
        last = word or last
        out.append(word)
    return out


def row_of(window, context, bits):
    factors = [0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35, 0xC2B2AE35 * 0x27D4EB2F]
    mixed = sum(((v ^ v >> 32) & 0xFFFFFFFF) * f for v, f in zip(window[:context], factors)) & 0xFFFFFFFF
    return ((mixed ^ mixed >> 15) * 0x165667B1 & 0xFFFFFFFF) >> 32 - bits


def block(file):
    head, context, bits = file.byte(), file.byte(), file.byte()
    method, width = head & 3, 64 if head & 0x40 else 32
    wanted(head & 0x30 == 0x10, "another version")
    count, plain_size, size, crc = file.varint(), file.varint(), file.varint(), file.fixed(4)
    payload = file.bytes(size)
    if size < plain_size:
        payload = subprocess.run(["zstd", "-dcq"], input=payload, stdout=subprocess.PIPE, check=True).stdout
    wanted(len(payload) == plain_size and crc32(payload) == crc, "a block is damaged")
    file = Reader(payload)
    field = 1 if method < 2 else {1: 1, 3: 2, 15: 4}[context]
    flags = sparse(file, (count * field + 7) // 8)
    misses = iter(words(file, width))
    table, last_values = {}, [0] * context
    if method < 2:
        used = sparse(file, ((1 << bits) + 7) // 8)
        rows = [row for row in range(1 << bits) if used[row >> 3] >> (row & 7) & 1]
        table = dict(zip(rows, words(file, width)))
    window, value = [0, 0, 0, 0], 0
    for at in range(count):
        flag = flags[at * field >> 3] >> (at * field & 7) & (1 << field) - 1
        if method < 2:
            row = row_of(window, context, bits)
            symbol = table.get(row, 0)
            if flag:
                table[row] = next(misses)
            window = [symbol] + window[:3]
        else:
            symbol = next(misses) if flag == context else last_values[flag]
            del last_values[min(flag, context - 1)]
            last_values.insert(0, symbol)
        value = (value + symbol if method & 1 else symbol) % 2**width
        yield value


def squeeze(data):
    file = Reader(checked(data))
    wanted(file.bytes(8) == b"weftsqz\x02", "this is not a squeezed stream")
    file.byte()
    numbers = []
    while file.byte() == 1:
        numbers += block(file)
    wanted(file.fixed(8) == len(numbers) and file.left() == 0, "the number of values is wrong")
    return [(n + 2**63) % 2**64 - 2**63 for n in numbers]


# ---- containers, versions 1 and 2 ----


# ---- merged profiles ----

LOW64 = (1 << 64) - 1
XXH = [11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579, 2870177450012600261]


def rotated(value, by):
    return (value << by | value >> 64 - by) & LOW64


def xxh64(data):
    """With seed 0."""

    def turn(lane, word):
        return rotated(lane + word * XXH[1] & LOW64, 31) * XXH[0] & LOW64

    file, value = Reader(data), XXH[4]
    if len(data) >= 32:
        lanes = [XXH[0] + XXH[1] & LOW64, XXH[1], 0, -XXH[0] & LOW64]
        while file.left() >= 32:
            lanes = [turn(lane, file.fixed(8)) for lane in lanes]
        value = sum(rotated(lane, by) for lane, by in zip(lanes, (1, 7, 12, 18))) & LOW64
        for lane in lanes:
            value = ((value ^ turn(0, lane)) * XXH[0] + XXH[3]) & LOW64
    value = value + len(data) & LOW64
    while file.left() >= 8:
        value = (rotated(value ^ turn(0, file.fixed(8)), 27) * XXH[0] + XXH[3]) & LOW64
    if file.left() >= 4:
        value = (rotated(value ^ file.fixed(4) * XXH[0] & LOW64, 23) * XXH[1] + XXH[2]) & LOW64
    while file.left():
        value = rotated(value ^ file.byte() * XXH[4] & LOW64, 11) * XXH[0] & LOW64
    value = (value ^ value >> 33) * XXH[1] & LOW64
    value = (value ^ value >> 29) * XXH[2] & LOW64
    return value ^ value >> 32


def text(file):
    return file.bytes(file.varint())


def ascending(keys, what):
    wanted(all(a < b for a, b in zip(keys, keys[1:])), what + " are not in order")
    return keys


def table(file, fields):
    """Rows of a key, written as a difference, and numbers."""
    rows, key = [], 0
    for _ in range(file.varint()):
        key += file.varint()
        rows.append([key] + [file.varint() for _ in range(fields)])
    ascending([row[0] for row in rows], "keys")
    return rows


def loops(file):
    rows = []
    key = 0
    for _ in range(file.varint()):
        key += file.varint()
        total, least, most = (file.varint() for _ in range(3))
        bins = [(file.byte(), file.varint()) for _ in range(file.varint())]
        ascending([number for number, _ in bins], "bins")
        rows.append([key, sum(entries for _, entries in bins), total, least, most])
    ascending([row[0] for row in rows], "heads")
    return rows


def tree(file, chains, above=()):
    """Its nodes: the labels down to each, and numbers."""
    nodes, label = [], 0
    count = file.varint()
    for place in range(count):
        step = file.varint()
        wanted(place == 0 or step > 0, "labels are not in order")
        label += step
        values = [file.varint()]
        if chains or values[0]:
            values.append(file.varint())
        nodes.append((above + (label,), values))
        nodes += tree(file, chains, above + (label,))
    return nodes


TOTALS = "recordings priced streams paths lost gaps gapped unread deeper flat".split()


def group(file, sets):
    g = {"image": file.varint(), "k": file.varint(), "labels": text(file).decode()}
    g.update((name, file.varint()) for name in TOTALS)
    g["distinct"] = table(file, 5)
    g["functions"] = table(file, 13)
    g["loops"] = loops(file)
    g["forest"] = tree(file, False) + tree(file, False)
    g["chains"] = tree(file, True)
    wanted(all(values[1] <= sets for _, values in g["forest"] if values[0]), "a node names no set")
    return g


def one_profile(file):
    start = file.at
    wanted(file.bytes(8) == b"WEFTPRF\x01", "it is not a merged profile")
    end = file.fixed(8) + file.at
    body = Reader(file.data[:end], file.at)
    file.at = end
    wanted(xxh64(file.data[start:end]) == file.fixed(8), "the digest is wrong")
    made = {kind: ascending([body.fixed(8) for _ in range(body.varint())], kind) for kind in ("recordings", "devices")}
    names = ascending([text(body) for _ in range(body.varint())], "names")
    wanted(all(xxh64(name) in made["devices"] for name in names), "a name is not that of a device")
    sets = []
    for _ in range(body.varint()):
        member, members = 0, []
        for _ in range(body.varint()):
            member += body.varint()
            members.append(member)
        sets.append(members)
        wanted(1 <= len(members) <= 16 and members[-1] < len(names), "a set has no or unknown members")
    ascending(sets, "sets")
    images = []
    for _ in range(body.varint()):
        images.append(text(body))
        method = body.byte()
        if method:
            size, digest, packed = body.varint(), body.fixed(8), text(body)
            wanted(method in (1, 2) and size // 64 <= len(packed), "descriptors are packed too far")
            if method == 2:
                packed = subprocess.run(["zstd", "-dc"], input=packed, stdout=subprocess.PIPE, check=True).stdout
            wanted(len(packed) == size and xxh64(packed) == digest, "descriptors are damaged")
    ascending([(len(image), image) for image in images], "images")
    groups = [group(body, len(sets)) for _ in range(body.varint())]
    ascending([(g["image"], g["k"], g["labels"]) for g in groups], "groups")
    wanted(not body.left(), "something follows the groups")
    for g in groups:
        g["image"] = images[g["image"]].hex()
    return made, groups


def profile(data):
    made, groups = one_profile(Reader(data))
    result = {kind: len(made[kind]) for kind in made}
    result.update((key, sum(g[key] for g in groups)) for key in ("paths", "lost", "gaps"))
    keys = "image k labels recordings paths distinct lost gaps".split()
    result["groups"] = [{key: len(g[key]) if key == "distinct" else g[key] for key in keys} for g in groups]
    yield json.dumps(result, separators=(",", ":"))


def sequences(data):
    """A sequence was taken as often as the nodes say whose labels end with it."""
    (g,) = one_profile(Reader(data))[1]
    times = {}
    for labels, values in g["forest"]:
        for size in range(1, min(len(labels), g["k"]) + 1):
            times[labels[-size:]] = times.get(labels[-size:], 0) + values[0]
    for labels in sorted(labels for labels in times if times[labels]):
        yield "%d\t%s" % (times[labels], " ".join(map(str, labels)))


def tables(data):
    (g,) = one_profile(Reader(data))[1]
    for _, _, calls, own, more, estimated, inclusive, whole_sum, least, most, whole, *_ in g["functions"]:
        if calls or own:
            mean = whole_sum / (whole or 1)
            yield "function %d %d %d %d %d %d %d %.9g" % (calls, own, more, estimated, inclusive, least, most, mean)
    for row in g["loops"]:
        yield "loop %d %d %d %d" % tuple(row[1:])
    for labels, values in g["chains"]:
        if len(labels) > 1:
            yield "chain %d %d %d" % (len(labels) - 1, values[1], values[0])



def uncobs(run):
    out, at = bytearray(), 0
    while at < len(run):
        n = run[at]
        wanted(at + n <= len(run), "no COBS")
        out += run[at + 1:at + n]
        at += n
        if n < 255 and at < len(run):
            out.append(0)
    return bytes(out)


def run_item(file, base, predicted, escapes):
    """An item of the raw control coder and the plain bus coder: (predicted items, escape, other number)."""
    first = file.byte()
    if first < 63:
        return first, None, None
    if first == 63:
        return file.varint(), None, None
    if first == 64 and escapes:
        return 0, file.byte() - 1, None
    zigzag = first - 64 if first < 128 else first - 192 + 64 * file.varint()
    return 0, None, (base() + unzigzag(zigzag)) % 2**32


def control_raw(file, followers):
    slots, path = [0] * (1 << followers), 0
    while file.left():
        many, escape, other = run_item(file, lambda: slots[path % len(slots)], None, True)
        if escape is not None:
            yield escape
        for _ in range(many or (other is not None)):
            next_ = slots[path % len(slots)] if other is None else other
            slots[path % len(slots)] = path = next_
            yield 16 + path


def control_copies(file, log2):
    """Predicts from the frame's past. None stands for what is not a path."""
    places, limit = 1 << log2, 2**23 - 1
    ring, found = [None] * places, {}
    to, source, other, last = 0, None, None, 0

    def predicted():
        path = ring[source] if source is not None else None
        return last if path is None else path

    def put(path):
        nonlocal to
        ring[to] = path if path is not None and path < limit else None
        to = (to + 1) % places
        ring[to] = None

    while file.left():
        if file.data[file.at] == 0:
            file.byte()
            for _ in range(file.varint()):
                yield 16 + last
            continue
        many, escape, path = run_item(file, predicted, None, True)
        if escape is not None:
            yield escape
            if escape == 0:
                source, other = other, source
                put(None)
        for _ in range(many):
            known = source is not None and ring[source] is not None
            last, source = predicted(), (source + 1) % places if known else to
            put(last)
            yield 16 + last
        if path is not None:
            key, source, last = path % (places // 4), to, path
            if path < limit:
                if key in found and ring[found[key]] == path:
                    source = (found[key] + 1) % places
                found[key] = to
            put(path)
            yield 16 + path


def control_varints(file, followers):
    slots, path = [0] * (1 << followers), 0
    while file.left():
        if file.left() > 1 and file.data[file.at] & 128 and file.data[file.at + 1] == 0:
            yield file.byte() - 128
            file.byte()
            continue
        difference = file.varint() - 1
        slots[path % len(slots)] = path = (slots[path % len(slots)] + unzigzag(difference)) % 2**32
        yield 16 + path


def terms(file, count=None):
    """A list of terms: each a list of symbols. A progress term repeats the outermost loop before it."""
    out, body = [], []
    while file.left() if count is None else len(out) < count:
        head = file.varint()
        if head & 1 == 0:
            out.append([head >> 1])
        elif head == 1:
            out.append(body * file.varint())
        else:
            iterations = file.varint()
            body = [s for term in terms(file, head >> 1) for s in term]
            out.append(body * iterations)
    return out


class HighBits:
    """Bits, the highest of each byte first."""

    def __init__(self, data):
        self.value, self.left = int.from_bytes(data, "big"), 8 * len(data)

    def bits(self, count):
        self.left -= count
        return self.value >> self.left & (1 << count) - 1

    def gamma(self):
        b = 1
        while not self.bits(1):
            b += 1
        return 1 << b - 1 | self.bits(b - 1)

    def code(self, m):
        b = (m - 1).bit_length()
        u = (1 << b) - m
        v = self.bits(b - 1) if b else 0
        return v if v < u or b == 0 else (v << 1 | self.bits(1)) - u


def grammar(data, codes):
    if not data:
        return []
    bits, terminals, rules = HighBits(data), [], []
    low = 3 if codes else 5

    def is_new():
        """None if it is known. Otherwise, whether it is a new terminal or a new rule."""
        if codes:
            v = bits.code(len(terminals) + len(rules) + 2)
            return v, (v == len(terminals) + len(rules) if v >= len(terminals) + len(rules) else None)
        if bits.bits(1):
            return 0, bits.bits(1) == 1
        return bits.code(len(terminals) + len(rules)), None

    def element():
        v, terminal = is_new()
        if terminal is None:
            return [terminals[v]] if v < len(terminals) else rules[v - len(terminals)]
        if terminal:
            d = (bits.gamma() - 1) << low
            d += bits.bits(low)
            terminals.append(((terminals[-1] if terminals else 2**32 - 1) + unzigzag(d)) % 2**32)
            return [terminals[-1]]
        rules.append([])
        rule = len(rules) - 1
        body = element() + element()
        while bits.bits(1):
            body += element()
        rules[rule] = body
        return body

    return [symbol for _ in range(bits.gamma()) for symbol in element()]


class Bus:
    """Addresses (plain, varints) and values (plain) of a frame."""

    def __init__(self, data, coder, slots):
        self.file, self.coder, self.slots = Reader(data), coder, 1 << slots
        self.many = 0
        self.epoch()

    def epoch(self):
        self.seen, self.stride, self.last = {}, {}, 0

    def next(self, site, modulus):
        slot = site % self.slots
        base = self.seen.get(slot, self.last)
        if self.coder == 4:
            if self.many == 0:
                self.many, _, number = run_item(self.file, lambda: base, None, False)
            if self.many:
                self.many -= 1
                number = (base + self.stride.get(slot, 0)) % modulus
            elif slot in self.seen:
                d = (number - base + 2**31) % 2**32 - 2**31
                self.stride[slot] = d if -2**15 <= d < 2**15 else 0
        else:
            number = (base + unzigzag(self.file.varint() - 1)) % modulus
        self.seen[slot] = self.last = number
        return number


def script(path):
    """The made-up program: sites of a path, and which of them have a value."""
    return [(4 * path + i, i % 2 == 1) for i in range(path % 4)]


def mark(head, marks, stamp):
    """A mark that is neither a switch nor trips: its line, without the context, and the time of the last stamp."""
    kind, argument = head >> 1 & 15, head >> 5
    if kind == 0:
        return "stamp %%d 0 %d" % (stamp + argument), stamp + argument
    if kind == 1:
        values = [marks.varint() for _ in range(marks.varint())]
        return "event %%d %d %s" % (argument, " ".join(map(str, values))), stamp
    if kind == 2:
        return "control %%d %d %d" % (argument, marks.varint()), stamp
    wanted(kind == 4, "a mark of an unknown kind")
    return "place %%d %d" % (2 * argument), stamp


def stretches(version, symbols, marks, stamp, context, accesses, values, accesses_tail, values_tail):
    """Splits a frame's symbols at switches: (context, paths and lines of marks, accesses, tail, values, tail)."""
    out, paths = [], []
    for symbol in symbols:
        if symbol >= 16:
            paths.append(symbol - 16)
            continue
        wanted(symbol < version, "an unknown escape")
        entry = marks.varint()
        if version == 2:
            wanted(entry & 1 == symbol, "the marks do not fit their symbols")
            if symbol and entry >> 1 & 15 == 3:
                paths += paths[-1:] * (entry >> 5)
                continue
            if symbol:
                line, stamp = mark(entry, marks, stamp)
                paths.append(line % context)
                continue
            entry >>= 1
        a = [marks.varint(), marks.varint()] if entry & 1 else [0, 0]
        v = [marks.varint(), marks.varint()] if entry & 2 else [0, 0]
        out.append((context, paths, a[0], a[1], v[0], v[1]))
        accesses, values, context, paths = accesses - a[0], values - v[0], entry >> 2, []
    out.append((context, paths, accesses, accesses_tail, values, values_tail))
    return out


def container(data):
    wanted(data[:6] == b"\0WEFT\0", "this is not a container")
    all_stretches, expected = [], 0
    for run in data[6:].split(b"\0"):
        if not run:
            continue
        content = uncobs(run)
        wanted(crc32(content[:-4]) == int.from_bytes(content[-4:], "little"), "a frame is damaged")
        file = Reader(content[:-4])
        version, kind = file.byte(), file.byte()
        wanted(version in (1, 2), "another version")
        file.varint(), file.varint(), file.varint()
        if version == 2:
            file.bytes(4), file.varint()
        if kind != 2:
            continue
        control, followers, bus_coder, slots, value_coder, value_slots = file.bytes(6)
        before = sum(file.varint() for _ in range(4 if version == 2 else 3))
        begun = file.varint() if version == 2 else 0
        if before != expected:
            all_stretches.append(before - expected)
        paths, accesses, values, context, a_tail, v_tail = [file.varint() for _ in range(6)]
        sizes = [file.varint() for _ in range(5)]
        sections = [file.bytes(size) for size in sizes]
        wanted(bus_coder in (0, 4) and value_coder == 0, "a coder that this decoder does not know")
        symbols = {0: lambda: control_varints(Reader(sections[0]), followers),
                   1: lambda: [s for term in terms(Reader(sections[0])) for s in term],
                   2: lambda: grammar(sections[0], True),
                   3: lambda: control_raw(Reader(sections[0]), followers),
                   5: lambda: control_copies(Reader(sections[0]), followers),
                   4: lambda: grammar(sections[0], False)}[control]()
        parts = stretches(version, list(symbols), Reader(sections[1]), begun, context, accesses, values, a_tail, v_tail)
        told = [item for part in parts for item in part[1]]
        wanted(sum(isinstance(item, int) for item in told) == paths, "the number of paths is wrong")
        named = sum(isinstance(item, str) and item.startswith("event") for item in told)
        expected = before + paths + accesses + values + named
        bus, value = Bus(sections[2], bus_coder, slots), Bus(sections[3], 0, value_slots)
        for part in parts:
            all_stretches.append((bus, value, part))
    return events(all_stretches)


def later_path(all_stretches, index, context):
    """The next path record of a context."""
    for one in all_stretches[index:]:
        wanted(not isinstance(one, int), "a path goes on after a gap")
        for item in one[2][1]:
            if one[2][0] == context and isinstance(item, int):
                return item
    wanted(False, "the record of a path is missing")


def events(all_stretches):
    out = []
    waiting = {}  # per context: items of its unfinished path that are still to come
    before = None
    for index, one in enumerate(all_stretches):
        if isinstance(one, int):
            out.append("gap %d" % one)
            continue
        bus, value, (context, paths, accesses, a_tail, values, v_tail) = one
        if before is not None and before[0] is bus and (before[1] or before[2]):
            bus.epoch(), value.epoch()
        before = (bus, a_tail, v_tail)

        def tell(items, many_accesses, many_values):
            """Takes items from the front, as long as there are any."""
            while items:
                kind, site = items[0]
                if kind == "access" and many_accesses:
                    many_accesses -= 1
                    out.append("access %d %d 0x%08x" % (context, site, bus.next(site, 2**32)))
                elif kind == "value" and many_values:
                    many_values -= 1
                    out.append("value %d %d %d" % (context, site, value.next(site, 2**64)))
                else:
                    break
                items.pop(0)

        def items_of(path):
            items = []
            for site, has_value in script(path):
                items += [("access", site)] + ([("value", site)] if has_value else [])
            return items

        for path in paths:
            if isinstance(path, str):
                out.append(path)
                continue
            items = waiting.pop(context, None)
            if items is None:
                items = items_of(path)
            tell(items, len(items), len(items))
            out.append("path %d %d" % (context, path))
        if a_tail or v_tail:
            if context not in waiting:
                waiting[context] = items_of(later_path(all_stretches, index + 1, context))
            tell(waiting[context], a_tail, v_tail)
    return out


if __name__ == "__main__":
    with open(sys.argv[2], "rb") as opened:
        for line in globals()[sys.argv[1]](opened.read()):
            print(line)
