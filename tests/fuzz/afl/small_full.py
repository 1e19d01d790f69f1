#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# First inputs for the fuzzer of full recordings: small_full.py RECORDING FOLDER
# RECORDING is a sealed one of tests/fuzz/afl/bare.c (seal.c). Each input has its head, and one chunk with its first
# static instructions, executed in runs of different lengths. Inputs have 220 to 380 bytes, RECORDING has 2,000: so a
# change hits the head of a run more often.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../golden"))
from formats import Reader, uncobs  # noqa: E402

SUM = b"\x20\x20\x20\x20"  # of each frame, in a build without check sums
DEFINITION = 18            # bytes of an instruction: address, size, bytes, condition, registers that it writes
COMMANDS = 14


def varint(value):
    low = bytes([value & 127 | (128 if value > 127 else 0)])
    return low + (varint(value >> 7) if value > 127 else b"")


def cobs(content):
    groups = (content + b"\0").split(b"\0")[:-1]
    assert all(len(group) < 254 for group in groups)
    return b"".join(bytes([len(group) + 1]) + group for group in groups)


def frame(head, body):
    return cobs(head + body + SUM) + b"\0"


def chunk(definitions, runs, more):
    """A chunk that executes `runs`: of each the length and the number of its first instruction. The last is returned
    to: a shape with one access, and an exception. `more`: bits that are set in each distance."""
    executed = [number + at for length, number in runs for at in range(length)]
    columns = [b"".join(definitions), b"", b"", b"", b"", b""]
    end = 0
    for length, number in runs:
        distance = number - end
        columns[1] += varint(length) + varint((distance * 2 if distance >= 0 else -distance * 2 - 1) | more)
        end = number + length
    for number in executed:
        columns[2] += b"" if definitions[number][9] == 14 else b"\1"
        columns[3] += bytes(bin(int.from_bytes(definitions[number][10:], "little")).count("1"))
    columns[4] = b"\x10\x02"
    columns[5] = varint(len(executed) - 1) + b"\x02\x01\x02" + b"\0\x04" + b"\0\x0f\1" + bytes(15 * 4 + 12)
    return varint(len(executed)) + b"".join(varint(len(column)) for column in columns) + b"".join(columns)


def stored(content):
    """As tests/lib/unchecked.c stores what would be compressed."""
    return b"\1" + varint(len(content)) + len(content).to_bytes(4, "little") + content


def definitions_of(content):
    """The first ones of a chunk of less than 16,384 instructions."""
    file = Reader(content, content.index(SUM) + len(SUM) + 2)  # number of the recording 0, a chunk
    file.varint(), file.bytes(4), file.varint()
    size = [file.varint() for _ in range(6)][0]
    columns = file.bytes(size)
    return [columns[at:at + DEFINITION] for at in range(0, size, DEFINITION)]


recording, folder = sys.argv[1:]
data = open(recording, "rb").read()
body = [uncobs(run) for run in data[6:].split(b"\0") if run][1]
definitions = definitions_of(body)
head = data[:6] + data[6:].split(b"\0")[0] + b"\0"
os.makedirs(folder, exist_ok=True)
# Runs that jump: a distance of 0 would be no byte of its own, as zeros are what divides frames.
BACK = [(1, 0), (2, 1), (1, 0), (1, 2), (1, 0), (2, 1), (1, 1), (1, 0)]
# A distance has 32 bits, and a reader drops what is above them. With a bit there it takes six bytes: a change of nearly
# any of them makes it a far one.
FAR = 1 << 35
SHAPES = [[(1, 0)] * 28, [(3, 0)] + BACK, [(5, 0), (2, 1)] + BACK, [(6, 0), (1, 3), (2, 4)] + BACK * 2]
for command in range(COMMANDS):
    runs = SHAPES[command % len(SHAPES)]
    count = sum(length for length, _ in runs)
    known = definitions[:max(length + number for length, number in runs)]
    link = b"\xa0\xc0\x80\x81\x02" + varint(count) + SUM + b"\0"  # the sum of the frame before
    middle = frame(b"\2\5\1" + link, stored(chunk(known, runs, 0 if command % 4 == 2 else FAR)))
    end = frame(b"\2\5\2" + link, b"\2" + varint(count) + b"\1\1")
    with open(os.path.join(folder, f"small-{command}"), "wb") as out:
        out.write(bytes([command]) + head + middle + end)
