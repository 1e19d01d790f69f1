# SPDX-License-Identifier: MIT
"""A debug probe for OpenOCD and pyOCD whose Cortex-M is the emulator's: debug_probe.py STUB openocd|pyocd PLACE

STUB is the socket of the emulator's gdb stub. For openocd, PLACE is the socket that the probe makes: OpenOCD's driver
remote_bitbang moves the pins of a JTAG port there. For pyocd it is a file that gets the number of a TCP port: pyOCD's
probe `remote` asks there for accesses to debug and access ports. Both end in one model of an Arm debug port (ADIv5)
with one memory access port. Memory is the emulator's; the debug registers of the core (halt, step, core registers)
are made of the stub's requests. It serves one connection, then lets the program run on.

The core runs only while the probe has nothing to do, as the emulator stops for each access."""
import json
import os
import select
import socket
import sys

from rtt_reader import Stub

IDLE = 0.002  # seconds without a request after which the core runs
MODELLED = {0xE0001000: 0, 0xE0002000: 0, 0xE000EDFC: 0, 0xE000ED30: 0}  # no DWT or FPB; DEMCR, DFSR
# A ROM table that leads to the system control space. The identification of both is that of Arm's Cortex-M3.
MODELLED.update({0xE00FF000: 0xFFF0F003, 0xE00FF004: 0, 0xE00FFFCC: 1, 0xE00FFFD0: 4, 0xE00FFFE0: 0xC3,
                 0xE00FFFE4: 0xB4, 0xE00FFFE8: 0x0B, 0xE00FFFEC: 0,
                 0xE000EFD0: 4, 0xE000EFE0: 0, 0xE000EFE4: 0xB0, 0xE000EFE8: 0x0B, 0xE000EFEC: 0})
MODELLED.update({0xE00FFFF0 + 4 * i: part for i, part in enumerate((0x0D, 0x10, 0x05, 0xB1))})
DHCSR, DCRSR, DCRDR, DFSR = 0xE000EDF0, 0xE000EDF4, 0xE000EDF8, 0xE000ED30


class Core:
    """The emulator's core as a debugger sees it: words at addresses, those of its debug registers too."""

    def __init__(self, path):
        self.stub = Stub(path)
        self.stub.ask("?")
        # The stub gives single registers only to clients that have asked for their description.
        self.stub.ask("qXfer:features:read:target.xml:0,ffb")
        self.halted = False  # the state that the debugger wants
        self.stopped = True  # the emulator's state
        self.enabled = 0
        self.transfer = 0
        self.words = dict(MODELLED)
        self.ahead = {}  # blocks of memory that were read while the core is stopped

    def idle(self):
        if not self.halted and self.stopped:
            self.ahead.clear()
            self.stub.send("c")
            self.stopped = False

    def stop(self):
        if not self.stopped:
            self.stub.socket.sendall(b"\x03")
            self.stub.receive()
            self.stopped = True

    def let_go(self):
        self.halted = False
        try:
            self.idle()
        except ConnectionError:
            pass  # the program has ended

    def step(self):
        self.ahead.clear()
        self.stop()
        self.stub.ask("s")

    def ask(self, text):
        """What the stub answers; an error once the program has ended."""
        try:
            self.stop()
            answer = self.stub.ask(text)
            while answer.startswith("T"):  # a stop is reported again when a debugger attaches
                answer = self.stub.receive()
            return answer
        except (EOFError, ConnectionError):
            self.stopped = self.halted = True
            return "E01"

    def read(self, address):
        if address == DHCSR:
            return 1 << 16 | self.halted << 17 | self.halted << 1 | self.enabled
        if address == DCRDR:
            return self.transfer
        if address in self.words:
            return self.words[address]
        if address >= 0x40000000:
            answer = self.ask("m%x,4" % address)
            return 0 if answer.startswith("E") else int.from_bytes(bytes.fromhex(answer), "little")
        block = address & ~1023
        if block not in self.ahead:
            answer = self.ask("m%x,400" % block)
            self.ahead[block] = bytes(1024) if answer.startswith("E") else bytes.fromhex(answer)
        return int.from_bytes(self.ahead[block][address - block:address - block + 4], "little")

    def write(self, address, data):
        """DATA: one, two or four bytes."""
        value = int.from_bytes(data, "little")
        if address == DHCSR:
            self.control(value)
        elif address == DCRSR:
            self.register(value & 127, value >> 16 & 1)
        elif address == DCRDR:
            self.transfer = value
        elif address in self.words:
            self.words[address] = self.words[address] & ~value if address == DFSR else value
        else:
            self.ahead.clear()
            self.ask("M%x,%x:%s" % (address, len(data), data.hex()))

    def control(self, value):
        if value >> 16 != 0xA05F:
            return
        self.enabled = value & 1
        if value & 4 and self.halted:
            self.step()
        elif not value & 2:
            self.halted = False
        elif not self.halted:
            self.stop()
            self.halted = True
        self.words[DFSR] |= self.halted

    def register(self, number, write):
        """Between DCRDR and a register of the core: r0 to r15 and xPSR; the others read as 0."""
        if number > 16:
            self.transfer = 0
            return
        name = "19" if number == 16 else "%x" % number  # xPSR is the stub's register 25
        if write:
            self.ask("P%s=%s" % (name, self.transfer.to_bytes(4, "little").hex()))
        else:
            answer = self.ask("p" + name)
            self.transfer = 0 if answer.startswith("E") else int.from_bytes(bytes.fromhex(answer), "little")


class DebugPort:
    def __init__(self, core):
        self.core = core
        self.select = self.status = self.csw = self.tar = 0

    def read_dp(self, address):
        if address == 0:
            return 0x2BA01477
        if address == 4:
            # A power-up request is granted at once.
            return self.status | (self.status & 0x54000000) << 1
        return 0

    def write_dp(self, address, value):
        if address == 4:
            self.status = value & 0x54000F00
        elif address == 8:
            self.select = value

    def register(self, address):
        return self.select & 0xF0 | address & 0xC

    def lane(self):
        size = 1 << (self.csw & 3)
        return size, 8 * (self.tar & 4 - size)

    def advance(self, size):
        if self.csw & 0x30:
            self.tar = self.tar + size & 0xFFFFFFFF

    def read_ap(self, address):
        register = self.register(address)
        if self.select >> 24:
            return 0
        if register == 0x0C:
            value = self.core.read(self.tar & ~3)
            self.advance(self.lane()[0])
            return value
        if 0x10 <= register < 0x20:
            return self.core.read(self.tar & ~15 | register & 0xC)
        return {0: self.csw | 0x40, 4: self.tar, 0xF8: 0xE00FF003, 0xFC: 0x24770011}.get(register, 0)

    def write_ap(self, address, value):
        register = self.register(address)
        if self.select >> 24:
            return
        if register == 0:
            # Accesses are of 8, 16 or 32 bits, not packed.
            self.csw = value & ~0x20 if value & 3 < 3 else self.csw
        elif register == 4:
            self.tar = value
        elif register == 0x0C:
            size, shift = self.lane()
            self.core.write(self.tar, (value >> shift & (1 << 8 * size) - 1).to_bytes(size, "little"))
            self.advance(size)
        elif 0x10 <= register < 0x20:
            self.core.write(self.tar & ~15 | register & 0xC, value.to_bytes(4, "little"))


class Jtag:
    """The pins of a JTAG port: IR of four bits, IDCODE, BYPASS, DPACC, APACC (the last two 35 bits long)."""

    NEXT = {"reset": ("idle", "reset"), "idle": ("idle", "dr")}
    for kind in ("dr", "ir"):
        NEXT.update({kind: (kind + " capture", "ir" if kind == "dr" else "reset"),
                     kind + " capture": (kind + " shift", kind + " exit"),
                     kind + " shift": (kind + " shift", kind + " exit"),
                     kind + " exit": (kind + " pause", kind + " update"),
                     kind + " pause": (kind + " pause", kind + " exit 2"),
                     kind + " exit 2": (kind + " shift", kind + " update"),
                     kind + " update": ("idle", "dr")})
    IDCODE, DPACC, APACC = 14, 10, 11

    def __init__(self, port):
        self.port = port
        self.state, self.instruction = "reset", self.IDCODE
        self.bits, self.count, self.result = 0, 1, 0
        self.clock = 0

    def pins(self, clock, mode, data):
        if clock and not self.clock:
            if self.state.endswith("shift"):
                self.bits = self.bits >> 1 | data << self.count - 1
            self.enter(self.NEXT[self.state][mode])
        self.clock = clock

    def enter(self, state):
        self.state = state
        if state == "reset":
            self.instruction = self.IDCODE
        elif state == "ir capture":
            self.bits, self.count = 1, 4
        elif state == "ir update":
            self.instruction = self.bits
        elif state == "dr capture":
            self.bits, self.count = {self.IDCODE: (0x4BA00477, 32), self.DPACC: (self.result << 3 | 2, 35),
                                     self.APACC: (self.result << 3 | 2, 35)}.get(self.instruction, (0, 1))
        elif state == "dr update" and self.instruction in (self.DPACC, self.APACC):
            self.access(self.bits & 1, (self.bits & 6) << 1, self.bits >> 3)

    def access(self, read, address, value):
        if self.instruction == self.APACC:
            self.result = self.port.read_ap(address) if read else self.port.write_ap(address, value) or 0
        elif not read:
            self.port.write_dp(address, value)
        elif address != 12:  # RDBUFF is the value of the previous read
            self.result = self.port.read_dp(address)


def when_there(connection, core):
    """What comes next; meanwhile the core runs."""
    if not select.select([connection], [], [], IDLE)[0]:
        core.idle()
    return connection.recv(65536)


def serve_openocd(core, connection):
    jtag = Jtag(DebugPort(core))
    while True:
        got = when_there(connection, core)
        if not got:
            return
        answer = bytearray()
        for byte in got:
            if 48 <= byte < 56:
                jtag.pins(byte >> 2 & 1, byte >> 1 & 1, byte & 1)
            elif byte == ord("R"):
                answer.append(48 + (jtag.bits & 1))
        connection.sendall(answer)


def answer_pyocd(port, request, arguments):
    if request == "readprop":
        return {"vendor_name": "Weft", "product_name": "model", "supported_wire_protocols": ["DEFAULT", "SWD"],
                "wire_protocol": "SWD", "capabilities": []}[arguments[0]]
    if request in ("read_dp", "read_ap", "write_dp", "write_ap"):
        return getattr(port, request)(*arguments)
    if request == "read_ap_multiple":
        return [port.read_ap(arguments[0]) for _ in range(arguments[1])]
    if request == "write_ap_multiple":
        for value in arguments[1]:
            port.write_ap(arguments[0], value)
    return False if request == "is_reset_asserted" else None


def serve_pyocd(core, connection):
    port = DebugPort(core)
    have = b""
    while True:
        while b"\n" not in have:
            got = when_there(connection, core)
            if not got:
                return
            have += got
        line, have = have.split(b"\n", 1)
        asked = json.loads(line)
        reply = {"id": asked["id"], "status": 0, "result": answer_pyocd(port, asked["request"],
                                                                         asked.get("arguments", []))}
        connection.sendall(json.dumps(reply).encode() + b"\n")


def main():
    stub, client, place = sys.argv[1:]
    core = Core(stub)
    server = socket.socket(socket.AF_UNIX if client == "openocd" else socket.AF_INET)
    server.bind(place if client == "openocd" else ("127.0.0.1", 0))
    server.listen(1)
    if client == "pyocd":
        with open(place + ".new", "w") as file:
            print(server.getsockname()[1], file=file)
        os.rename(place + ".new", place)
    core.idle()
    connection = server.accept()[0]
    try:
        (serve_openocd if client == "openocd" else serve_pyocd)(core, connection)
    except ConnectionError:
        pass
    core.let_go()


main()
