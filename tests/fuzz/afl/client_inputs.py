#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# First inputs for the fuzzers of what arrives (arrivals) and of an editor's messages: client_inputs.py FIXED CORPUS
# The first byte chooses the command (tests/lib/readers.c).
import json
import os
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
