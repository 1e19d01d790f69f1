# SPDX-License-Identifier: MIT
"""Compares what was read out of a black box with what the emulator saw.

    blackbox_check.py DUMP.json WATCH [LEAST]

DUMP.json is `weft dump --json --last 0`, WATCH what `weft capture --watch` wrote (tools/qemu/probes.h). The paths of
the dump, newest first, must be the last ones that ended, and at least LEAST of them; of all blocks that were entered
after the last of these, one of the ways that the dump lists as open must be made.
"""
import json
import struct
import sys

CALL, MARK, LAST = 0, 6, 9


def seen(path):
    """The paths that ended, and the blocks entered after the last of them."""
    paths, blocks = [], []
    with open(path, "rb") as file:
        data = file.read()
    for kind, what, _, _, first, *_ in struct.iter_unpack("<BBHI4I", data):
        if kind == CALL and what == LAST:
            paths.append(first)
            blocks = []
        elif kind == CALL and what == MARK:
            blocks.append(first)
    return paths, blocks


def fits(way, blocks, known):
    """Without a pc, only the start of the open path is known."""
    return blocks[-len(way):] == way if known else blocks[:len(way)] == way


def main():
    with open(sys.argv[1]) as file:
        lines = [json.loads(line) for line in file]
    least = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    paths, blocks = seen(sys.argv[2])
    newest = [line["path"] for line in lines if line["event"] == "path"]
    ways = [line["blocks"] for line in lines if line["event"] == "open" and "blocks" in line]
    expected = paths[::-1][:len(newest)]
    if newest != expected or len(newest) < least:
        at = next((i for i, pair in enumerate(zip(newest, expected)) if pair[0] != pair[1]), -1)
        print(f"# {len(newest)} paths read, {len(paths)} ended; the first that differs: {at}")
        return 1
    faults = [line for line in lines if line["event"] == "fault"]
    if faults and blocks and not any(fits(way, blocks, "pc" in faults[0]) for way in ways):
        print(f"# entered since: {blocks}; ways: {ways}")
        return 1
    return 0


sys.exit(main())
