# SPDX-License-Identifier: MIT
"""questions.py WEFT SEED COUNT FOLDER [KIND...]: files with a flip of a bit, a cut, or bytes more or fewer, through what
serves questions or makes files of them: gdb, debug, dap, fleet, rerun, seal. With status 0 each answer is that of the
sound file, or an error. FOLDER has the sound files (tests/fault/questions.sh). COUNT changes of each kind of file; 0: each
bit, and each cut. Prints a line for each kind, and each wrong answer."""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

weft, sound = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[4])
seed, count = int(sys.argv[2]), int(sys.argv[3])
dice = random.Random(seed)
folder = tempfile.mkdtemp()
out = os.path.join(folder, "out")


def packet(text):
    return b"$%s#%02x" % (text.encode(), sum(text.encode()) & 255)


def monitor(text):
    return "qRcmd," + text.encode().hex()


# What a client asks, one packet after another. Steps and runs both ways, registers, memory, what `weft` says.
PACKETS = ["QStartNoAckMode", "qSupported:multiprocess+", "qXfer:features:read:target.xml:0,fff", "?", "g",
           "m20000000,40", "s", "g", "s", "p0", "pf", "bs", "g", "Z0,%(main)x,2", "bc", "c", "g", "z0,%(main)x,2",
           "Z2,%(data)x,4", "c", "g", "m%(data)x,20", "c", "bc", "z2,%(data)x,4", monitor("weft goto end"), "g",
           "m%(data)x,40", monitor("weft why r0"), monitor("weft last-write %(name)s"), monitor("weft goto 30"), "g",
           "bs", "g", "D"]
# The same from gdb itself.
LINES = ["break main", "reverse-continue", "continue", "info registers", "backtrace", "x/16xw &%(name)s", "stepi 40",
         "info registers", "weft goto end", "info registers", "weft why $r0", "weft last-write %(name)s",
         "reverse-stepi 20", "info registers"]
MESSAGES = [("initialize", {}), ("launch", {"stopOnEntry": True}), ("configurationDone", {}), ("threads", {}),
            ("stackTrace", {"threadId": 1}), ("scopes", {"frameId": 1}), ("variables", {"variablesReference": 1}),
            ("variables", {"variablesReference": 2}), ("variables", {"variablesReference": 3}), ("next", {}),
            ("stepIn", {}), ("stackTrace", {"threadId": 1}), ("stepBack", {}),
            ("setFunctionBreakpoints", {"breakpoints": [{"name": "main"}]}), ("continue", {}),
            ("stackTrace", {"threadId": 1}), ("variables", {"variablesReference": 1}),
            ("evaluate", {"expression": "%(name)s", "context": "hover"}),
            ("evaluate", {"expression": "weft goto end", "context": "repl"}),
            ("evaluate", {"expression": "%(name)s", "context": ""}),
            ("evaluate", {"expression": "weft why r0", "context": "repl"}),
            ("readMemory", {"memoryReference": "0x20000000", "count": 64}), ("reverseContinue", {}), ("disconnect", {})]


def messages(about):
    sent = b""
    for i, (command, arguments) in enumerate(MESSAGES):
        text = json.dumps({"seq": i + 1, "type": "request", "command": command, "arguments": arguments})
        text = text.replace("%(name)s", about["name"]).encode()
        sent += b"Content-Length: %d\r\n\r\n%s" % (len(text), text)
    return sent


def run(words, given=b"", seconds=60):
    """Status and what is printed; what is written into `out` follows it."""
    if os.path.exists(out):
        os.remove(out)
    done = subprocess.run([weft] + words, input=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=seconds)
    written = open(out, "rb").read() if os.path.exists(out) else b""
    return done.returncode, done.stdout + written, done.stderr


def asks(kind, path, elf, about):
    """(name, words, standard input) of the commands that read such a file."""
    if kind == "image":
        return [("seal", ["seal", "--check", elf], b""),
                ("rerun", ["rerun", about["trace"], "--elf", elf, "-o", out], b""),
                ("gdb", ["gdb", about["trace"], "--elf", elf, "--stdio"], about["packets"]),
                ("dap", ["dap", about["trace"], "--elf", elf], about["messages"])]
    if kind == "profile":
        return [(" ".join(words), ["fleet"] + words + [path], b"") for words in (
            ["top", "-k", "2", "--json"], ["rare", "--json"], ["uncovered", "--json"],
            ["compare", "--before", "version=1", "--after", "version=0", "--all", "--json"])]
    if kind == "paths":
        return [("rerun", ["rerun", path, "--elf", elf, "-o", out], b"")]
    return [("gdb", ["gdb", path, "--elf", elf, "--stdio"], about["packets"]),
            ("dap", ["dap", path, "--elf", elf], about["messages"])] + (
                [("debug", ["debug", path, "--elf", elf, "--gdb", about["client"]], b"")] if about.get("client") else [])


def replies(name, answer):
    """The answers one by one: an error in place of one is no wrong answer."""
    if name == "gdb":
        return re.findall(rb"\$[^#]*#..", answer)
    if name == "dap":
        return [part for part in re.split(rb"Content-Length: \d+\r\n\r\n", answer) if part]
    return [answer]


def is_error(name, reply):
    if name == "gdb":
        return re.match(rb"\$E[0-9.]", reply)
    return name == "dap" and b'"success":false' in reply


def is_wrong(name, right, got, said):
    """With status 0: something else is said, and it is no error. After an error the session may go another way.
    `debug` has the status of gdb, which may be 0 after errors of its server: what it prints is then of the sound
    file."""
    if got == right:
        return False
    if name == "debug" and b"damaged" in said:
        return not set(got.splitlines()) <= set(right.splitlines())
    for a, b in zip(replies(name, right), replies(name, got)):
        if a != b:
            return not is_error(name, b)
    return len(replies(name, got)) != len(replies(name, right))


def changes(content):
    """What was done, and the bytes."""
    if count == 0:
        for bit in range(8 * len(content)):
            yield "bit %d" % bit, flipped(content, bit)
        for size in range(len(content)):
            yield "cut to %d" % size, content[:size]
        return
    for _ in range(count):
        kind, at = dice.randrange(5), dice.randrange(len(content))
        if kind < 3:
            bit = dice.randrange(8 * len(content))
            yield "bit %d" % bit, flipped(content, bit)
        elif kind == 3:
            yield "cut to %d" % at, content[:at]
        elif dice.randrange(2):
            yield "byte %d twice" % at, content[:at] + content[at:at + 1] + content[at:]
        else:
            yield "without byte %d" % at, content[:at] + content[at + 1:]


def flipped(content, bit):
    data = bytearray(content)
    data[bit // 8] ^= 1 << bit % 8
    return bytes(data)


def symbols(elf):
    text = subprocess.run(["arm-none-eabi-nm", elf], stdout=subprocess.PIPE).stdout.decode()
    return {name: int(address, 16) for address, _, name in re.findall(r"^([0-9a-f]+) (\w) (\S+)$", text, re.M)}


def about_of(kind, elf, name):
    known = symbols(elf)
    about = {"name": name, "main": known["main"], "data": known[name], "trace": os.path.join(sound, "probed.weft")}
    written = monitor("weft last-write %(name)s")
    about["packets"] = b"".join(packet(monitor("weft last-write " + name) if text == written else text % about)
                                for text in PACKETS)
    about["messages"] = messages(about)
    if kind == "session":
        about["client"] = os.path.join(folder, "client")
        with open(about["client"], "w") as file:
            file.write("#!/bin/sh\nexec gdb-multiarch -nx -batch -ex 'set confirm off' \"$@\" %s </dev/null\n" %
                       " ".join("-ex '%s'" % (line % about) for line in LINES))
        os.chmod(about["client"], 0o755)
    return about


# The changed file; the image; an object of the program.
KINDS = {"trace": ("small.wet", "small.elf", "result"), "probed": ("probed.weft", "probed.elf", "table"),
         "paths": ("paths.weft", "paths.elf", "main"), "profile": ("fleet.weft-profile", "paths.elf", "main"),
         "image": ("probed.elf", "probed.elf", "table"), "session": ("small.wet", "small.elf", "result")}
wrong = 0
for kind in sys.argv[5:] or KINDS:
    file, elf, name = KINDS[kind]
    content = open(os.path.join(sound, file), "rb").read()
    elf = os.path.join(sound, elf)
    about = about_of(kind, elf, name)
    given = os.path.join(folder, file)
    image = given if kind == "image" else elf
    open(given, "wb").write(content)
    right = [run(words, sent) for _, words, sent in asks(kind, given, image, about)]
    for (asked, words, _), (status, answer, said) in zip(asks(kind, given, image, about), right):
        if status not in (0, 3) or not answer and asked != "seal":
            print("# %s: weft %s: status %d: %s" % (kind, " ".join(words), status, said.decode()))
            wrong += 1
    statuses = {}
    for done, data in changes(content):
        open(given, "wb").write(data)
        for (asked, words, sent), (usual, answer, _) in zip(asks(kind, given, image, about), right):
            try:
                status, got, said = run(words, sent)
            except subprocess.TimeoutExpired:
                status, got, said = -1, b"", b"it takes longer than a minute"
            statuses[status] = statuses.get(status, 0) + 1
            bad = status not in (0, 1, 3) or status == 0 and (usual != 0 or is_wrong(asked, answer, got, said))
            if bad and not (kind == "image" and b"unchecked" in said):
                wrong += 1
                print("# %s, %s: weft %s: status %d" % (file, done, " ".join(words), status))
                if os.environ.get("WEFT_KEEP"):
                    kept = "%s-%s" % (file, done.replace(" ", "-"))
                    open(os.path.join(os.environ["WEFT_KEEP"], kept), "wb").write(data)
    print("# %s: %s" % (kind, ", ".join("%d with status %d" % (n, s) for s, n in sorted(statuses.items()))), flush=True)
print("%d wrong" % wrong)
