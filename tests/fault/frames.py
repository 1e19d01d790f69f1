# SPDX-License-Identifier: MIT
"""frames.py WEFT RECORDING ELF PART NAME: ways in which one frame of a recording is missing, doubled, moved or changes
places with another. PART all: all of them, and each is read by all commands below. PART 0 and 1: a way of each kind,
which every second command reads; with the other part the others do. With status 0 the answer is that of the whole
recording, but for what it says of the file itself. Prints a line for each command."""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

weft, recording, elf, part, build = sys.argv[1:6]
whole = open(recording, "rb").read()
HEAD = 6
frames = [frame + b"\0" for frame in whole[HEAD:].split(b"\0")[:-1]]
folder = tempfile.mkdtemp()
given = os.path.join(folder, "given.weft")
out = os.path.join(folder, "out")

COMMANDS = {
    "info": ["info", "--json", given],
    "info with the image": ["info", "--json", "--elf", elf, given],
    "merge": ["merge", "--elf", elf, "--label", "version=1", given, "-o", out],
    "report": ["report", given, "--elf", elf, "-o", out],
    "functions": ["functions", "--json", given, "--elf", elf],
    "coverage": ["coverage", "--json", given, "--elf", elf],
    "dump": ["dump", given, "--elf", elf],
    "export": ["export", "--as", "folded", given, "--elf", elf, "-o", out],
}
OF_THE_FILE = ("bytes", "bytes_per_event", "streams", "frames", "recording_list")


def answer(name):
    """Status, and what the command printed and wrote."""
    if os.path.exists(out):
        os.remove(out)
    ran = subprocess.run([weft] + COMMANDS[name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=100)
    status = ran.returncode
    text = ran.stdout + (open(out, "rb").read() if os.path.exists(out) else b"")
    if name.startswith("info") and ran.returncode in (0, 3):
        said = json.loads(text)
        status = 3 if said.get("packed", {}).get("at_least") else status  # it says that it does not know
        text = json.dumps({key: said[key] for key in said if key not in OF_THE_FILE}, sort_keys=True).encode()
    if name == "report":
        text = re.sub(rb"^[^\n]*: \d+ bytes", b"", text)
    return status, text


def changed(i, k):
    parts = list(frames)
    parts[i], parts[k] = parts[k], parts[i]
    return parts


def ways():
    places = range(len(frames))
    for i in places:
        yield "%d missing" % i, frames[:i] + frames[i + 1:]
        yield "%d doubled" % i, frames[:i + 1] + frames[i:]
        for k in places:
            if k != i:
                left = frames[:i] + frames[i + 1:]
                yield "%d moved to %d" % (i, k), left[:k] + frames[i:i + 1] + left[k:]
            if k > i:
                yield "%d and %d changed" % (i, k), changed(i, k)


def write(parts):
    open(given, "wb").write(whole[:HEAD] + b"".join(parts))


write(frames)
right = {name: answer(name) for name in COMMANDS}
tried = list(ways())
if part != "all":
    kinds = [[way for way in tried if kind in way[0]] for kind in ("missing", "doubled", "moved", "changed")]
    tried = [random.Random(1).choice(kind) for kind in kinds]
asked = {name: 0 for name in COMMANDS}
wrong = {name: [] for name in COMMANDS}
for i, (way, parts) in enumerate(tried):
    write(parts)
    for k, name in enumerate(COMMANDS):
        if part != "all" and (i + k + int(part)) % 2:
            continue
        asked[name] += 1
        status, text = answer(name)
        if status not in (0, 1, 3) or (status == 0 and text != right[name][1]):
            wrong[name].append("%s: status %d" % (way, status))
for name in COMMANDS:
    good = right[name][0] == 0 and asked[name] > 0 and not wrong[name]
    for line in wrong[name][:5]:
        print("#", line)
    print("ok" if good else "not ok", "%s, %s: %d ways of frames that are missing, doubled or moved" % (
        build, name, asked[name]))
