#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: debug.py WEFT X.wet APP.elf [COUNT [SEED]]

How fast `weft gdb` answers at COUNT random places of a run (docs/COSTS.md): processor time of the server for one
request, of all its threads, in milliseconds. Breakpoints and watched words are taken from the registers there: each is
looked for backwards from another place. A thread of the server decodes blocks in advance (tools/lib/wet/store.h): all
but the first jumps come after it has ended."""
import os
import random
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from remote import Remote  # noqa: E402

weft, wet, elf = sys.argv[1:4]
count = int(sys.argv[4]) if len(sys.argv) > 4 else 100
chance = random.Random(int(sys.argv[5]) if len(sys.argv) > 5 else 1)


def spent(pid):
    """Seconds on processors, of all its threads, those that ended too: Linux's clock of another process."""
    return time.clock_gettime(~pid << 3 | 2)


class Server:
    def __init__(self):
        self.r = Remote.started(weft, "gdb", wet, "--elf", elf, "--stdio")
        self.pid = self.r.process.pid

    def timed(self, what):
        before = spent(self.pid)
        answer = what()
        return 1000 * (spent(self.pid) - before), answer

    def ask(self, text):
        return self.timed(lambda: self.r.ask(text))

    def go(self, where):
        return self.timed(lambda: self.r.monitor("weft goto %s" % where))

    def wait(self):
        """Until it does nothing by itself; returns the seconds of processor time of that."""
        first, last = spent(self.pid), -1
        while spent(self.pid) != last:
            last = spent(self.pid)
            time.sleep(0.5)
        return last - first

    def peak(self):
        return [int(line.split()[1]) / 1024 for line in open("/proc/%d/status" % self.pid) if "VmHWM" in line][0]


def say(name, times):
    print("  %-42s mean %8.3f, longest %8.3f ms (%d)" % (name, sum(times) / len(times), max(times), len(times)))


start = time.perf_counter()
s = Server()
s.ask("?")
print("  %-42s %8.1f ms of processor time, %.1f ms" % ("opening and the first stop", 1000 * spent(s.pid),
                                                       1000 * (time.perf_counter() - start)))
jump = s.go("end")[0]
last = int(s.r.monitor("weft time").split()[1].split(".")[0].rstrip(",:"))
print("  %-42s %8.1f ms, another %.1f ms" % ("the first jump (to the end)", jump, s.go(chance.randint(1, last))[0]))
print("  %-42s %8.1f s" % ("decoded in advance, after that", s.wait()))
jumps, steps, memory, breaks, watches, whys = [], [], [], [], [], []
places = []
for _ in range(count):
    jumps.append(s.go(chance.randint(1, last))[0])
    for packet in ("s", "bs", "bs", "s", "s"):
        steps.append(s.ask(packet)[0])
    registers = s.r.registers()
    places.append((registers[15], registers[13]))
    took, answer = s.timed(lambda: [s.r.ask("m%x,1000" % (0x20000000 + 4096 * i)) for i in range(64)])
    memory.append(took)
long_steps = []
s.go(chance.randint(1, last))
for way in ("s", "bs"):
    for _ in range(20 * count):
        long_steps.append(s.ask(way)[0])
for pc, sp in places:
    s.go(chance.randint(1, last))
    s.ask("Z0,%x,2" % pc)
    breaks.append(s.ask("bc")[0])
    s.ask("z0,%x,2" % pc)
    s.go(chance.randint(1, last))
    s.ask("Z2,%x,4" % (sp & ~3))
    watches.append(s.ask("bc")[0])
    s.ask("z2,%x,4" % (sp & ~3))
    whys.append(s.timed(lambda: s.r.monitor("weft why r0"))[0])
say("later jumps", jumps)
say("a step, back or forth, after a jump", steps)
say("%d steps in a row, and back" % (20 * count), long_steps)
say("back to a breakpoint", breaks)
say("back to a watchpoint", watches)
say("why r0", whys)
say("256 KB of memory", memory)
print("  %-42s %8.0f MB" % ("peak memory", s.peak()))
s.r.close()
