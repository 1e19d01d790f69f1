#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: dap_stack.py WEFT X.wet APP.elf FUNCTION COUNT

`weft dap` stops COUNT times in a function; prints the calls each time: FUNCTION:LINE from the innermost one on."""
import json
import subprocess
import sys

weft, wet, elf, function, count = sys.argv[1:6]
server = subprocess.Popen([weft, "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
number, events = 0, []


def receive():
    length = 0
    for line in iter(lambda: server.stdout.readline().strip().lower(), b""):
        if line.startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return json.loads(server.stdout.read(length))


def ask(command, **arguments):
    global number
    number += 1
    body = json.dumps({"seq": number, "type": "request", "command": command, "arguments": arguments}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.stdin.flush()
    while True:
        message = receive()
        if message["type"] == "response":
            return message.get("body", {})
        events.append(message)


def stopped():
    while True:
        event = events.pop(0) if events else receive()
        if event.get("event") == "stopped":
            return event["body"]["threadId"]


ask("initialize", adapterID="weft")
ask("launch", program=wet, elf=elf, stopOnEntry=True)
ask("setFunctionBreakpoints", breakpoints=[{"name": function}])
ask("configurationDone")
thread = stopped()
for _ in range(int(count)):
    ask("continue", threadId=thread)
    thread = stopped()
    frames = ask("stackTrace", threadId=thread)["stackFrames"]
    print(*("%s:%d" % (frame["name"], frame["line"]) for frame in frames))
ask("disconnect")
