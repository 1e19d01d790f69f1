/* SPDX-License-Identifier: MIT */
/* Follows the ARMv7-M architecture reference manual: A7.3 (conditions), A5.2 and A5.3 (encodings). */
#include "tools/lib/machine/flags.h"

#include "tools/lib/machine/thumb.h"

#define N THUMB_FLAG_N
#define Z THUMB_FLAG_Z
#define C THUMB_FLAG_C
#define V THUMB_FLAG_V
#define NZ (N | Z)
#define NZC (NZ | C)
#define NZCV (NZC | V)

static uint16_t first_of(const thumb_insn *insn)
{
    return (uint16_t)(insn->bytes[0] | insn->bytes[1] << 8);
}

static uint16_t second_of(const thumb_insn *insn)
{
    return insn->size == 4 ? (uint16_t)(insn->bytes[2] | insn->bytes[3] << 8) : 0;
}

/* ---- read ---- */

static unsigned condition_reads(unsigned condition)
{
    static const uint8_t reads[8] = {Z, C, N, V, C | Z, N | V, N | Z | V, 0}; /* each for a condition and its inverse */
    return reads[condition >> 1 & 7];
}

/* What it reads besides its condition; all of them, if that is not known. */
static unsigned operation_reads(const thumb_insn *insn)
{
    static const uint8_t selects[4] = {0 /* eq */, 6 /* vs */, 10 /* ge */, 12 /* gt */};
    unsigned first = first_of(insn), second = second_of(insn);
    if (insn->size == 2) {
        bool with_carry = (first & 0xffc0) == 0x4140 || (first & 0xffc0) == 0x4180; /* adc, sbc */
        return with_carry ? C : (first & 0xf000) == 0xd000 ? condition_reads(first >> 8 & 15) : THUMB_FLAGS_ALL;
    }
    if (thumb_is_conditional_select((uint16_t)first, (uint16_t)second))
        return condition_reads(second >> 4 & 15);
    if ((first & 0xf800) == 0xf000 && (second & 0xd000) == 0x8000 && (first & 0x380) != 0x380)
        return condition_reads(first >> 6 & 15); /* b */
    if ((first & 0xff80) == 0xfe00)
        return condition_reads(selects[first >> 4 & 3]); /* vsel */
    if ((first & 0xfff0) == 0xfaa0)
        return THUMB_FLAG_GE; /* sel */
    bool arithmetic = (first & 0xfe00) == 0xea00 || ((first & 0xfa00) == 0xf000 && !(second & 0x8000));
    return arithmetic ? C : THUMB_FLAGS_ALL; /* adc, sbc, rrx; else mrs */
}

/* Whether it reads flags though no condition stands before it. */
static bool reads_unconditionally(const thumb_insn *insn)
{
    unsigned first = first_of(insn), second = second_of(insn), op = first >> 5 & 15;
    if (insn->size == 2)
        return (first & 0xffc0) == 0x4140 || (first & 0xffc0) == 0x4180;
    if ((first & 0xfe00) == 0xea00) /* with a shifted register */
        return op == 10 || op == 11 || ((second & 0x70f0) == 0x0030);
    if ((first & 0xfa00) == 0xf000 && !(second & 0x8000))
        return op == 10 || op == 11;
    bool mrs = (first & 0xfff0) == 0xf3e0, sel = (first & 0xfff0) == 0xfaa0;
    return sel || (mrs && (second & 0xff) <= 3);
}

unsigned thumb_flags_read(const thumb_insn *insn, bool passed)
{
    if (insn->condition >= THUMB_ALWAYS)
        return operation_reads(insn);
    return condition_reads(insn->condition) | (passed && reads_unconditionally(insn) ? operation_reads(insn) : 0);
}

unsigned thumb_flags_kept(const thumb_insn *insn)
{
    return insn->size == 4 && thumb_may_saturate(first_of(insn), second_of(insn)) ? THUMB_FLAG_Q : 0;
}

/* ---- set ---- */

static unsigned narrow_sets(unsigned first)
{
    static const uint8_t by_operation[16] = {NZ, NZ,   NZC,  NZC,  NZC, NZCV, NZCV, NZC,
                                             NZ, NZCV, NZCV, NZCV, NZ,  NZ,   NZ,   NZ};
    switch (first >> 11) {
    case 0: /* lsl; by 0 it is mov */
        return first & 0x7c0 ? NZC : NZ;
    case 1:
    case 2: /* lsr, asr */
        return NZC;
    case 4: /* mov */
        return NZ;
    case 8:
        return first & 0x400 ? NZCV : by_operation[first >> 6 & 15];
    default: /* add, sub, cmp */
        return NZCV;
    }
}

/* and, bic, orr, orn, eor set C where the shifted register or the rotated constant gives a carry. */
static unsigned arithmetic_sets(unsigned first, unsigned second)
{
    bool constant = (first & 0xf800) == 0xf000;
    if ((first >> 5 & 15) >= 8)
        return NZCV;
    bool carries = constant ? first & 0x400 || second & 0x4000 : (second & 0x70f0) != 0;
    return carries ? NZC : NZ;
}

unsigned thumb_flags_set(const thumb_insn *insn)
{
    unsigned first = first_of(insn), second = second_of(insn);
    if (insn->size == 2)
        return narrow_sets(first);
    if (thumb_may_saturate((uint16_t)first, (uint16_t)second))
        return THUMB_FLAG_Q;
    if ((first & 0xfe00) == 0xea00 || ((first & 0xfa00) == 0xf000 && !(second & 0x8000)))
        return arithmetic_sets(first, second);
    if ((first & 0xffe0) == 0xf380) /* msr */
        return (second & 0x800 ? NZCV | THUMB_FLAG_Q : 0) | (second & 0x400 ? THUMB_FLAG_GE : 0);
    if ((first & 0xff80) == 0xfa00)
        return NZC; /* a shift by a register */
    if ((first & 0xff80) == 0xfa80)
        return THUMB_FLAG_GE;
    return (first & 0xff00) == 0xee00 ? NZCV : THUMB_FLAGS_ALL; /* vmrs */
}
