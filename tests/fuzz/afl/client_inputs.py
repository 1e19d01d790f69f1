#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# First inputs for the fuzzers of what arrives (arrivals), of an editor's messages, and of an emulator's answers:
# client_inputs.py FIXED CORPUS
# The first byte chooses the command (tests/lib/readers.c).
import json
import os
import struct
import sys

fixed, corpus = sys.argv[1:]
PIECE = 4


def put(reader, name, command, content):
    open(os.path.join(corpus, reader, name), "wb").write(bytes([command]) + content)


# ---- the pin: packets of the ITM (tools/lib/recording/swo.c) ----

def packets(payload, port):
    out = bytearray(b"\0\0\0\0\0\x80")
    if port >= 32:
        out.append(port // 32 << 4 | 8)  # the page of the port
    for i in range(0, len(payload), PIECE):
        part = payload[i:i + PIECE]
        if len(part) == PIECE:
            out += bytes([port % 32 << 3 | 3]) + part
        else:
            out += b"".join(bytes([port % 32 << 3 | 1, b]) for b in part)
        if i % 64 == 0:
            out += b"\xc0\x85\x01\x70\x17\x20\x01\x02\x03"[: 3 + i // 64 % 7]  # a time, an overflow, the DWT's
    return bytes(out)


def formatted(stream, data):
    out = bytearray(b"\xff\xff\xff\x7f")
    at = 0
    while at < len(data):
        frame, low = bytearray(16), 0
        frame[0] = stream << 1 | 1
        for i in range(1, 15):
            byte = data[at] if at < len(data) else 0
            at += 1
            frame[i] = byte if i % 2 else byte & 0xfe
            low |= 0 if i % 2 else (byte & 1) << i // 2
        frame[15] = low
        out += frame
    return bytes(out)


for name in "probed.weft", "bare.weft":
    whole = open(os.path.join(fixed, name), "rb").read()
    pin = packets(whole, 1)
    put("arrivals", "pin-" + name, 0, pin)
    put("arrivals", "pin-follow-" + name, 3, pin)
    put("arrivals", "formatter-" + name, 1, formatted(1, pin))
    put("arrivals", "port33-" + name, 2, packets(whole, 33))
    put("arrivals", "twice-" + name, 4 if name[0] == "p" else 5, whole + whole[6:])
    put("arrivals", "torn-" + name, 4, whole[:200] + whole[150:])

# ---- an editor: one message a line ----

def session(name, command, *requests):
    lines = [json.dumps(dict(seq=i + 1, type="request", command=c, arguments=a), separators=(",", ":"))
             for i, (c, a) in enumerate(requests)]
    put("messages", name, command, "\n".join(lines).encode())


START = [("initialize", {}), ("launch", {"stopOnEntry": True}), ("configurationDone", {})]
LOOK = [("threads", {}), ("stackTrace", {"threadId": 1}), ("scopes", {"frameId": 1}),
        ("variables", {"variablesReference": 1}), ("variables", {"variablesReference": 2, "start": 1, "count": 2}),
        ("variables", {"variablesReference": 3}), ("variables", {"variablesReference": 4})]
for command, file, place in (0, "bare.c", "result"), (1, "probed.c", "readings"):
    session("look-%d" % command, command, *START, ("stepIn", {}), *LOOK)
    session("walk-%d" % command, command, *START, ("next", {}), ("stepIn", {"granularity": "instruction"}),
            ("stepBack", {}), ("stepOut", {}), ("pause", {}), ("reverseContinue", {}))
    session("lines-%d" % command, command, *START,
            ("setBreakpoints", {"source": {"path": file}, "breakpoints": [{"line": 30}, {"line": 40}]}),
            ("continue", {}), *LOOK[:2], ("setFunctionBreakpoints", {"breakpoints": [{"name": "main"}]}),
            ("continue", {}))
    session("watch-%d" % command, command, *START, ("dataBreakpointInfo", {"name": place}),
            ("setDataBreakpoints", {"breakpoints": [{"dataId": "536870912,32", "accessType": "write"}]}),
            ("continue", {}), ("reverseContinue", {}), ("disconnect", {}))
    session("ask-%d" % command, command, *START, ("continue", {}),
            *(("evaluate", {"expression": e, "context": c})
              for e, c in ((place, "hover"), (place, "repl"), ("r0", ""), ("weft help", "repl"),
                           ("weft goto end", "repl"), ("weft why r0", "repl"), ("weft last-write " + place, "repl"),
                           (place + "[1].level", ""), ("*&" + place, ""))),
            ("readMemory", {"memoryReference": "0x20000000", "offset": -4, "count": 64}), ("terminate", {}))
session("attach", 0, ("attach", {"program": "tests/fuzz/fixed/bare.wet", "elf": "tests/fuzz/fixed/bare.elf"}),
        ("launch", {}), ("nosuch", {}))

# ---- an emulator: one answer a line; the byte 4 is a time in which none comes (tests/lib/answers.h) ----

SILENCE = "!\x04"
STOP, ENDS = ["S05", "OK", "T05thread:01;"], ["OK", "W00"]


def answers(name, command, *lines):
    put("answers", name, command, "\n".join(lines).encode("latin-1"))


def pieces(data):
    return [data[i:i + 1024].hex() for i in range(0, len(data), 1024)]


def words(*values):
    return [struct.pack("<I", v).hex() for v in values]


frames = open(os.path.join(fixed, "probed.weft"), "rb").read()[6:]
for size in 900, 2500:
    held = (frames * (size // len(frames) + 1))[:size - 1]
    data = held[-100:] + b"\0" + held[:-100]
    head = b"WEFTRING" + struct.pack("<4I", 1, size, 101, 100)
    first = ["00" * 24]  # the table of vectors is not a ring
    answers("ring-%d" % size, 0, *STOP, *first, head.hex(), head.hex(), *pieces(data), "00" * 284, *ENDS)
    answers("ring-late-%d" % size, 0, *STOP, *first, *first, head.hex(), head.hex(), *pieces(data), "00" * 284, *ENDS)
    answers("ring-short-%d" % size, 0, *STOP, *first, head.hex(), head.hex(), *pieces(data[:600]), *ENDS)
REGISTERS = words(*range(13), 0x20041000, 0x401, 0x202, 0x01000000)
CATCH = ["<target>", "OK", *REGISTERS, "000000000000", *["OK"] * 4]
answers("ends", 1, *STOP, *ENDS)
answers("errors", 1, "S05", "E22", "T05", "E01", "X0b")
answers("timeout", 1, *STOP[:2], SILENCE, "T02", *CATCH, "T05", *words(0x400), *ENDS)
answers("busy", 1, *STOP[:2], SILENCE, "T02", *CATCH, "T05", *words(0x200), *["OK"] * 17, "T02", *CATCH[2:], "T05",
        *words(0x400), *ENDS)
answers("asleep", 1, *STOP[:2], SILENCE, "T02", *CATCH[:-5], "00000000bf30"[:12], *["OK"] * 4, SILENCE, "T02",
        *words(0x300))
answers("torn", 0, "!+$S0", "!5#b8++$OK#9a", "T05", "!$$$#", "!#$#00")
