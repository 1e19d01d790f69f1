#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# First inputs for the fuzzer of grammars: small_wpp.py WEFT FOLDER
# Whole program paths whose symbols are coded as a stream, of 20 to 100 bytes. Weft writes such files of long streams
# only, so the beginning of a long one is cut out. Its first symbols are all new: 8, 24 or 56 of them fill a list of
# symbols to its last place (tools/lib/base/memory.c), where a wrong number of a symbol leaves the list.
import os
import random
import subprocess
import sys

SUM = b"\x20\x20\x20\x20"  # in a build without check sums, which WEFT is
STREAM = 2                 # the bit of the third byte
LENGTH = 4000

weft, folder = sys.argv[1:]
whole, part = os.path.join(folder, ".whole"), os.path.join(folder, ".part")


def expanded():
    return subprocess.run([weft, "grammar", "--expand", part], capture_output=True).stdout.split()


for count in 8, 24, 56:
    chosen = random.Random(count)
    symbols = list(range(count)) + [chosen.randrange(count) for _ in range(LENGTH - count)]
    open(part, "w").write("\n".join(map(str, symbols)))
    subprocess.run([weft, "grammar", part, "-o", whole], check=True)
    head, code = open(whole, "rb").read().split(SUM, 1)
    assert head[2] & STREAM
    length, size = count + 12, 8
    assert length < 128  # a varint of one byte
    while True:  # the fewest bytes that hold this number of symbols
        content = head[:3] + bytes([length]) + SUM + code[:size]
        open(part, "wb").write(content)
        if expanded() == [str(s).encode() for s in symbols[:length]]:
            break
        size += 1
    for command in 0, 1:
        open(os.path.join(folder, "wpp3-full-list-%d-%d" % (count, command)), "wb").write(bytes([command]) + content)
os.remove(whole)
os.remove(part)
