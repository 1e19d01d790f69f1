# SPDX-License-Identifier: MIT
# A decoder of containers, versions 1 and 2, written from core/FORMAT.md. Used by formats.py. With descriptors, packs
# are the paths that they hold.
from formats import Reader, frame_check, uncobs, unzigzag, wanted


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
    if kind == 6:
        return "frame %%d 0x%x 0x%x" % (marks.varint(), argument), stamp
    if kind == 7:
        frame, low, high = marks.varint(), marks.varint(), marks.varint()
        line = "stacked %%d 0x%x 0x%x" % (frame + argument % 4, (argument // 4) << 56 | high << 32 | low)
        return line, stamp
    wanted(kind == 4, "a mark of an unknown kind")
    return "place %%d 0 0x%x" % (2 * argument), stamp


class Word(int):
    """Of a pack: the last path of the stretch is its number."""


def words(file, slots, numbers):
    """The words of packs with these numbers."""
    table, last, predicted = {}, 0, 0
    for number in numbers:
        at = (last * 0x9E3779B1 + number * 0x85EBCA6B & 2**32 - 1) >> 32 - slots if slots else 0
        if not predicted:
            first = file.byte()
            predicted, size = (first, 0) if first < 128 else (first - 128 >> 2, first % 4 + 1)
            predicted += 1 if size else 0
            if first == 0:
                predicted = file.varint()
        predicted -= 1
        last = file.fixed(size) if size and not predicted else table.get(at, 0)
        table[at] = last
        yield Word(last)
    wanted(not file.left() and not predicted, "there are more words")


def stretches(version, symbols, marks, stamp, context, accesses, values, accesses_tail, values_tail):
    """Splits a frame's symbols at switches: (context, paths and lines of marks, accesses, tail, values, tail)."""
    out, paths = [], []
    for symbol in symbols:
        if symbol >= 16:
            paths.append(symbol - 16)
            continue
        wanted(symbol < min(version, 2), "an unknown escape")
        entry = marks.varint()
        if version > 1:
            wanted(entry & 1 == symbol, "the marks do not fit their symbols")
            if symbol and entry >> 1 & 15 == 3:
                paths += paths[-1:] * (entry >> 5)
                continue
            if symbol and entry >> 1 & 15 == 5:
                paths.append(Word(entry >> 5))
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


def with_words(paths, packs, more):
    """Numbers of packs replaced by their paths; `more` has the words that are not among the marks."""
    out = []
    for at, item in enumerate(paths):
        if isinstance(item, Word) or item not in packs:
            out += [] if isinstance(item, Word) else [item]
            continue
        among = at + 1 < len(paths) and isinstance(paths[at + 1], Word)
        out += packs[item].unpack(paths[at + 1] if among else next(more))
    return out


def container(data, packs=None):
    """packs: of descriptors."""
    packs = packs or {}
    wanted(data[:6] == b"\0WEFT\0", "this is not a container")
    all_stretches, expected = [], 0
    for run in data[6:].split(b"\0"):
        if not run:
            continue
        content = uncobs(run)
        wanted(frame_check(content[:-4]) == int.from_bytes(content[-4:], "little"), "a frame is damaged")
        file = Reader(content[:-4])
        version, kind = file.byte(), file.byte()
        wanted(version in (1, 2, 3), "another version")
        file.varint(), file.varint(), file.varint()
        if version > 1:
            file.bytes(4), file.varint()
        if kind != 2:
            continue
        control, followers, bus_coder, slots, value_coder, value_slots = file.bytes(6)
        before = sum(file.varint() for _ in range(4 if version > 1 else 3))
        begun = file.varint() if version > 1 else 0
        if before != expected:
            all_stretches.append(before - expected)
        paths, accesses, values, context, a_tail, v_tail = [file.varint() for _ in range(6)]
        packed = [file.varint(), file.varint()] if control in (6, 7) else [0, 0]
        sizes = [file.varint() for _ in range(5)]
        sections = [file.bytes(size) for size in sizes]
        wanted(bus_coder in (0, 4) and value_coder == 0, "a coder that this decoder does not know")
        symbols = {0: lambda: control_varints(Reader(sections[0]), followers),
                   1: lambda: [s for term in terms(Reader(sections[0])) for s in term],
                   2: lambda: grammar(sections[0], True),
                   3: lambda: control_raw(Reader(sections[0]), followers),
                   5: lambda: control_copies(Reader(sections[0]), followers),
                   6: lambda: control_copies(Reader(sections[0]), followers),
                   7: lambda: control_copies(Reader(sections[0]), followers),
                   4: lambda: grammar(sections[0], False)}[control]()
        parts = stretches(version, list(symbols), Reader(sections[1]), begun, context, accesses, values, a_tail, v_tail)
        told = [item for part in parts for item in part[1]]
        records = [item for item in told if isinstance(item, int) and not isinstance(item, Word)]
        wanted(len(records) == paths, "the number of paths is wrong")
        more = words(Reader(sections[2 if control == 6 else 4]), packed[1], [item for item in records if item in packs][:packed[0]])
        named = sum(isinstance(item, str) and item.startswith("event") for item in told)
        expected = before + paths + accesses + values + named
        bus, value = Bus(sections[2], bus_coder, slots), Bus(sections[3], 0, value_slots)
        for part in parts:
            all_stretches.append((bus, value, (part[0], with_words(part[1], packs, more), *part[2:])))
    return events(all_stretches, (lambda path: []) if packs else script)


def later_path(all_stretches, index, context):
    """The next path record of a context."""
    for one in all_stretches[index:]:
        wanted(not isinstance(one, int), "a path goes on after a gap")
        for item in one[2][1]:
            if one[2][0] == context and isinstance(item, int):
                return item
    wanted(False, "the record of a path is missing")


def events(all_stretches, script):
    """script(path): its sites, and which of them have a value."""
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
