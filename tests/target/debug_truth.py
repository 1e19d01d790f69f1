#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: debug_truth.py WEFT X.wet APP.elf MACHINE INSTANTS STOPS [SEED]

Compares `weft gdb` with the emulator's own gdb stub on the same deterministic run (-icount 0): registers and memory at
INSTANTS random instants, reached forwards and then once more backwards, and STOPS random break- and watchpoints in both
directions. The emulator only goes forwards. So the way back is compared with what the emulator said on the way there.
Prints ok and not ok lines."""
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import repeated_run  # noqa: E402
from remote import Remote  # noqa: E402

weft, wet, elf, machine, instants, stops = sys.argv[1:5] + [int(x) for x in sys.argv[5:7]]
seed = int(sys.argv[7]) if len(sys.argv) > 7 else 1
TRIES = 4
PC = 15
CLOCK = 0xe000e010, 16  # SysTick
FLOATS = range(26, 42)  # d0 to d15: gdb's numbers, after those of the core
FPSCR, FPSCR_FLAGS = 42, 0x9f  # its flags of arithmetic are not recorded as they are set
MANY = 12  # at most this many times, continue to the same breakpoint


def server():
    r = Remote.started(weft, "gdb", wet, "--elf", elf, "--stdio")
    r.ask("?")
    return r


def floats(r):
    """d0 to d15, FPSCR, FPCAR and FPCCR; None: not known, or the core has none."""
    answers = [r.ask("p%x" % number) for number in [*FLOATS, FPSCR]]
    values = [None if "x" in a or a[0] == "E" else int.from_bytes(bytes.fromhex(a), "little") for a in answers]
    return values[:-1] + [values[-1] if values[-1] is None else values[-1] & ~FPSCR_FLAGS] + repeated_run.lazy_floats(r)


class Comparison:
    def __init__(self):
        self.registers = self.unknown = self.bytes = self.wrong = self.clock = 0
        self.first = None

    def note(self, what):
        self.wrong += 1
        self.first = self.first or what

    def compare(self, where, true, ours, memory):
        for i, value in enumerate(ours):
            if true[i] is None:
                continue
            if value is None:
                self.unknown += 1
            elif value != true[i]:
                self.note("%s: register %d is 0x%x, not 0x%x" % (where, i, true[i], value))
            else:
                self.registers += 1
        for address, real, seen in memory:
            for k, byte in enumerate(seen or b""):
                self.bytes += 1
                if byte != real[k]:
                    self.note("%s: byte at 0x%x is %02x, not %02x" % (where, address + k, real[k], byte))


def time_of_output():
    """When the program begins to say how it ended, found in the last 5 % of the run. From there on the emulator has
    nothing left to repeat, and stops move its timers."""
    ours = server()
    times = int(ours.monitor("weft time").split(" of ")[1].split(";")[0])
    ours.close()
    control = subprocess.run([weft, "wet", "control", "--from", str(times - times // 20), wet], stdout=subprocess.PIPE,
                             check=True, text=True).stdout
    calls = [json.loads(line)["t"] for line in control.splitlines() if "bkpt #0xab" in line]
    return min(calls + [times])


def clock_variables_of():
    """What port/cortex-m/systick_clock.c keeps."""
    names = subprocess.run(["arm-none-eabi-nm", elf], stdout=subprocess.PIPE, check=True, text=True).stdout
    return [int(line.split()[0], 16) for line in names.splitlines() if line.split()[-1] in ("wrapped", "latest")]


def segments_of():
    """Of the image: the segment of the code, and those that are written (data, stack), each as (address, size)."""
    text = subprocess.run(["arm-none-eabi-readelf", "-lW", elf], stdout=subprocess.PIPE, check=True, text=True).stdout
    loads = [line.split() for line in text.splitlines() if line.split()[:1] == ["LOAD"]]
    places = [(int(f[2], 16), int(f[5], 16), "W" in "".join(f[6:-1])) for f in loads if int(f[5], 16)]
    return min(p[:2] for p in places if not p[2]), sorted(p[:2] for p in places if p[2])


class Pair:
    """Both servers, always at the same instant."""

    def __init__(self):
        self.ours, self.real = server(), repeated_run.RepeatedRun(machine, elf, folder).start()
        self.comparison = Comparison()
        self.total = total
        self.seen = []  # (where, registers, memory) of the emulator, in the order of time
        self.extra = 0
        table = self.real.memory(code[0], 0xc0)
        self.handlers = [int.from_bytes(table[i:i + 4], "little") & ~1 for i in range(8, 0xc0, 4)]

    def where(self):
        return self.ours.monitor("weft time").split("; ")[1].split()[0]

    def time(self):
        return int(self.where().split(".")[0])

    def both(self, packet):
        return self.ours.ask(packet), self.real.ask(packet)

    def places(self, registers):
        """Where to read memory: where registers point, in flash or RAM. Reading devices may change them."""
        wanted = [(registers[13], 64)] + [(r, 16) for r in registers[:13] if r is not None]
        wanted += [(a + random.randrange(size), 32) for a, size in [code] + data]
        wanted = [(a, n) for a, n in wanted if not any(a < c + 8 and c < a + n for c in clock_variables)]
        return [(a, n) for a, n in wanted if any(start <= a <= start + size - n for start, size in [code] + data)]

    def look(self, half_done=False):
        """Compares here, and remembers what the emulator said. The emulator stops at a watchpoint in the middle of an
        instruction that makes several accesses, when some are done."""
        true = repeated_run.registers(self.real) + floats(self.real)
        if half_done:
            true = [value if i in (13, PC) else None for i, value in enumerate(true)]
        memory = [] if half_done else [(a, self.real.memory(a, n)) for a, n in self.places(true)]
        where = self.where()
        self.check(where, true, memory)
        self.seen.append((where, true, memory))

    def near_clock(self, where):
        """Whether the program has just read its clock, which shows another time in the emulator while the debugger stops."""
        where, packet = where.split()[0], "3,%x,%x" % CLOCK
        time = int(where.split(".")[0])
        self.ours.ask("Z" + packet)
        near = "rwatch" in self.ours.ask("bc") and time - self.time() <= 8
        self.ours.ask("z" + packet)
        self.ours.monitor("weft goto " + where)
        return near

    def check(self, where, true, memory):
        if self.near_clock(where):
            self.comparison.clock += 1
            return
        if "flags are not known" in self.ours.monitor("weft time"):
            true = true[:16] + [None] + true[17:]
        self.comparison.compare(where, true, self.ours.registers() + floats(self.ours),
                                [(a, real, self.ours.memory(a, len(real))) for a, real in memory])

    def forward_to(self, address, times):
        """To an execution of an address, the first, second... from here."""
        self.both("Z0,%x,2" % address)
        for _ in range(times):
            if self.leave(address):
                continue
            if "replaylog" in self.ours.ask("c"):
                self.comparison.note("%s: 0x%x was to come again" % (self.where(), address))
                break
            self.real.ask("c")
            if repeated_run.is_before_interrupt(self.real, self.ours):
                self.real.ask("c")
                self.extra += 1
        self.both("z0,%x,2" % address)

    def leave(self, address):
        """The emulator does not leave a breakpoint at which it stands. A step does, as gdb knows."""
        if self.ours.registers()[PC] != address:
            return False
        self.step(at_breakpoint=True)
        return self.ours.registers()[PC] == address

    def step(self, at_breakpoint=False):
        """One instruction. at_breakpoint: a breakpoint is set where it stands. Where an interrupt comes next, the emulator stops before it as well."""
        if "replaylog" in self.ours.ask("s"):
            return
        stood = repeated_run.registers(self.real)[PC]
        at, now = self.ask_to_step(), self.ours.registers()[PC]
        if at != now and at in self.handlers and now not in self.handlers:
            # It stopped at a breakpoint before an interrupt that the recording has before the instruction.
            for packet in ["c"] if at_breakpoint else ["Z0,%x,2" % stood, "c", "z0,%x,2" % stood]:
                self.real.ask(packet)
            at, self.extra = self.ask_to_step(), self.extra + 1
        if at != now:
            self.real.ask("s")
            self.extra += 1

    def ask_to_step(self):
        self.real.ask("s")
        return repeated_run.registers(self.real)[PC]

    def arrivals(self, address, until):
        """How often an address executes up to some time, MANY at most, and when the last of these was."""
        here, count, last = self.where(), 0, 0
        self.ours.ask("Z0,%x,2" % address)
        while count < MANY and "replaylog" not in self.ours.ask("c"):
            if count and self.time() > until:
                break
            if self.time() >= self.total:
                break
            count, last = count + 1, self.time()
        self.ours.ask("z0,%x,2" % address)
        self.ours.monitor("weft goto " + here)
        return count, last

    def before_handler(self):
        """The instruction that an interrupt comes after, and how often to go to it; None: not near."""
        here, handler = self.where(), random.choice(self.handlers)
        self.ours.ask("Z0,%x,2" % handler)
        answer = self.ours.ask("c")
        self.ours.ask("z0,%x,2" % handler)
        self.ours.ask("bs")
        there, pc, count = self.where(), self.ours.registers()[PC], 0
        self.ours.monitor("weft goto " + here)
        self.ours.ask("Z0,%x,2" % pc)
        while "replaylog" not in answer and count < MANY and self.where() != there:
            answer = self.ours.ask("c")
            count += 1
        found = (pc, count) if "replaylog" not in answer and count and self.where() == there else None
        found = found if self.time() < self.total - 1 else None
        self.ours.ask("z0,%x,2" % pc)
        self.ours.monitor("weft goto " + here)
        return found

    def next_address(self, reach):
        """An address ahead, and how often to go to it. Of several, the one that leads farthest within `reach`. If none
        does, the one that is beyond it by the least. Sometimes a handler."""
        here, best, best_order = self.where(), None, None
        now = int(here.split(".")[0])
        for _ in range(6):
            until = min(self.total - 1, now + 1 + random.randrange(max(1, reach)))
            pc = random.choice(self.handlers)
            if random.random() < 0.7:
                pc = int(self.ours.monitor("weft goto %d" % until).split()[1], 16)
                self.ours.monitor("weft goto " + here)
            count, last = self.arrivals(pc, until)
            order = (last > now + reach, last if last > now + reach else -last)
            if count and (best is None or order < best_order):
                best, best_order = (pc, count), order
        return best

    def backward(self):
        """From the last instant that was looked at to the first, by steps and by breakpoints."""
        for where, true, memory in reversed(self.seen[:-1]):
            if random.random() < 0.5:
                self.ours.ask("bs")
            self.ours.ask("Z0,%x,2" % true[PC])
            for _ in range(50):
                if self.where() == where:
                    break
                self.ours.ask("bc")
            self.ours.ask("z0,%x,2" % true[PC])
            if self.where() != where:
                self.ours.monitor("weft goto " + where)
                for _ in range(3):
                    self.ours.ask("s")
                for _ in range(3):
                    self.ours.ask("bs")
            self.check(where + " backwards", true, memory)

    def close(self):
        self.ours.close()
        repeated_run.end(self.real)


def report(name, test):
    """Weft says the same in each try. The emulator, stopped near an interrupt, sometimes takes it at another place than
    before. So a mistake of Weft comes with every try, and one try without a difference shows that there is none."""
    for tries in range(1, TRIES + 1):
        random.seed(seed)
        try:
            comparison, enough, note = test()
        except GONE as gone:
            comparison, enough, note = Comparison(), False, "a server went away: %s" % gone
            comparison.note(note)
        if not comparison.wrong:
            break
    print("%s %s" % ("ok" if not comparison.wrong and enough else "not ok", name))
    print("# %s: %d registers and %d bytes agree, %d registers not known, %d differ; %s; %d left out near a reading of "
          "the clock; try %d" % (name, comparison.registers, comparison.bytes, comparison.unknown, comparison.wrong,
                                 note, comparison.clock, tries))
    if comparison.first:
        print("# first: " + comparison.first)


GONE = (EOFError, BrokenPipeError, ConnectionResetError)


def instants_forward(p, wanted):
    """Goes through the run once, and stops at `wanted` instants, or until none is found."""
    p.look()
    while len(p.seen) < wanted:
        met = p.before_handler() if random.random() < 0.3 else None
        found = met or p.next_address(4 * (p.total - p.time()) // (wanted - len(p.seen) + 1))
        if not found:
            break
        p.forward_to(*found)
        p.look()
        for _ in range(2 if met else random.randrange(3)):
            if len(p.seen) < wanted:
                p.step()
                p.look()


def instants_pass(p, wanted):
    """The emulator may end first: its last answer is to the program's call."""
    try:
        instants_forward(p, wanted)
    except GONE:
        assert p.seen
    p.backward()


def test_instants():
    """When the program's end is near and there are too few, another run begins."""
    count, passes, met, last, comparison = 0, 0, 0, 0, Comparison()
    while count < instants and passes < 30:
        p = Pair()
        p.comparison = comparison
        instants_pass(p, instants - count)
        count, met, passes = count + len(p.seen), met + p.extra, passes + 1
        last = max(last, int(p.seen[-1][0].split(".")[0]))
        p.close()
    return (comparison, count >= instants, "%d instants in %d runs up to time %d of %d, both ways; %d interrupts "
            "met by a step" % (count, passes, last, p.total, met))


def stop_once(p):
    """One stop at a random break- or watchpoint. False: there was none."""
    registers = p.ours.registers()
    kind = random.choice((0, 2, 2, 3, 4))
    if not kind:
        found = p.next_address((p.total - p.time()) // 20 + 1)
        if found:
            p.forward_to(*found)
            p.look()
        return found is not None
    base = [r for r in registers[:14] if r is not None and any(a <= r < a + size for a, size in data)]
    size = random.choice((1, 2, 4))
    target = random.choice(base or [a for a, _ in data]) + random.choice((0, 4, 8, -4, -8, 1, 2))
    target -= target % size
    packet, here = "%d,%x,%x" % (kind, target, size), p.where()
    p.ours.ask("Z" + packet)
    if "replaylog" in p.ours.ask("c") or p.time() >= p.total - 1:
        p.ours.ask("z" + packet)
        p.ours.monitor("weft goto " + here)
        return False
    p.real.ask("Z" + packet)
    real = p.real.ask("c")
    if {2: "watch:", 3: "rwatch:", 4: "awatch:"}[kind] not in real:
        p.comparison.note("%s: the emulator says %s" % (p.where(), real))
    p.look(half_done=repeated_run.accesses_several(p.ours.memory(p.ours.registers()[PC], 2)))
    p.both("z" + packet)
    p.step()
    after = p.where()
    p.look()
    # Backwards, the same access is met first: from after it.
    p.ours.ask("Z" + packet)
    back = p.ours.ask("bc")
    p.ours.ask("z" + packet)
    if p.where() != after or "watch:" not in back:
        p.comparison.note("%s: backwards we stop at %s (%s)" % (after, p.where(), back[:24]))
        p.ours.monitor("weft goto " + after)
    return True


def test_stops():
    """Watchpoints of all kinds and breakpoints, as both stop at them; then the same stops backwards. When the program's
    end is near, another run begins."""
    count, passes, comparison = 0, 0, Comparison()
    while count < stops and passes < 30:
        p = Pair()
        p.comparison = comparison
        p.look()
        failed = 0
        while count < stops and failed < 10:
            try:
                there = stop_once(p)
            except GONE:
                break
            count += there
            failed = 0 if there else failed + 1
        p.backward()
        p.close()
        passes += 1
    return comparison, count >= stops, "%d stops in %d runs, both ways" % (count, passes)


base = os.path.basename(wet).split(".")[0]
with tempfile.TemporaryDirectory() as folder:
    repeated_run.RepeatedRun(machine, elf, folder).record()
    total = time_of_output()
    clock_variables, (code, data) = clock_variables_of(), segments_of()
    report("debug_%s_agrees_with_the_emulator_at_random_instants" % base, test_instants)
    report("debug_%s_stops_where_the_emulator_does" % base, test_stops)
