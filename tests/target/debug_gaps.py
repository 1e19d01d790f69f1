#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: debug_gaps.py NAME WEFT RUN.weft APP.elf FOLDER [SEED]

A recording of probes that has lost a frame, in the debugger. It must show what the whole recording shows, without a
stretch of it: the same instants in the same order, forwards and backwards (but for calls that are open then, OPEN); no
byte of memory that differs, and right after the loss none that was announced before; of the calls, the innermost ones;
every stop of a breakpoint. The server ends with status 3. One frame in the middle is left out, WEFT_LONG: each in turn.
Memory and calls are compared at some of the instants."""
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from remote import Remote  # noqa: E402

name, weft, run, elf, folder = sys.argv[1:6]
random.seed(int(sys.argv[6]) if len(sys.argv) > 6 else 1)
SAMPLES, REACH, PLACES = 30, 4096, 128
OPEN = 60  # instants of calls that are open at the loss: of a path that goes on after it, both parts stand after it


def pc_of(answer):
    return int.from_bytes(bytes.fromhex(re.search(r"0f:(\w{8})", answer)[1]), "little")


class Walked:
    """A server, and all instants of its run: addresses, and where `goto` finds them."""

    def __init__(self, path):
        self.remote = Remote.started(weft, "gdb", path, "--elf", elf, "--stdio")
        self.pcs, self.places = self.walk("s", self.remote.ask("?"))
        self.back, _ = self.walk("bs", self.remote.ask("?"))
        self.back.reverse()

    def many(self, packet, count):
        """The answers to a packet sent `count` times. One by one, the two programs would wait for each other."""
        os.write(self.remote.writer, count * (b"$%s#%02x" % (packet.encode(), sum(packet.encode()) & 255)))
        return [self.remote.receive() for _ in range(count)]

    def walk(self, packet, answer):
        pcs, places = [pc_of(answer)], {}
        while True:
            if packet == "s":
                places[len(pcs) - 1] = self.remote.monitor("weft time").split("; ")[1].split()[0]
            answers = self.many(packet, PLACES)
            pcs += [pc_of(answer) for answer in answers if "replaylog" not in answer]
            if "replaylog" in answers[-1]:
                return pcs, places

    def go(self, i):
        near = i - i % PLACES
        self.remote.monitor("weft goto " + self.places[near])
        self.many("s", i - near)

    def memory(self, i):
        """The bytes of the program's objects that are known at an instant, by address."""
        self.go(i)
        known = {}
        for address, size in objects:
            at = address
            while at < address + size:
                data = self.remote.memory(at, address + size - at)
                known.update({at + k: b for k, b in enumerate(data or b"")})
                at += len(data or b"") + 1
        return known

    def calls(self, i):
        self.go(i)
        return re.findall(r"^#\d+ +(?:0x\w+ +)?(?:in )?(\w+)", self.remote.monitor("weft stack"), re.M)

    def stops(self, pc, packet):
        """How often a breakpoint is met from one end to the other."""
        self.remote.monitor("weft goto " + ("start" if packet == "c" else "end"))
        self.remote.ask("Z0,%x,2" % pc)
        count = 0
        while "replaylog" not in self.remote.ask(packet):
            count += 1
        self.remote.ask("z0,%x,2" % pc)
        return count

    def close(self):
        self.remote.ask("D")
        self.remote.process.stdin.close()
        return self.remote.process.wait(20)


def objects_of():
    text = subprocess.run(["arm-none-eabi-nm", "-S", elf], stdout=subprocess.PIPE, check=True, text=True).stdout
    found = [line.split() for line in text.splitlines()]
    return [(int(f[0], 16), int(f[1], 16)) for f in found if len(f) == 4 and f[2] in "bBdD" and int(f[1], 16) <= REACH
            and not f[3].startswith("weft")]


def alike(a, b):
    count = 0
    while count < min(len(a), len(b)) and a[count] == b[count]:
        count += 1
    return count


def verdict(what, wrong):
    print("%s debug_%s_%s" % ("not ok" if wrong else "ok", name, what))
    for text in wrong[:3]:
        print("# " + text)


objects = objects_of()
whole = Walked(run)
frames = open(run, "rb").read().split(b"\0")
middle = [i for i in range(4, len(frames) - 3) if len(frames[i]) > 100]
middle = middle if os.environ.get("WEFT_LONG") else middle[len(middle) // 2:][:1]
wrong = {what: [] for what in (
    "after_a_lost_frame_goes_on_with_the_instants_of_the_whole_recording", "goes_back_over_a_lost_frame",
    "knows_no_byte_that_differs_after_a_lost_frame", "forgets_what_it_knew_before_a_lost_frame",
    "after_a_lost_frame_names_calls_that_are_open", "meets_each_breakpoint_on_both_sides_of_a_lost_frame",
    "says_by_its_status_that_a_frame_was_lost")}
instants, back, differs, forgets, calls, breaks, status = wrong.values()
bytes_compared = calls_compared = 0
for left_out in middle:
    path = os.path.join(folder, "gap.weft")
    with open(path, "wb") as out:
        out.write(b"\0".join(frames[:left_out] + frames[left_out + 1:]))
    gap = Walked(path)
    before = alike(gap.pcs, whole.pcs)
    after = min(alike(gap.pcs[::-1], whole.pcs[::-1]), len(gap.pcs) - before)
    spanning = gap.pcs[before:len(gap.pcs) - after]
    case = "frame %d: %d instants of %d, %d before, %d after" % (
        left_out, len(gap.pcs), len(whole.pcs), before, after)
    print("# " + case)
    if len(spanning) > OPEN or not set(spanning) <= set(whole.pcs) or before < 100 or after < 100:
        instants.append(case)
    if gap.back != gap.pcs:
        back.append("%s; backwards %d" % (case, len(gap.back)))
    first, shift = len(gap.pcs) - after, len(whole.pcs) - len(gap.pcs)
    for i in sorted(random.sample(range(first, len(gap.pcs)), min(SAMPLES, after))):
        mine, other = gap.memory(i), whole.memory(i + shift)
        bytes_compared += len(mine)
        differs += ["%s: at %s 0x%x" % (case, gap.places[i], a) for a in mine if mine[a] != other.get(a)]
        mine, other = gap.calls(i), whole.calls(i + shift)
        calls_compared += len(mine)
        if mine and mine != other[:len(mine)]:
            calls.append("%s: at %s %s, not %s" % (case, gap.places[i], mine, other))
    if after and gap.memory(first):
        forgets.append("%s: %d bytes" % (case, len(gap.memory(first))))
    for pc in random.sample(sorted(set(gap.pcs)), 5):
        for packet in ("c", "bc"):
            # The instant at which it stands is not met again.
            met, end = gap.stops(pc, packet), gap.pcs[0 if packet == "c" else -1]
            if met != gap.pcs.count(pc) - (end == pc):
                breaks.append("%s: 0x%x met %d times by %s, not %d" % (case, pc, met, packet, gap.pcs.count(pc)))
    ended = gap.close()
    if ended != 3:
        status.append("%s: status %d" % (case, ended))
whole.close()
print("# %d frames left out, %d bytes and %d calls compared" % (len(middle), bytes_compared, calls_compared))
for what, cases in wrong.items():
    verdict(what, cases if middle and bytes_compared and calls_compared else ["nothing was compared"])
