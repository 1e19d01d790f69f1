# SPDX-License-Identifier: MIT
"""Makes a full recording longer than any emulator has time for, written from tools/qemu/FULL.md:

    stretched_full.py IN.weft OUT.weft TIMES

All state of a full recording runs on from chunk to chunk as differences. So where two chunks of IN are the same, those
from the first up to the second may stand any number of times: OUT has them TIMES times more. It is a program that
makes no access there, such as a loop of registers. Prints the instructions of these chunks, and of OUT."""
import sys

sys.path.insert(0, "tests/golden")
sys.path.insert(0, "tests/lib")
from formats import Reader, frame_check, uncobs, wanted
from stretched import cobs, varint

FULL, CHUNK, END = 5, 1, 2


def frames_of(data):
    wanted(data[:6] == b"\0WEFT\0", "this is not a container")
    for run in filter(None, data[6:].split(b"\0")):
        content = uncobs(run)[:-4]
        file = Reader(content)
        start = file.bytes(2)
        _, _, time = file.varint(), file.varint(), file.varint()
        identity, number = file.bytes(4), file.varint()
        yield start, time, identity + varint(number), bytes(content[file.at:])


def main():
    frames, known = list(frames_of(open(sys.argv[1], "rb").read())), {}
    for at, (start, _, _, body) in enumerate(frames):
        if start[1] == FULL and body[0] == CHUNK and body in known:
            first, second = known[body], at
            break
        known[body] = at
    else:
        sys.exit("no chunk stands twice")
    group = frames[second - 1][1] - frames[first - 1][1]
    more, check = int(sys.argv[3]), 0
    with open(sys.argv[2], "wb") as out:
        out.write(b"\0WEFT\0")
        order = list(range(second)) + list(range(first, second)) * more + list(range(second, len(frames)))
        for sequence, at in enumerate(order):
            start, time, identity, body = frames[at]
            laps = max(0, min(more, (sequence - second) // (second - first) + 1)) if sequence >= second else 0
            if sequence >= second + more * (second - first):
                laps = more
            if start[1] == FULL and body[0] == END:
                file = Reader(body, 1)
                body = body[:1] + varint(file.varint() + more * group) + bytes(body[file.at:])
            content = start + varint(sequence) + varint(check) + varint(time + laps * group) + identity + body
            check = frame_check(content)
            out.write(cobs(content + check.to_bytes(4, "little")) + b"\0")
    print(group, frames[-1][1] + more * group)


if __name__ == "__main__":
    main()
