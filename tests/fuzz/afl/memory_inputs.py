#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# First inputs for the fuzzer of memory dumps: memory_inputs.py FIXED FOLDER. Rings, black boxes of the three forms and
# fault records (core/FORMAT.md, port/cortex-m/sinks.h), alone and together. The first byte chooses the command
# (tests/lib/readers.c); check sums are those of tests/lib/unchecked.h.
import os
import struct
import sys

fixed, folder = sys.argv[1:]
SUM = 0x20202020
frames = open(os.path.join(fixed, "probed.weft"), "rb").read()[6:]


def ring(size, start):
    held = (frames * (size // len(frames) + 1))[:size - 1]
    data = bytearray(size)
    for i, byte in enumerate(held):
        data[(start + i) % size] = byte
    return b"WEFTRING" + struct.pack("<4I", 1, size, start, (start + len(held)) % size) + data


def box_head(form, sets, size, version):
    return b"WEFT_BOX" + bytes([version, form, sets, 0]) + struct.pack("<4I", size, 0x1234, 7, SUM)


def plain(width, count, held=False, sums=()):  # sums: of version 2
    entries = [256**width - 1] * 16
    for i in range(count):
        entries[i % 16] = 256**width - (2 if i == 33 else 3) if i in (33, 36) else 5 * i
    state = (0, count, entries[0], *sums, 0) if held else (15, 0, 0, *sums, count)
    return box_head(width // 2, 0, 16 * width, 1 + len(sums)) + struct.pack(f"<{len(state)}I", *state) + \
        struct.pack("<16" + {2: "H", 4: "I"}[width], *entries)


def groups(value):
    return [value] if value < 8 else [value & 7 | 8] + groups(value >> 3)


def entry(new, hits, number):  # it is read from its end
    tag = [8 * new | min(hits, 7)]
    return ((tag + (groups(hits - 7) if hits > 6 else []) + (groups(number) if new else []))[::-1])


# As core/blackbox_packed.c pushes them. `busy`: the newest entry is undone.
def packed(symbols, size, busy=0, is_open=0, sums=()):
    table, ring, before, hits, at, count, undo = [[0, 0] for _ in range(4)], [0] * (2 * size), 0, 0, 0, 0, [0] * 6
    for x in symbols:
        place = (x * 0x9e3779b1 & 0xffffffff) >> 30
        pair = table[place]
        if pair[0] == before:
            hits += 1
        else:
            undo = [place, pair[0] | pair[1] << 16, hits << 16 | before, at % len(ring), at // len(ring), count]
            d = pair[1] - before
            new = entry(pair[1] != before or not before, hits, 1 + (2 * d if d >= 0 else -2 * d - 1) if pair[1] else 1)
            for nibble in new:
                ring[at % len(ring)] = nibble
                at += 1
            table[place], count, hits = [before, pair[0]], count + hits + 1, 0
        before = x
    data = bytes(ring[i] | ring[i + 1] << 4 for i in range(0, len(ring), 2))
    return box_head(3, 2, 16 + size, 1 + len(sums)) + struct.pack("<6I", is_open, hits << 16 | before, at % len(ring), at // len(ring), count,
                                                   busy) + \
        struct.pack(f"<{6 + len(sums)}I", *undo, *sums) + struct.pack("<4I", *(a | b << 16 for a, b in table)) + data


def fault(flags, paths, stack):
    head = b"WEFTFALT" + struct.pack("<7I", 1, 156 + 4 * stack, 0x1234, flags, paths, 3, 0xfffffff9)
    registers = struct.pack("<28I", *range(0x20000000, 0x2000001c))
    words = struct.pack("<I", stack) + struct.pack(f"<{stack}I", *range(stack))
    whole = head + registers + words
    return whole[:12] + struct.pack("<I", len(whole) + 4) + whole[16:] + struct.pack("<I", SUM)


SYMBOLS = [3, 4, 5, 3, 4, 5, 9, 0xfe0f, 7, 0xfe00, 3, 0xfdff, 40, 3, 5, 0xfdfe, 3, 4] + [3] * 20 + [4, 90, 3, 4, 5]
parts = {
    "ring": ring(900, 0), "ring-wrapped": ring(700, 300), "ring-cut": ring(700, 300)[:600],
    "box16": plain(2, 40), "box32": plain(4, 40), "box-young": plain(4, 9), "box-held": plain(2, 12, True),
    "packed": packed(SYMBOLS, 64), "packed-lap": packed(SYMBOLS * 3, 48), "packed-busy": packed(SYMBOLS * 3, 48, 1),
    "box-summed": plain(2, 40, True, [SUM]), "box-changed": plain(4, 9, True, [5]), "box-running": plain(2, 9, sums=[5]),
    "packed-summed": packed(SYMBOLS, 64, 0, 0xffffffff, [SUM]),
    "packed-changed": packed(SYMBOLS * 3, 48, 1, 0xffffffff, [5]), "packed-running": packed(SYMBOLS, 64, 0, 7, [5]),
    "fault": fault(7, 40, 4)}
parts["box-fault"] = plain(4, 40) + fault(7, 38, 2)
parts["packed-fault"] = packed(SYMBOLS, 64) + fault(7, 30, 0)
parts["ring-fault-box"] = ring(300, 20) + fault(3, 0, 3) + plain(2, 20)
parts["two"] = ring(200, 0) + ring(100, 9) + plain(2, 3)
for name, part in parts.items():
    open(os.path.join(folder, name), "wb").write(b"\0" + b"\x17" * 3 + part + b"\x2a" * 8)
