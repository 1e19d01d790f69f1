# SPDX-License-Identifier: MIT
# What the instructions of the programs of tests/golden/wet read, access and compute, from the architecture manual of
# Armv7-M (A7.7); others are refused. Used by wet_format.py. It shares no code with Weft.
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
        given = [0] * 2 if self.operands is None else [o(register) if callable(o) else o for o in self.operands]
        a, b = given[:2]
        if self.name == "add":
            return a + b & LOW32, a + b > LOW32, (~(a ^ b) & (a ^ a + b)) >> 31 & 1
        if self.name in ("sub", "cmp"):
            return a - b & LOW32, a >= b, ((a ^ b) & (a ^ a - b)) >> 31 & 1
        if self.name == "mls":
            return given[2] - a * b & LOW32, None, None
        if self.name == "shift": # b: the value and, at bit 32, the last bit that was shifted out
            return b & LOW32, b >> 32, None
        logic = {"mov": b, "and": a & b, "eor": a ^ b, "orr": a | b, "bic": a & ~b, "umull": a * b, "link": b, "sxth": (b & 0xFFFF ^ 0x8000) - 0x8000,
                 "udiv": b and a // b}
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
        offset = self.access[2](register) if callable(self.access[2]) else self.access[2]
        return base + offset & LOW32


def of(n):
    return lambda register: register(n)


def shifted(n, kind, by):
    """By an immediate: 0 lsl, 1 lsr, 2 asr. Bit 32 is the last bit that was shifted out."""
    if kind and not by:
        by = 32

    def shift(register):
        value = register(n)
        if kind == 0:
            return value << by & (1 << 33) - 1
        if kind == 2:
            value -= (value & 1 << 31) << 1
        return value >> by & LOW32 | (value >> by - 1 & 1) << 32

    return shift


def cut(operand):
    return lambda register: operand(register) & LOW32


def constant(half0, half1):
    """The modified constants of 32-bit instructions."""
    bits = half0 >> 10 & 1
    code, low = bits << 3 | half1 >> 12 & 7, half1 & 255
    if code < 4:
        return (low, low << 16 | low, low << 24 | low << 8, low * 0x01010101)[code]
    by = code << 1 | low >> 7
    value = 128 | low & 127
    return (value >> by | value << 32 - by) & LOW32


def wide_memory(pc, a, b):
    """Of one register with an immediate offset, of two, of many through the stack."""
    n, d = a & 15, b >> 12
    if (a, b >> 13 & 1) in ((0xE92D, 0), (0xE8BD, 0)):
        list_ = [i for i in range(16) if b >> i & 1]
        list_ = [PC if i == 15 else i for i in list_]
        if a == 0xE92D:
            return Instruction(pc, {SP} | set(list_), (True, SP, -4 * len(list_), list_, -4 * len(list_)))
        return Instruction(pc, {SP}, (False, SP, 0, list_, 4 * len(list_)))
    store, base = not a >> 4 & 1, PC if n == 15 else n
    if a >> 9 == 0x74:
        list_, offset = [d, b >> 8 & 15], (b & 255) * (4 if a >> 7 & 1 else -4)
        before, back = a >> 8 & 1, a >> 5 & 1
    elif n == 15 or a >> 7 & 1:
        list_, offset, before, back = [d], (b & 0xFFF) * (1 if a >> 7 & 1 else -1), 1, 0
    else:
        list_, offset, before, back = [d], (b & 255) * (1 if b >> 9 & 1 else -1), b >> 10 & 1, b >> 8 & 1
    reads = {base} | (set(list_) if store else set())
    return Instruction(pc, reads, (store, base, offset if before else 0, list_, offset if back else 0))


def wide(pc, a, b):
    n, d, m = a & 15, b >> 8 & 15, b & 15
    one = a >> 9 == 0x7C and a >> 5 & 3 < 3 and (n == 15 or a >> 7 & 1 or b >> 11 & 1)
    if one or a >> 6 in (0x3A5, 0x3A7, 0x3A3) or a in (0xE92D, 0xE8BD):
        return wide_memory(pc, a, b)
    if a >> 11 == 0x1E and b >> 14 == 3:
        return Instruction(pc, name="link", rd=LR, operands=(0, pc + 4 | 1))
    if a & 0xFFF0 == 0xFBA0:
        return Instruction(pc, {n, m}, name="umull", rd=(b >> 12, d), operands=(of(n), of(m)))
    if a & 0xFFF0 == 0xFBB0 and b & 0xF0F0 == 0xF0F0:
        return Instruction(pc, {n, m}, name="udiv", rd=d, operands=(of(n), of(m)))
    if a & 0xFFF0 == 0xFB00 and b >> 4 & 15 == 1:
        return Instruction(pc, {n, m, b >> 12}, name="mls", rd=d, operands=(of(n), of(m), of(b >> 12)))
    return wide_data(pc, a, b)


def wide_data(pc, a, b):
    n, d, m = a & 15, b >> 8 & 15, b & 15
    name = {0: "and", 1: "bic", 2: "mov" if n == 15 else "orr", 4: "eor", 8: "add", 13: "sub"}.get(a >> 5 & 15)
    if name == "sub" and d == 15:
        name, d = "cmp", None
    first, reads = (0, set()) if name == "mov" else (of(n), {n})
    if a >> 11 == 0x1E and not a & 0x200 and not b >> 15 and name:
        return Instruction(pc, reads, name=name, rd=d, operands=(first, constant(a, b)))
    if a >> 9 == 0x75 and b >> 4 & 3 < 3 and name:
        second = cut(shifted(m, b >> 4 & 3, b >> 10 & 28 | b >> 6 & 3))
        return Instruction(pc, reads | {m}, name=name, rd=d, operands=(first, second))
    return sys.exit(f"thumb.py: {a:04x} {b:04x} is not an instruction of these tests")


def registers(mask, other):
    return [n for n in range(8) if mask >> n & 1] + ([other] if mask >> 8 & 1 else [])


def memory(pc, h):
    if h >> 11 == 9:
        return Instruction(pc, set(), (False, PC, (h & 255) * 4, [h >> 8 & 7], 0))
    if h >> 12 == 5: # the offset is a register
        store, base, index = h >> 9 & 7 < 3, h >> 3 & 7, h >> 6 & 7
        return Instruction(pc, {base, index} | ({h & 7} if store else set()), (store, base, of(index), [h & 7], 0))
    if h >> 12 in (6, 7, 8, 9):
        store = not h >> 11 & 1
        base, d, offset = (SP, h >> 8 & 7, (h & 255) * 4) if h >> 12 == 9 else (h >> 3 & 7, h & 7, h >> 6 & 31)
        reads = {base} | ({d} if store else set())
        return Instruction(pc, reads, (store, base, offset * {6: 4, 8: 2}.get(h >> 12, 1), [d], 0))
    list_ = registers(h & 0x1FF, LR if h >> 9 == 0x5A else PC)
    if h >> 9 == 0x5A:
        return Instruction(pc, {SP} | set(list_), (True, SP, -4 * len(list_), list_, -4 * len(list_)))
    return Instruction(pc, {SP}, (False, SP, 0, list_, 4 * len(list_)))


def narrow_data(pc, h):
    low = h & 7, h >> 3 & 7, h >> 6 & 7
    if h >> 11 in (4, 5, 6, 7): # movs, cmp, adds, subs with a constant
        d, name = h >> 8 & 7, ("mov", "cmp", "add", "sub")[(h >> 11) - 4]
        return Instruction(pc, set() if name == "mov" else {d}, name=name, rd=d, operands=(of(d), h & 255))
    if h >> 11 < 3:
        by = h >> 6 & 31
        shift = Instruction(pc, {low[1]}, name="shift", rd=low[0], operands=(0, shifted(low[1], h >> 11, by)))
        shift.name = "shift" if h >> 6 else "mov"
        return shift
    if h >> 11 == 3: # adds, subs of registers, and with a small constant
        reads, second = ({low[1]}, low[2]) if h >> 10 & 1 else (set(low[1:]), of(low[2]))
        return Instruction(pc, reads, name="sub" if h >> 9 & 1 else "add", rd=low[0], operands=(of(low[1]), second))
    if h >> 6 in (0x100, 0x101):
        name = "eor" if h >> 6 & 1 else "and"
        return Instruction(pc, set(low[:2]), name=name, rd=low[0], operands=(of(low[0]), of(low[1])))
    if h >> 6 == 0x2C8:
        return Instruction(pc, {low[1]}, name="sxth", rd=low[0], operands=(0, of(low[1])))
    if h >> 6 == 0x10A:
        return Instruction(pc, set(low[:2]), name="cmp", operands=(of(low[0]), of(low[1])))
    d, m = h & 7 | h >> 4 & 8, h >> 3 & 15
    if h >> 8 in (0x44, 0x46):
        name = "add" if h >> 8 == 0x44 else "mov"
        return Instruction(pc, {m} | ({d} if name == "add" else set()), name=name, rd=d, operands=(of(d), of(m)))
    if h >> 8 == 0xB0:
        return Instruction(pc, {SP}, name="sub" if h >> 7 & 1 else "add", rd=SP, operands=(of(SP), (h & 127) * 4))
    return sys.exit(f"thumb.py: {h:04x} is not an instruction of these tests")


def narrow(pc, h):
    if h >> 11 == 9 or h >> 12 in (5, 6, 7, 8, 9) or h >> 9 in (0x5A, 0x5E):
        return memory(pc, h)
    if h & 0xFF07 == 0x4700:
        m = h >> 3 & 15
        return Instruction(pc, {m}, name="link", rd=LR, operands=(0, pc + 2 | 1)) if h >> 7 & 1 else Instruction(pc, {m})
    if h >> 8 == 0xBE:
        return Instruction(pc, {0, 1})
    if h >> 8 == 0xBF or h >> 11 == 0x1C:
        return Instruction(pc)
    if h >> 12 == 0xD and h >> 8 & 15 < 14 or h & 0xF500 == 0xB100:
        branch = Instruction(pc, {FLAGS} if h >> 12 == 0xD else {h & 7})
        branch.branches = True
        return branch
    return narrow_data(pc, h)


def decode(pc, code, condition):
    halves = [int.from_bytes(code[i:i + 2], "little") for i in range(0, len(code), 2)]
    instruction = narrow(pc, *halves) if len(code) == 2 else wide(pc, *halves)
    if condition < 14:
        instruction.reads.add(FLAGS)
    return instruction
