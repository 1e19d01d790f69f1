#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""spliced.py WEFT COUNT KIND FILE...: COUNT changes of each file in which a part is missing, doubled, overwritten by
another, changes places with another, or comes from another of the files. Commands read each. Prints how many gave
another output than each of the files with status 0, not called unchecked, and how many ended by a signal. Both must be
none."""
import os
import random
import subprocess
import sys
import tempfile

weft, count, kind = sys.argv[1], int(sys.argv[2]), sys.argv[3]
paths = sys.argv[4:]
ELF = ["--elf", "tests/golden/wet/small.elf"]
COMMANDS = {"nest": [["loops", "--expand", "@"]],
            "wpp": [["grammar", "--expand", "@"]],
            "sqz": [["unsqueeze", "@"], ["unsqueeze", "--backward", "@"]],
            "mod": [["model", "--expand", "@"]],
            "profile": [["fleet", "top", "@"], ["fleet", "rare", "@"], ["merge", "@", "-o", "%"]],
            "wet": [["wet", "control", "@"], ["wet", "control", "--backward", "@"], ["functions", "@"] + ELF,
                    ["wet", "addresses", "@", "--at", "main"] + ELF, ["dump", "@"] + ELF]}[kind]
BLOCK = 16384  # of the data of a trace
whole = [open(path, "rb").read() for path in paths]
dice = random.Random(20261124)


def ranges(data):
    """Two parts, one after the other; often of equal size, or where blocks begin."""
    cuts = sorted(dice.randrange(len(data) + 1) for _ in range(4))
    if dice.random() < 0.3:
        size = dice.choice([1, 2, 4, 8, 16, BLOCK]) % (len(data) // 2 + 1)
        a = dice.randrange(len(data) - 2 * size + 1)
        b = dice.randrange(a + size, len(data) - size + 1)
        cuts = [a, a + size, b, b + size]
    return cuts


def changed(data):
    other = dice.choice(whole)
    a, b, c, d = ranges(data)
    at = dice.randrange(len(other) + 1)
    return dice.choice([data[:a] + data[b:],
                        data[:b] + data[a:],
                        data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:],
                        data[:a] + data[c:d] + data[b:],
                        data[:a] + bytes(b - a) + data[b:],
                        data[:a] + other[at:],
                        data[:a] + other[a:],
                        data[:a] + other[a:b] + data[b:],
                        data + data,
                        data + data[c:d]])


def answer(folder, data, command):
    given, out = os.path.join(folder, "given"), os.path.join(folder, "out")
    open(given, "wb").write(data)
    if os.path.exists(out):
        os.remove(out)
    ran = subprocess.run([weft] + [{"@": given, "%": out}.get(word, word) for word in command],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=100)
    return ran.returncode, ran.stdout + (open(out, "rb").read() if os.path.exists(out) else b""), ran.stderr


tried = wrong = killed = 0
with tempfile.TemporaryDirectory() as folder:
    right = [[answer(folder, data, command) for command in COMMANDS] for data in whole]
    if any(status not in (0, 3) for answers in right for status, _, _ in answers):
        sys.exit("a file is not read as it is: %r" % [(s, e) for answers in right for s, _, e in answers])
    for i, data in enumerate(whole):
        for _ in range(count):
            given = changed(data)
            if given in whole or not given:
                continue
            command = dice.randrange(len(COMMANDS))
            status, text, said = answer(folder, given, COMMANDS[command])
            tried += 1
            killed += status < 0 or status > 4
            if status == 0 and b"unchecked" not in said and all(text != answers[command][1] for answers in right):
                wrong += 1
                print("# %s, %s: %d bytes for %d" % (paths[i], " ".join(COMMANDS[command]), len(given), len(data)))
                if os.environ.get("KEEP"):
                    open(os.environ["KEEP"], "wb").write(given)
print("# %s: %d files, %d changes" % (kind, len(whole), tried), file=sys.stderr)
print("%d wrong, %d killed" % (wrong, killed))
