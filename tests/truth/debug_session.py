#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: debug_session.py COMMAND...

A client of `weft gdb ... --stdio`, the COMMAND: it jumps through the run while the server's thread still decodes, steps,
asks for memory and why, and takes a slice, which ends that thread. The status is the server's."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from remote import Remote  # noqa: E402

r = Remote.started(*sys.argv[1:])
for i in range(30):
    r.monitor("weft goto %d" % (1 + 997 * (i * 7 % 30)))
    for packet in ("s", "bs", "m20000000,400"):
        r.ask(packet)
    r.monitor("weft why r0")
    if i == 25:
        r.monitor("weft slice r0")
r.close()
sys.exit(r.process.wait())
