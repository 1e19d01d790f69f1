/* SPDX-License-Identifier: MIT */
/* Follows the encoding tables of the ARMv7-M architecture reference manual, A5.2 (16 bits) and A5.3 (32 bits). */
#include "tools/lib/machine/writes.h"

#include "tools/lib/machine/thumb.h"
#include "tools/lib/recording/full.h"

#define FLAGS FULL_FLAGS
#define R(n) ((n) == 15 ? 0 : FULL_REGISTER(n)) /* the pc is not listed */

static uint64_t narrow_special(unsigned hw)
{
    unsigned rd = (hw & 7) | (hw >> 4 & 8);
    switch (hw >> 8 & 3) {
    case 1:
        return FLAGS; /* cmp */
    case 3:
        return hw & 0x80 ? R(14) : 0; /* blx, bx */
    default:
        return R(rd); /* add, mov */
    }
}

static uint64_t narrow_misc(unsigned hw)
{
    if ((hw & 0xff00) == 0xb000)
        return R(13); /* add, sub sp */
    if ((hw & 0xff00) == 0xb200)
        return R(hw & 7); /* sign and zero extension */
    if ((hw & 0xfe00) == 0xb400)
        return R(13); /* push */
    if ((hw & 0xfe00) == 0xbc00)
        return R(13) | (hw & 0xff); /* pop */
    if ((hw & 0xff00) == 0xba00)
        return R(hw & 7); /* rev */
    if (hw == 0xbeab)
        return R(0); /* semihosting call */
    return 0;        /* cbz, cbnz, cps, bkpt, it, hints */
}

static uint64_t narrow(unsigned hw, bool in_it)
{
    uint64_t flags = in_it ? 0 : FLAGS;
    switch (hw >> 11) {
    case 0:
    case 1:
    case 2:
    case 3: /* shifts, add, sub */
        return R(hw & 7) | flags;
    case 4:
    case 6:
    case 7: /* mov, add, sub with 8 bits */
        return R(hw >> 8 & 7) | flags;
    case 5: /* cmp */
        return FLAGS;
    case 8: {
        if (hw & 0x400)
            return narrow_special(hw);
        unsigned op = hw >> 6 & 15;
        return op == 8 || op == 10 || op == 11 ? FLAGS : R(hw & 7) | flags; /* tst, cmp, cmn: flags only */
    }
    case 9:
    case 19:
    case 20:
    case 21: /* ldr literal, ldr sp, adr, add sp */
        return R(hw >> 8 & 7);
    case 10:
    case 11: /* register offset: str, strh, strb come first */
        return (hw >> 9 & 7) >= 3 ? R(hw & 7) : 0;
    case 13:
    case 15:
    case 17: /* ldr, ldrb, ldrh */
        return R(hw & 7);
    case 22:
    case 23:
        return narrow_misc(hw);
    case 24: /* stm */
        return R(hw >> 8 & 7);
    case 25: /* ldm: writes back unless the base is loaded */
        return (hw & 0xff) | R(hw >> 8 & 7);
    default: /* stores, branches, svc, udf */
        return 0;
    }
}

static uint64_t dual_or_exclusive(unsigned hw1, unsigned hw2)
{
    bool index = hw1 & 0x100, write_back = hw1 & 0x20, load = hw1 & 0x10;
    unsigned rn = hw1 & 15, rt = hw2 >> 12, op = hw2 >> 4 & 15;
    if (index || write_back) /* ldrd, strd */
        return (load ? R(rt) | R(hw2 >> 8 & 15) : 0) | (write_back ? R(rn) : 0);
    if (!(hw1 & 0x80))
        return load ? R(rt) : R(hw2 >> 8 & 15); /* ldrex, strex, tt */
    if (load)
        return op < 2 ? 0 : R(rt);               /* tbb, tbh; ldrexb, ldrexh, lda, ldaex */
    return op >= 8 && op < 12 ? 0 : R(hw2 & 15); /* stl; strexb, strexh, stlex */
}

/* csel; asrl, lsrl, lsll and what saturates or rounds. */
static uint64_t select_or_shift(unsigned hw1, unsigned hw2)
{
    if (thumb_is_conditional_select((uint16_t)hw1, (uint16_t)hw2))
        return R(hw2 >> 8 & 15);
    bool pair = (hw2 & 0xf00) < 0xf00;
    return pair ? R(hw1 & 14) | R((hw2 >> 8 & 15) | 1) : R(hw1 & 15);
}

/* and, bic ... sub: with a shifted register or a modified immediate. Rd == 15 with S: tst, teq, cmn, cmp. */
static uint64_t arithmetic(unsigned hw1, unsigned hw2)
{
    unsigned rd = hw2 >> 8 & 15;
    return R(rd) | (hw1 & 0x10 ? FLAGS : 0);
}

static uint64_t branch_or_control(unsigned hw1, unsigned hw2)
{
    if ((hw2 & 0xd000) == 0xd000)
        return R(14); /* bl */
    if (hw2 & 0x1000)
        return 0; /* b */
    if ((hw1 & 0xfff0) == 0xf3e0)
        return R(hw2 >> 8 & 15); /* mrs */
    if (thumb_is_loop((uint16_t)hw1, (uint16_t)hw2))
        return hw1 == 0xf02f ? 0 : R(14);
    if ((hw1 & 0xffe0) == 0xf380)
        return (hw2 & 0xff) < 4 ? FLAGS : 0; /* msr */
    return 0;                                /* conditional branch, hints, barriers */
}

static uint64_t single_transfer(unsigned hw1, unsigned hw2)
{
    uint64_t writes = hw1 & 0x10 ? R(hw2 >> 12) : 0;
    bool write_back = !(hw1 & 0x80) && (hw2 & 0x900) == 0x900 && (hw1 & 15) != 15;
    return writes | (write_back ? R(hw1 & 15) : 0);
}

static uint64_t register_arithmetic(unsigned hw1, unsigned hw2)
{
    uint64_t writes = R(hw2 >> 8 & 15);
    if (!(hw1 & 0x80))
        return writes | (!(hw2 & 0x80) && hw1 & 0x10 ? FLAGS : 0); /* shifts with S; extensions */
    if (!(hw2 & 0x30) && !(hw2 & 0x80))
        writes |= FLAGS; /* parallel addition sets GE */
    return writes;
}

static uint64_t multiply(unsigned hw1, unsigned hw2)
{
    bool divides = (hw1 & 0xffd0) == 0xfb90;
    bool is_long = hw1 & 0x80 && !divides;
    return R(hw2 >> 8 & 15) | (is_long ? R(hw2 >> 12) : 0);
}

/* `count` words from s(first), or from d(first). */
static uint64_t floats(bool is_double, unsigned first, unsigned count)
{
    uint64_t writes = 0;
    if (is_double)
        first *= 2;
    for (unsigned i = first; i < first + count && i < 32; i++)
        writes |= FULL_FLOAT(i);
    return writes;
}

/* A register number in two parts: four bits and one. */
static unsigned float_number(bool is_double, unsigned four, unsigned one)
{
    return is_double ? (four & 15) | (one & 1) << 4 : (four & 15) << 1 | (one & 1);
}

static uint64_t float_memory(unsigned hw1, unsigned hw2)
{
    bool is_double = hw2 & 0x100, load = hw1 & 0x10, write_back = hw1 & 0x20;
    if ((hw1 & 0xffe0) == 0xec40) { /* vmov between two core registers and one double or two singles */
        unsigned vm = float_number(is_double, hw2, hw2 >> 5);
        return load ? R(hw2 >> 12) | R(hw1 & 15) : floats(is_double, vm, 2);
    }
    unsigned vd = float_number(is_double, hw2 >> 12, hw1 >> 6);
    bool one = (hw1 & 0x120) == 0x100; /* vldr, vstr */
    unsigned count = one ? 1u + is_double : hw2 & 0xfe;
    if (!one && !is_double)
        count = hw2 & 0xff;
    return (load ? floats(is_double, vd, count) : 0) | (write_back ? R(hw1 & 15) : 0);
}

static uint64_t float_transfer(unsigned hw1, unsigned hw2)
{
    bool load = hw1 & 0x10, is_double = hw2 & 0x100;
    unsigned rt = hw2 >> 12;
    if ((hw1 & 0xe0) == 0xe0 && !is_double) { /* vmrs, vmsr */
        if (!load)
            return FULL_FPSCR;
        return rt == 15 ? FLAGS : R(rt);
    }
    if (load)
        return R(rt);
    unsigned vn = float_number(is_double, hw1, hw2 >> 7);
    return is_double ? floats(false, 2 * vn + (hw1 >> 5 & 1), 1) : floats(false, vn, 1);
}

static uint64_t float_arithmetic(unsigned hw1, unsigned hw2)
{
    bool is_double = hw2 & 0x100;
    unsigned op = hw1 & 15;
    if ((hw1 & 0xffb0) == 0xeeb0 && hw2 & 0x40) {
        if (op == 4 || op == 5)
            return FULL_FPSCR; /* vcmp */
        if (op == 7 && hw2 & 0x80)
            is_double = !is_double; /* vcvt between single and double */
        if (op == 12 || op == 13)
            is_double = false; /* vcvt to integer */
    }
    if ((hw1 & 0xffbc) == 0xfebc)
        is_double = false; /* vcvta and its like */
    return floats(is_double, float_number(is_double, hw2 >> 12, hw1 >> 6), 1u + is_double);
}

/* Vectors of v8.1-M, each of four words: the one that an instruction names as its destination. What it writes to core
 * registers is learned from the run. Some only compare, or sum up into a core register: the vector in that place is
 * listed all the same: what an instruction changes must be listed, what is listed may stay as it was. */
static uint64_t vector(unsigned hw1, unsigned hw2)
{
    bool stores = (hw1 & 0xee10) == 0xec00 && (hw1 & 0xffe0) != 0xec40;
    bool to_core = (hw1 & 0xfff0) == 0xec50;
    bool interleaved = (hw1 & 0xff90) == 0xfc90 && hw2 & 0x1000; /* vld2, vld4 */
    unsigned count = interleaved ? (hw2 & 1 ? 16 : 8) : 4;
    return stores || to_core ? 0 : floats(false, 4 * (hw2 >> 13 & 7), count);
}

static bool is_vector(unsigned hw1, unsigned hw2)
{
    return (hw1 & 0xef00) == 0xef00 || (hw2 & 0xe00) == 0xe00;
}

/* vdup: all words of a vector from a core register. */
static bool is_copied(unsigned hw1, unsigned hw2)
{
    return (hw1 & 0xff90) == 0xee80 && (hw2 & 0xf5f) == 0xb10;
}

static uint64_t coprocessor(unsigned hw1, unsigned hw2)
{
    if (is_copied(hw1, hw2))
        return floats(false, 4 * (hw1 >> 1 & 7), 4);
    if (is_vector(hw1, hw2))
        return vector(hw1, hw2);
    if ((hw2 & 0xe00) != 0xa00)
        return 0;
    if ((hw1 & 0xfe00) == 0xec00)
        return float_memory(hw1, hw2);
    if ((hw1 & 0xff00) == 0xee00 && hw2 & 0x10)
        return float_transfer(hw1, hw2);
    return float_arithmetic(hw1, hw2);
}

static uint64_t wide(unsigned hw1, unsigned hw2)
{
    if ((hw1 & 0xec00) == 0xec00)
        return coprocessor(hw1, hw2);
    if ((hw1 & 0xfe40) == 0xe800) /* ldm, stm; clrm is ldm's encoding with the pc as base */
        return (hw1 & 15) == 15 ? 0 : (hw1 & 0x10 ? hw2 & 0x7fff : 0) | (hw1 & 0x20 ? R(hw1 & 15) : 0);
    if ((hw1 & 0xfe40) == 0xe840)
        return hw1 == 0xe97f && hw2 == 0xe97f ? 0 : dual_or_exclusive(hw1, hw2); /* sg */
    if (thumb_is_conditional_select((uint16_t)hw1, (uint16_t)hw2) || thumb_is_long_shift((uint16_t)hw1, (uint16_t)hw2))
        return select_or_shift(hw1, hw2);
    if ((hw1 & 0xfe00) == 0xea00)
        return arithmetic(hw1, hw2);
    if ((hw1 & 0xf800) == 0xf000) {
        if (hw2 & 0x8000)
            return branch_or_control(hw1, hw2);
        return hw1 & 0x200 ? R(hw2 >> 8 & 15) : arithmetic(hw1, hw2);
    }
    if ((hw1 & 0xfe00) == 0xf800)
        return single_transfer(hw1, hw2);
    if ((hw1 & 0xff00) == 0xfa00)
        return register_arithmetic(hw1, hw2);
    if ((hw1 & 0xff00) == 0xfb00)
        return multiply(hw1, hw2);
    return 0;
}

uint64_t thumb_writes(uint16_t first, uint16_t second, bool in_it)
{
    if (!thumb_is_wide(first))
        return narrow(first, in_it);
    return wide(first, second) | (thumb_may_saturate(first, second) ? FLAGS : 0);
}
