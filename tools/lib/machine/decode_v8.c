/* SPDX-License-Identifier: MIT */
/* What ARMv8-M and v8.1-M add to Thumb and capstone takes for something else, or for nothing: after the encodings of
 * the ARMv8-M architecture reference manual. */
#include "tools/lib/machine/decode_v8.h"

#include <stdio.h>

#include "tools/lib/machine/decode_parts.h"
#include "tools/lib/machine/thumb.h"

static uint16_t first_of(const thumb_insn *insn)
{
    return (uint16_t)(insn->bytes[0] | insn->bytes[1] << 8);
}

static uint16_t second_of(const thumb_insn *insn)
{
    return insn->size == 4 ? (uint16_t)(insn->bytes[2] | insn->bytes[3] << 8) : 0;
}

static uint64_t location(unsigned reg)
{
    return reg < 15 ? THUMB_BIT(reg) : 0; /* 15: zero, or none */
}

/* dls, wls, le; and those of vectors, whose count of elements is not a location here. */
static void decode_loop(thumb_insn *insn, uint16_t first, uint16_t second)
{
    bool scalar = (first & 0x70) == 0x40, end = (first & 15) == 15;
    uint32_t distance = (uint32_t)(second >> 1 & 0x3ff) << 2 | (uint32_t)(second >> 11 & 1) << 1;
    bool forever = first == 0xf02f;
    insn->reads |= end ? location(forever ? 15 : 14) : location(first & 15);
    insn->unknown = !scalar && first != 0xf00f && !forever;
    if (second == 0xe001) {
        insn->unknown = !scalar;
        return;
    }
    insn->flow = THUMB_BRANCH;
    insn->target = end ? insn->pc + 4 - distance : insn->pc + 4 + distance;
    insn->falls = !forever;
}

/* Vectors, their predicates, half precision: coprocessors 8, 9, 14 and 15, and what is the SIMD space elsewhere. */
static bool is_vector(uint16_t first, uint16_t second)
{
    unsigned coprocessor = second >> 8 & 15;
    if ((first & 0xec00) != 0xec00)
        return (first & 0xffc0) == 0xf000 && second == 0xe801; /* vctp */
    return (first & 0xef00) == 0xef00 || (coprocessor & 14) == 8 || (coprocessor & 14) == 14;
}

/* clrm, vscclrm, vlstm, vlldm: they clear, save and restore registers between security states. */
static bool is_of_security(uint16_t first, uint16_t second)
{
    bool moves = (first & 0xffe0) == 0xec20 && (second & 0xff7f) == 0xa00; /* vlstm, vlldm */
    return moves || first == 0xe89f || ((first & 0xffbf) == 0xec9f && (second & 0xe00) == 0xa00);
}

/* mrs, msr of a stack's limit, or of what belongs to the other security state: no locations. */
static bool is_limit(uint16_t first, uint16_t second)
{
    bool own_limit = (second & 0xfe) == 10, other_state = second & 0x80;
    return (first == 0xf3ef || (first & 0xfff0) == 0xf380) && (second & 0xd000) == 0x8000 && (own_limit || other_state);
}

bool thumb_decode_v8(thumb_insn *insn)
{
    uint16_t first = first_of(insn), second = second_of(insn);
    if (insn->size == 2 && (first & 0xff87) == 0x4784) { /* blxns */
        insn->flow = THUMB_CALL_INDIRECT;
        insn->form = THUMB_LINK;
        insn->reads |= location(first >> 3 & 15);
    } else if (insn->size == 2 && (first & 0xff87) == 0x4704) { /* bxns */
        insn->flow = THUMB_RETURN;
        insn->falls = insn->condition < THUMB_ALWAYS;
        insn->reads |= location(first >> 3 & 15);
    } else if (insn->size == 2) {
        return false;
    } else if (thumb_is_long_shift(first, second)) {
        insn->unknown = !thumb_is_plain_long_shift(first, second);
        insn->reads |= location(first & 14) | location(second >> 8 & 15);
        insn->reads |= (second & 15) == 13 ? location(second >> 12) : 0;
    } else if (thumb_is_conditional_select(first, second)) {
        insn->reads |= location(first & 15) | location(second & 15) | THUMB_BIT(THUMB_FLAGS);
    } else if (thumb_is_loop(first, second)) {
        decode_loop(insn, first, second);
    } else if (thumb_is_test_target(first, second)) {
        insn->reads |= location(first & 15);
    } else if (first == 0xe97f && second == 0xe97f) { /* sg */
        return true;
    } else if (is_limit(first, second)) {
        insn->reads |= (first & 0x60) == 0 ? location(first & 15) : 0;
    } else if (is_vector(first, second) || is_of_security(first, second)) {
        insn->unknown = true;
    } else {
        return false;
    }
    return true;
}

/* ---- text ---- */

/* As capstone calls them; 15 is zero here. */
static const char *const names[] = {"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7",
                                    "r8", "sb", "sl", "fp", "ip", "sp", "lr", "zr"};

static void shift_text(uint16_t first, uint16_t second, char *text, size_t size)
{
    static const char *const kinds[] = {"lsll", "lsrl", "asrl", "?"};
    char by[8];
    if ((second & 15) == 13)
        snprintf(by, sizeof by, "%s", names[second >> 12]);
    else
        snprintf(by, sizeof by, "#%d", (second >> 10 & 0x1c) | (second >> 6 & 3));
    snprintf(text, size, "%s %s, %s, %s", kinds[second >> 4 & 3], names[first & 14], names[second >> 8 & 15], by);
}

static void select_text(uint16_t first, uint16_t second, char *text, size_t size)
{
    static const char *const kinds[] = {"csel", "csinc", "csinv", "csneg"};
    static const char *const conditions[] = {"eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc",
                                             "hi", "ls", "ge", "lt", "gt", "le", "?",  "?"};
    snprintf(text, size, "%s %s, %s, %s, %s", kinds[second >> 12 & 3], names[second >> 8 & 15], names[first & 15],
             names[second & 15], conditions[second >> 4 & 15]);
}

static void loop_text(uint32_t target, uint16_t first, uint16_t second, char *text, size_t size)
{
    if (second == 0xe001)
        snprintf(text, size, "dls lr, %s", names[first & 15]);
    else if (first == 0xf02f)
        snprintf(text, size, "le #0x%x", (unsigned)target);
    else if ((first & 15) == 15)
        snprintf(text, size, "le lr, #0x%x", (unsigned)target);
    else
        snprintf(text, size, "wls lr, %s, #0x%x", names[first & 15], (unsigned)target);
}

static void limit_text(uint16_t first, uint16_t second, char *text, size_t size)
{
    char special[16];
    unsigned number = second & 0xff;
    if (number == 10 || number == 11)
        snprintf(special, sizeof special, "%s", number == 10 ? "msplim" : "psplim");
    else
        snprintf(special, sizeof special, "#0x%x", number);
    if (first == 0xf3ef)
        snprintf(text, size, "mrs %s, %s", names[second >> 8 & 15], special);
    else
        snprintf(text, size, "msr %s, %s", special, names[first & 15]);
}

bool thumb_text_v8(const thumb_insn *insn, char *text, size_t size)
{
    thumb_insn known = *insn;
    uint16_t first = first_of(insn), second = second_of(insn);
    if (!thumb_decode_v8(&known) || known.unknown)
        return false;
    if (insn->size == 2)
        snprintf(text, size, "%s %s", first & 0x80 ? "blxns" : "bxns", names[first >> 3 & 15]);
    else if (thumb_is_long_shift(first, second))
        shift_text(first, second, text, size);
    else if (thumb_is_conditional_select(first, second))
        select_text(first, second, text, size);
    else if (thumb_is_loop(first, second))
        loop_text(known.target, first, second, text, size);
    else if (first == 0xe97f)
        snprintf(text, size, "sg");
    else if (is_limit(first, second))
        limit_text(first, second, text, size);
    else
        snprintf(text, size, "tt%s%s %s, %s", second & 0x80 ? "a" : "", second & 0x40 ? "t" : "",
                 names[second >> 8 & 15], names[first & 15]);
    return true;
}
