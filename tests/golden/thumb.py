# SPDX-License-Identifier: MIT
# What the instructions of tests/golden/wet/small.elf read, access and compute, from the architecture manual of Armv7-M
# (A7.7); others are refused. Used by wet_format.py. It shares no code with Weft.
import sys

LOW32 = 2**32 - 1
SP, LR, PC, FLAGS = 13, 14, 16, 15
SUMS = "add", "sub", "cmp"


class Instruction:
    """reads: locations. access: None, or (store, base, offset, registers, write back by). compute: what the operands
    give. branches: on a condition."""

    def __init__(self, pc, reads=(), access=None, name="", rd=None, operands=None):
        self.pc, self.reads, self.access, self.name = pc, set(reads) - {PC}, access, name
        self.rd, self.operands, self.branches = rd, operands, False

    def is_sum(self):
        return self.name in SUMS

    def result(self, register):
        """register(n): what it held. The value and, for umull, its upper half; carry and overflow if they are set."""
        a, b = [0] * 2 if self.operands is None else [o(register) if callable(o) else o for o in self.operands]
        if self.name == "add":
            return a + b & LOW32, a + b > LOW32, (~(a ^ b) & (a ^ a + b)) >> 31 & 1
        if self.name in ("sub", "cmp"):
            return a - b & LOW32, a >= b, ((a ^ b) & (a ^ a - b)) >> 31 & 1
        logic = {"mov": b, "and": a & b, "eor": a ^ b, "bic": a & ~b, "umull": a * b, "link": b}
        return logic[self.name], None, None

    def value(self, location, register):
        if self.access and self.access[4] and location == self.access[1]:
            return register(self.access[1]) + self.access[4] & LOW32
        value, carry, overflow = self.result(register)
        if location == FLAGS:
            old = register(FLAGS)
            c = old >> 29 & 1 if carry is None else int(carry)
            v = old >> 28 & 1 if overflow is None else overflow
            return (value & 2**31) | (value == 0) << 30 | c << 29 | v << 28
        if self.name == "umull":
            return value & LOW32 if location == self.rd[0] else value >> 32
        return value & LOW32

    def address(self, register):
        base = self.pc + 4 & ~3 if self.access[1] == PC else register(self.access[1])
        return base + self.access[2] & LOW32


def of(n):
    return lambda register: register(n)


def shifted(n, kind, by):
    return lambda register: (register(n) << by if kind == 0 else register(n) >> by) & LOW32


def constant(half0, half1):
    """The modified constants of 32-bit instructions."""
    bits = half0 >> 10 & 1
    code, low = bits << 3 | half1 >> 12 & 7, half1 & 255
    if code < 4:
        return (low, low << 16 | low, low << 24 | low << 8, low * 0x01010101)[code]
    by = code << 1 | low >> 7
    value = 128 | low & 127
    return (value >> by | value << 32 - by) & LOW32


def wide(pc, a, b):
    n, d, m = a & 15, b >> 8 & 15, b & 15
    if a >> 11 == 0x1E and b >> 14 == 3:
        return Instruction(pc, name="link", rd=LR, operands=(0, pc + 4 | 1))
    if a & 0xFFF0 == 0xFBA0:
        return Instruction(pc, {n, m}, name="umull", rd=(b >> 12, d), operands=(of(n), of(m)))
    names = {0: "and", 1: "bic", 2: "mov", 4: "eor", 8: "add"}
    name = names.get(a >> 5 & 15)
    if a >> 11 == 0x1E and not a & 0x200 and not b >> 15 and name:
        return Instruction(pc, set() if name == "mov" else {n}, name=name, rd=d,
                           operands=(0 if name == "mov" else of(n), constant(a, b)))
    if a >> 9 == 0x75 and b >> 4 & 3 < 2 and name in ("add", "eor"):
        by = b >> 10 & 28 | b >> 6 & 3
        return Instruction(pc, {n, m}, name=name, rd=d, operands=(of(n), shifted(m, b >> 4 & 3, by)))
    return sys.exit(f"thumb.py: {a:04x} {b:04x} is not an instruction of this test")


def registers(mask, other):
    return [n for n in range(8) if mask >> n & 1] + ([other] if mask >> 8 & 1 else [])


def memory(pc, h):
    if h >> 11 == 9:
        return Instruction(pc, set(), (False, PC, (h & 255) * 4, [h >> 8 & 7], 0))
    if h >> 12 == 6:
        base, store = h >> 3 & 7, not h >> 11 & 1
        reads = {base} | ({h & 7} if store else set())
        return Instruction(pc, reads, (store, base, (h >> 6 & 31) * 4, [h & 7], 0))
    list_ = registers(h & 0x1FF, LR if h >> 9 == 0x5A else PC)
    if h >> 9 == 0x5A:
        return Instruction(pc, {SP} | set(list_), (True, SP, -4 * len(list_), list_, -4 * len(list_)))
    return Instruction(pc, {SP}, (False, SP, 0, list_, 4 * len(list_)))


def narrow(pc, h):
    low = h & 7, h >> 3 & 7, h >> 6 & 7
    if h >> 11 == 9 or h >> 12 == 6 or h >> 9 in (0x5A, 0x5E):
        return memory(pc, h)
    if h >> 11 in (4, 5, 6): # movs, cmp, adds with a constant
        d, name = h >> 8 & 7, ("mov", "cmp", "add")[(h >> 11) - 4]
        return Instruction(pc, set() if name == "mov" else {d}, name=name, rd=d, operands=(of(d), h & 255))
    if h >> 9 == 0x0C:
        return Instruction(pc, set(low[1:]), name="add", rd=low[0], operands=(of(low[1]), of(low[2])))
    if h >> 9 == 0x0E:
        return Instruction(pc, {low[1]}, name="add", rd=low[0], operands=(of(low[1]), low[2]))
    if h >> 6 == 0x10A:
        return Instruction(pc, set(low[:2]), name="cmp", operands=(of(low[0]), of(low[1])))
    d, m = h & 7 | h >> 4 & 8, h >> 3 & 15
    if h >> 8 in (0x44, 0x46):
        name = "add" if h >> 8 == 0x44 else "mov"
        return Instruction(pc, {m} | ({d} if name == "add" else set()), name=name, rd=d, operands=(of(d), of(m)))
    if h & 0xFF87 == 0x4700:
        return Instruction(pc, {m})
    if h >> 8 == 0xBE:
        return Instruction(pc, {0, 1})
    if h >> 8 == 0xBF or h >> 11 == 0x1C:
        return Instruction(pc)
    if h >> 12 == 0xD and h >> 8 & 15 < 14:
        branch = Instruction(pc, {FLAGS})
        branch.branches = True
        return branch
    return sys.exit(f"thumb.py: {h:04x} is not an instruction of this test")


def decode(pc, code, condition):
    halves = [int.from_bytes(code[i:i + 2], "little") for i in range(0, len(code), 2)]
    instruction = narrow(pc, *halves) if len(code) == 2 else wide(pc, *halves)
    if condition < 14:
        instruction.reads.add(FLAGS)
    return instruction
