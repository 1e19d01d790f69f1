#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""resealed.py WEFT SEED COUNT KIND FILE...: COUNT changes of what check sums protect, in copies of the files whose sums
are then right again: what only a hostile writer makes. Commands read each. None may end by a signal, hang, or take
memory without bound; and with status 0 what they say must agree: each kind has its questions below. Prints a line for
each finding, and how many there were."""
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
from formats import Reader, frame_check, uncobs  # noqa: E402
from profile_format import xxh64  # noqa: E402

weft, seed, count, kind = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
paths = sys.argv[5:]
dice = random.Random(seed)
SMALL = ["--elf", "tests/golden/wet/small.elf"]
FULL = ["--elf", "tests/fault/wet/small.elf"]
MEMORY = 3 << 29  # bytes
SECONDS = 60
BLOCK = 16384


def sum_of(data):
    return zlib.crc32(data).to_bytes(4, "little")


def varint(n):
    return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + varint(n >> 7)


def zstd(data, *options):
    done = subprocess.run(["zstd", "-q", "-c", *options], input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout


def mutated(data, same_size=False):
    data = bytearray(data)
    for _ in range(dice.choice([1, 1, 1, 2, 3])):
        at, what = dice.randrange(len(data)), dice.randrange(4 if same_size else 7)
        if what == 0:
            data[at] ^= 1 << dice.randrange(8)
        elif what == 1:
            data[at] = dice.choice([0, 1, 127, 128, 255])
        elif what == 2:
            data[at] = (data[at] + dice.choice([1, 255])) & 255
        elif what == 3:
            data[at:at + 4] = dice.choice([b"\xff\xff\xff\x7f", bytes(4), b"\0\0\0\x80"])[:len(data) - at]
        elif what == 4:
            data.insert(at, dice.randrange(256))
        elif what == 5 and len(data) > 1:
            del data[at]
        else:  # a varint of a large number
            data[at:at + 1] = varint(dice.choice([1 << 14, 1 << 31, (1 << 32) - 1, 1 << 62]))
    return bytes(data)


# ---- each kind: a change, and the sums again ----


def cobs(data):
    out, run = bytearray(), bytearray()
    for byte in data + b"\0":
        if byte:
            run.append(byte)
        if not byte or len(run) == 254:
            out += bytes([len(run) + 1]) + run
            run = bytearray()
    return bytes(out)


def container(data):
    frames = data[6:].split(b"\0")[:-1]
    at = dice.randrange(len(frames))
    content = mutated(uncobs(frames[at])[:-4])
    frames[at] = cobs(content + frame_check(content).to_bytes(4, "little")) if content else frames[at]
    return data[:6] + b"".join(frame + b"\0" for frame in frames)


def wet(data):
    size = int.from_bytes(data[12:20], "little")
    directory, rest = zstd(data[20:20 + size], "-d"), data[20 + size:]
    sums = 4 * -(-len(rest) // BLOCK)
    body = directory[:len(directory) - sums]
    if rest and dice.randrange(2):
        rest = mutated(rest, True)
    else:
        body = mutated(body)
    plain = body + b"".join(sum_of(rest[i:i + BLOCK]) for i in range(0, len(rest), BLOCK))
    packed = zstd(plain, "-3")
    size = len(packed).to_bytes(8, "little")
    return data[:8] + sum_of(size + packed) + size + packed + rest


def profile(data):
    body = mutated(data[16:-8])
    whole = data[:8] + len(body).to_bytes(8, "little") + body
    return whole + xxh64(whole).to_bytes(8, "little")


def at_the_end(data):
    body = mutated(data[:-4])
    return body + sum_of(body)


def squeezed(data):
    """A change of a block's payload, or of all else."""
    if dice.randrange(3) == 0:
        return at_the_end(data)
    file = Reader(data, 9)
    if file.byte() != 1:
        return at_the_end(data)
    head = file.bytes(3) + varint(file.varint())
    plain_size, size = file.varint(), file.varint()
    file.bytes(4)
    payload = file.bytes(size)
    plain = mutated(zstd(payload, "-d") if size < plain_size else payload)
    packed = zstd(plain, "-3")
    stored = packed if len(packed) < len(plain) else plain
    body = data[:9] + b"\1" + head + varint(len(plain)) + varint(len(stored)) + sum_of(plain) + stored + \
        data[file.at:-4]
    return body + sum_of(body)


def grammar(data):
    file = Reader(data, 3)
    file.varint()
    head, rest = data[:file.at], data[file.at + 4:]
    whole = mutated(head[3:] + rest)
    end = Reader(whole)
    end.varint()
    head, rest = data[:3] + whole[:end.at], whole[end.at:]
    return head + sum_of(head + rest) + rest


# ---- what commands say of a file, and what must agree ----


def numbers(text):
    return text.split()


def agree_squeezed(said):
    forward, backward = numbers(said[0]), numbers(said[1])
    return forward == backward[::-1] and json.loads(said[2])["values"] == len(forward)


def agree_profile(said):
    """A profile has one form only: what is read is what is written."""
    return said[3] == given_bytes and json.loads(said[2])["paths"] == sum(g["paths"] for g in json.loads(said[2])["groups"])


def agree_wet(said):
    return said[0].splitlines() == said[1].splitlines()[::-1]


def agree_container(said):
    """What is counted is what is printed."""
    about = json.loads(said[0])
    dumped = said[1].splitlines()
    return about["paths"]["recorded"] == sum(line.split()[1:2] == [b"path"] for line in dumped)


def agree_full(said):
    """Each instruction that is printed is some function's."""
    ran = sum(line.split()[1:2] in ([b"instruction"], [b"skipped"]) for line in said[1].splitlines())
    return json.loads(said[3])["total"] == ran


def agree_length(said):
    file = Reader(given_bytes, 3)
    return file.varint() == len(numbers(said[0]))


def anything(said):
    return True


# The change; the commands; the questions, which are asked where all have status 0.
KINDS = {
    "container": (container, [["info", "--json", "@"], ["dump", "@"], ["loops", "@"], ["grammar", "@"], ["merge", "--jobs", "1", "@", "-o", "%"]], agree_container),
    "full": (container, [["info", "--json", "@"], ["dump", "@"] + FULL, ["wet", "build", "@", "-o", "%"] + FULL,
                         ["functions", "--json", "@"] + FULL, ["irq", "@"] + FULL, ["race", "@"] + FULL], agree_full),
    "wet": (wet, [["wet", "control", "@"], ["wet", "control", "--backward", "@"], ["functions", "@"] + SMALL,
                  ["dump", "@"] + SMALL, ["wet", "slice", "@", "--at", "main"] + SMALL,
                  ["wet", "values", "@", "--at", "main"] + SMALL], agree_wet),
    "profile": (profile, [["fleet", "top", "@"], ["fleet", "rare", "@"], ["info", "--json", "@"],
                          ["merge", "@", "-o", "%"]], agree_profile),
    "squeezed": (squeezed, [["unsqueeze", "@", "--format", "text"], ["unsqueeze", "--backward", "@", "--format", "text"],
                            ["unsqueeze", "--json", "@", "-o", "%"]], agree_squeezed),
    "nest": (at_the_end, [["loops", "--expand", "@"]], anything),
    "model": (at_the_end, [["model", "--expand", "@"]], anything),
    "grammar": (grammar, [["grammar", "--expand", "@"]], agree_length),
}


def limit():
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))


def ask(folder, command):
    """The status, what is printed (or written), and what is wrong with how it ended."""
    out = os.path.join(folder, "out")
    if os.path.exists(out):
        os.remove(out)
    words = [weft] + [{"@": os.path.join(folder, "given"), "%": out}.get(word, word) for word in command]
    with open(os.path.join(folder, "printed"), "wb") as printed:
        try:
            status = subprocess.run(words, stdout=printed, stderr=subprocess.PIPE, timeout=SECONDS, preexec_fn=limit)
        except subprocess.TimeoutExpired:
            return 1, b"", "hangs"
    text = open(out if "-o" in command and "--json" not in command and os.path.exists(out) else printed.name,
                "rb").read(1 << 27)
    wrong = None
    if status.returncode not in (0, 1, 3):
        wrong = "status %d: %s" % (status.returncode, status.stderr[-200:].decode("latin-1").strip())
    return status.returncode, text, wrong


change, commands, agree = KINDS[kind]
tried = found = answers = 0
with tempfile.TemporaryDirectory() as folder:
    for i in range(count):
        path = paths[i % len(paths)]
        given_bytes = change(open(path, "rb").read())
        open(os.path.join(folder, "given"), "wb").write(given_bytes)
        said, statuses = [], []
        for command in commands:
            status, text, wrong = ask(folder, command)
            tried += 1
            statuses.append(status)
            said.append(text)
            if wrong:
                print("# %s, change %d, %s: %s" % (os.path.basename(path), i, " ".join(command), wrong))
        bad = any(status not in (0, 1, 3) for status in statuses)
        if not any(statuses):
            answers += 1
            if not agree(said):
                print("# %s, change %d: what commands say does not agree" % (os.path.basename(path), i))
                bad = True
        if bad:
            found += 1
            if os.environ.get("WEFT_KEEP"):
                name = "%s-%d-%d" % (kind, seed, i)
                open(os.path.join(os.environ["WEFT_KEEP"], name), "wb").write(given_bytes)
print("# %s: %d runs, %d files with status 0 throughout" % (kind, tried, answers))
print("%d found" % found)
