#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a command on a terminal of COLUMNS columns: columns.py COLUMNS COMMAND... > what it printed

Its progress lines, which end with a carriage return, are left out."""
import fcntl
import os
import pty
import struct
import sys
import termios

child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
out = b""
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:  # Linux: the other end is closed
        break
    if not part:
        break
    out += part
for line in out.replace(b"\r\n", b"\n").split(b"\n")[:-1]:
    sys.stdout.buffer.write(line.split(b"\r")[-1] + b"\n")
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
