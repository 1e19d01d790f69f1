# SPDX-License-Identifier: MIT
"""A run in the emulator that it repeats exactly (-icount, record and replay), and its gdb stub."""
import os
import socket
import subprocess
import time

from remote import Remote

XPSR = 16  # in our order
ICSR = 0xe000ed04


class RepeatedRun:
    def __init__(self, machine, elf, folder):
        self.machine, self.elf, self.folder = machine, elf, folder

    def command(self, how):
        return ["qemu-system-arm", "-M", self.machine, "-display", "none", "-monitor", "none", "-no-reboot",
                "-net", "none", "-kernel", self.elf, "-semihosting-config", "enable=on,target=native",
                "-serial", "null",
                "-icount", "shift=0,sleep=off,rr=%s,rrfile=%s" % (how, os.path.join(self.folder, "run"))]

    def record(self):
        """The run once, with what the emulator needs to repeat it. Without that, the debugger's stops would move
        timers."""
        subprocess.run(self.command("record"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=600)

    def start(self):
        """The emulator, stopped before the first instruction. Steps let interrupts and timers run."""
        path = os.path.join(self.folder, "gdb")
        process = subprocess.Popen(
            self.command("replay") + ["-S", "-chardev", "socket,id=gdb,path=%s,server=on,wait=off" % path, "-gdb",
                                      "chardev:gdb"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                r = Remote.connected(path, socket.AF_UNIX)
                break
            except (FileNotFoundError, ConnectionRefusedError):
                time.sleep(0.05)
        r.process_of_qemu = process
        r.ask("?")
        r.ask("qXfer:features:read:target.xml:0,ffb")  # else it has no `p`
        r.ask("Hg1")
        assert r.ask("Qqemu.sstep=1") == "OK"
        return r


def end(r):
    r.process_of_qemu.kill()
    r.process_of_qemu.wait()


def registers(q):
    """r0..r15 and xPSR in our order: the emulator's `g` has xPSR at number 25, with or without others between."""
    g = q.ask("g")
    r = [int.from_bytes(bytes.fromhex(g[8 * i:8 * i + 8]), "little") for i in range(16)]
    x = q.ask("p19")
    return r + [int.from_bytes(bytes.fromhex(x), "little")]


def lazy_floats(r):
    """FPCAR, and of FPCCR what gdb needs: ASPEN, LSPEN, LSPACT; None: not known. The recording knows neither before the
    first frame with room for floats."""
    car, control = (r.memory(address, 4) for address in (0xe000ef38, 0xe000ef34))
    known = car is not None and control is not None
    if not known:
        return [None, None]
    return [int.from_bytes(car, "little"), int.from_bytes(control, "little") & 0xc0000001]


def accesses_several(code):
    """push, pop, ldm, stm, ldrd, strd; vldr, vstr, which may have stacked floats before."""
    first = int.from_bytes(code, "little")
    return first & 0xf600 == 0xb400 or first >> 12 == 0xc or first >> 9 == 0xe800 >> 9 or first >> 8 == 0xed


def is_before_interrupt(real, ours):
    """Both stand at a breakpoint, but the emulator before an interrupt that the recording has before the instruction."""
    control = real.memory(ICSR, 4)
    if not control or not int.from_bytes(control, "little") >> 12 & 0x1ff:
        return False
    now = ours.registers()[XPSR]
    if "replaylog" in ours.ask("bs"):
        return False
    before = ours.registers()[XPSR]
    ours.ask("s")
    return now is not None and before is not None and now & 0x1ff != before & 0x1ff
