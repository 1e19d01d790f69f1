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
#     formats.py packs FILE DESC  the same of a container of paths, of the program with these descriptors
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


def step(total, word):
    total ^= word
    return ((total ^ total >> 15) * 0x9E3779B1 + 0x7F4A7C15) & 0xFFFFFFFF


def frame_check(content):
    """Of a frame's head and body."""
    if content[0] < 3:
        return crc32(content)
    total = 0
    for at in range(0, len(content) - len(content) % 4, 4):
        total = step(total, int.from_bytes(content[at:at + 4], "little"))
    rest = len(content) % 4
    return step(step(total, int.from_bytes(content[len(content) - rest:], "little")), rest)


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


if __name__ == "__main__":
    import container_format
    import profile_format
    from descriptor_format import Descriptors
    decoders = {"nest": nest, "model": model, "squeeze": squeeze, "profile": profile_format.profile,
                "sequences": profile_format.sequences, "tables": profile_format.tables,
                "container": container_format.container,
                "packs": lambda data, known: container_format.container(data, Descriptors(known).packs)}
    contents = []
    for name in sys.argv[2:]:
        with open(name, "rb") as opened:
            contents.append(opened.read())
    for line in decoders[sys.argv[1]](*contents):
        print(line)
