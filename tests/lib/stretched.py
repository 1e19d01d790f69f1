# SPDX-License-Identifier: MIT
"""Makes a recording of a run that is longer than any emulator has time for, written from core/FORMAT.md:

    stretched.py IN.weft OUT.weft TIMES [WORD]

IN is a recording of paths of one context, without packs (PROBES=paths PACK=0). Where a word of up to WORD paths (4)
stands at least 8 times in a row in it, it stands TIMES times in OUT, as loops of the coder `loops`; all else is as it
was. So each figure of the run is a + b * TIMES. Prints how many such places there are, and the paths of OUT."""
import sys

sys.path.insert(0, "tests/golden")
from container_format import control_copies, control_raw, stretches, terms
from formats import Reader, frame_check, uncobs, wanted

MOST = 1 << 31  # paths of a frame: their number has 32 bits
TICKS = 4000  # of the clock, for each path


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def cobs(data):
    out = bytearray()
    for group in data.split(b"\0"):
        while len(group) >= 254:
            out += b"\xff" + group[:254]
            group = group[254:]
        out += bytes([len(group) + 1]) + group
    return bytes(out)


def frames_of(data):
    """Of each frame: kind, and the rest of its content after the head. And the head of the first."""
    wanted(data[:6] == b"\0WEFT\0", "this is not a container")
    for run in filter(None, data[6:].split(b"\0")):
        content = uncobs(run)
        wanted(frame_check(content[:-4]) == int.from_bytes(content[-4:], "little"), "a frame is damaged")
        file = Reader(content[:-4])
        version, kind = file.byte(), file.byte()
        file.varint(), file.varint(), file.varint()
        identity, number = file.bytes(4), file.varint()
        yield version, kind, identity, number, file


def paths_of(file):
    """Of a TRACE frame. Its slots and other coders stay as they are."""
    coders = file.bytes(6)
    [file.varint() for _ in range(5)]
    paths, accesses, values, context, _, _ = [file.varint() for _ in range(6)]
    if coders[0] in (6, 7):
        wanted([file.varint(), file.varint()][0] == 0, "there are packs")
    sections = [file.bytes(size) for size in [file.varint() for _ in range(5)]]
    symbols = {1: lambda: [s for term in terms(Reader(sections[0])) for s in term],
               3: lambda: control_raw(Reader(sections[0]), coders[1]),
               5: lambda: control_copies(Reader(sections[0]), coders[1]),
               7: lambda: control_copies(Reader(sections[0]), coders[1])}[coders[0]]()
    parts = stretches(2, list(symbols), Reader(sections[1]), 0, context, accesses, values, 0, 0)
    wanted(len(parts) == 1 and len(parts[0][1]) == paths and not accesses and not values, "there is more than paths")
    return coders, context, parts[0][1]


def words_of(paths, longest):
    """The paths as (word, how often in a row)."""
    at, out = 0, []
    while at < len(paths):
        for size in range(1, longest + 1):
            word, times = paths[at:at + size], 1
            while paths[at + times * size:at + (times + 1) * size] == word:
                times += 1
            if times >= 8 and len(word) == size:
                break
        else:
            word, times = paths[at:at + 1], 1
        out.append((word, times))
        at += len(word) * times
    return out


def parts_of(words, times):
    """Frames' paths, each as (word, how often)."""
    frame, size = [], 0
    for word, often in words:
        left = times if often >= 8 else often
        while left:
            now = min(left, (MOST - size) // len(word))
            if now:
                frame.append((word, now))
                size, left = size + now * len(word), left - now
            if left:
                yield frame, size
                frame, size = [], 0
    yield frame, size


def control(frame):
    out = b""
    for word, often in frame:
        symbols = b"".join(varint(2 * (16 + path)) for path in word)
        out += symbols if often == 1 else varint(2 * len(word) + 1) + varint(often) + symbols
    return out


def trace(coders, context, frame, size, before):
    sections = [control(frame), b"", b"", b"", b""]
    head = bytes([1]) + bytes(coders[1:]) + varint(before) + bytes(3) + varint(TICKS * before)
    head += varint(size) + bytes(2) + varint(context)
    return head + bytes(2) + b"".join(varint(len(s)) for s in sections) + b"".join(sections)


def pairs(file):
    while file.left():
        key = file.varint()
        yield key, file.bytes(file.varint()) if key & 1 else file.varint()


def main():
    times, longest = int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 4
    meta, stats, paths = None, None, []
    for version, kind, identity, number, file in frames_of(open(sys.argv[1], "rb").read()):
        if kind == 1:
            meta = meta or [(key, 1 if key == 6 else value) for key, value in pairs(file)]
        elif kind == 4:
            stats = list(pairs(file))
        elif kind == 2:
            coders, context, more = paths_of(file)
            paths += more
    frames, total = [], 0
    words = words_of(paths, longest)
    for frame, size in parts_of(words, times):
        frames.append((trace(coders, context, frame, size, total), total + size))
        total += size

    def put(out, kind, body):
        head = bytes([version, kind]) + varint(out[1]) + varint(0) + varint(TICKS * out[2]) + identity + varint(number)
        content = head + body
        out[0].write(cobs(content + frame_check(content).to_bytes(4, "little")) + b"\0")
        out[1] += 1

    def keys(some):
        return b"".join(varint(k) + (varint(len(v)) + v if k & 1 else varint(v)) for k, v in some)

    with open(sys.argv[2], "wb") as file:
        file.write(b"\0WEFT\0")
        out = [file, 0, 0]
        put(out, 1, keys(meta))
        for body, out[2] in frames:
            put(out, 2, body)
        put(out, 4, keys((k, total if k == 2 else len(frames) + 1 if k == 14 else v) for k, v in stats))
    print(sum(often >= 8 for _, often in words), total)


if __name__ == "__main__":
    main()
