/* SPDX-License-Identifier: MIT */
/* ARMv7-M architecture reference manual, A5.3: the groups that have no form. Each gives one word, or two. */
#include "tools/lib/rerun/operate.h"

typedef struct operands {
    uint32_t n, m, a, d; /* rn, rm, ra, rd as they are */
    uint32_t flags;
    uint16_t first, second;
} operands;

typedef struct outcome {
    uint32_t low, high; /* of a pair: in ra and rd */
    bool pair;
    bool saturates, saturated; /* it may set Q; it does */
    bool lanes;                /* GE is */
    uint32_t greater;          /* its bits */
} outcome;

static int32_t half(uint32_t word, unsigned top)
{
    return (int16_t)(top ? word >> 16 : word);
}

static uint32_t saturate(int64_t value, unsigned bits, bool is_signed, bool *saturated)
{
    int64_t low = is_signed ? -(INT64_C(1) << (bits - 1)) : 0;
    int64_t high = is_signed ? (INT64_C(1) << (bits - 1)) - 1 : (INT64_C(1) << bits) - 1;
    *saturated |= value < low || value > high;
    return (uint32_t)(value < low ? low : value > high ? high : value);
}

/* ---- products ---- */

static bool product(const operands *o, outcome *out)
{
    unsigned x = o->second >> 5 & 1, y = o->second >> 4 & 1, none = o->second >> 12 == 15;
    int64_t add = none ? 0 : (int32_t)o->a, sum;
    switch (o->first >> 4 & 7) {
    case 1:
        sum = (int64_t)half(o->n, x) * half(o->m, y) + add;
        break;
    case 2:
    case 4: {
        int64_t one = (int64_t)half(o->n, 0) * half(o->m, y), two = (int64_t)half(o->n, 1) * half(o->m, !y);
        sum = ((o->first >> 4 & 7) == 2 ? one + two : one - two) + add;
        break;
    }
    case 3:
        sum = ((int64_t)(int32_t)o->n * half(o->m, y) >> 16) + add;
        break;
    case 5:
    case 6: {
        int64_t whole = (int64_t)(int32_t)o->n * (int32_t)o->m, round = y ? 0x80000000 : 0;
        int64_t base = (int64_t)((uint64_t)add << 32);
        out->low = (uint32_t)((uint64_t)((o->first >> 4 & 7) == 5 ? base + whole + round : base - whole + round) >> 32);
        return true;
    }
    case 7:
        out->low = none ? 0 : o->a;
        for (unsigned i = 0; i < 32; i += 8) {
            int difference = (int)(o->n >> i & 0xff) - (int)(o->m >> i & 0xff);
            out->low += (uint32_t)(difference < 0 ? -difference : difference);
        }
        return true;
    default:
        return false;
    }
    out->low = (uint32_t)sum;
    out->saturates = true;
    out->saturated = sum != (int32_t)sum;
    return true;
}

static bool long_product(const operands *o, outcome *out)
{
    unsigned kind = o->second >> 4 & 15, x = kind >> 1 & 1, y = kind & 1;
    uint64_t base = (uint64_t)o->d << 32 | o->a, sum; /* rd is the high word here, ra the low one */
    switch ((o->first >> 4 & 7) << 4 | kind) {
    case 0x40:
        sum = base + (uint64_t)((int64_t)(int32_t)o->n * (int32_t)o->m);
        break;
    case 0x60:
        sum = base + (uint64_t)o->n * o->m;
        break;
    case 0x66:
        sum = (uint64_t)o->n * o->m + o->a + o->d;
        break;
    case 0x48:
    case 0x49:
    case 0x4a:
    case 0x4b:
        sum = base + (uint64_t)((int64_t)half(o->n, x) * half(o->m, y));
        break;
    case 0x4c:
    case 0x4d:
        sum = base + (uint64_t)((int64_t)half(o->n, 0) * half(o->m, y) + (int64_t)half(o->n, 1) * half(o->m, !y));
        break;
    case 0x5c:
    case 0x5d:
        sum = base + (uint64_t)((int64_t)half(o->n, 0) * half(o->m, y) - (int64_t)half(o->n, 1) * half(o->m, !y));
        break;
    default:
        return false;
    }
    out->pair = true;
    out->low = (uint32_t)sum;
    out->high = (uint32_t)(sum >> 32);
    return true;
}

/* ---- lanes ---- */

/* One lane of a parallel sum: how is bit 1..0 plain, saturating or halving; bit 2 unsigned. */
static uint32_t lane(int32_t a, int32_t b, bool minus, unsigned how, unsigned bits, bool *greater)
{
    int32_t sum = minus ? a - b : a + b;
    bool is_signed = !(how & 4), ignored = false;
    *greater = is_signed || minus ? sum >= 0 : sum >> bits & 1;
    if ((how & 3) == 1)
        return saturate(sum, bits, is_signed, &ignored);
    return (uint32_t)((how & 3) == 2 ? sum >> 1 : sum);
}

static int32_t lane_of(uint32_t word, unsigned at, unsigned bits, bool is_signed)
{
    uint32_t part = word >> at & ((1u << bits) - 1);
    return is_signed ? (int32_t)(part << (32 - bits)) >> (32 - bits) : (int32_t)part;
}

static bool parallel(const operands *o, outcome *out)
{
    unsigned kind = o->first >> 4 & 7, how = (o->second >> 4 & 3) | (o->second >> 4 & 4);
    bool bytes = !(kind & 3), crossed = kind == 2 || kind == 6;
    if ((how & 3) == 3 || (kind & 3) == 3)
        return false;
    unsigned bits = bytes ? 8 : 16;
    for (unsigned at = 0; at < 32; at += bits) {
        bool minus = crossed ? (kind == 2) == (at == 0) : kind >= 4, greater;
        int32_t a = lane_of(o->n, at, bits, !(how & 4)), b = lane_of(o->m, crossed ? 16 - at : at, bits, !(how & 4));
        uint32_t sum = lane(a, b, minus, how, bits, &greater);
        out->low |= (sum & ((1u << bits) - 1)) << at;
        out->greater |= greater ? (bytes ? 1u : 3u) << (16 + at / 8) : 0;
    }
    out->lanes = (how & 3) == 0;
    return true;
}

static bool select_lanes(const operands *o, outcome *out)
{
    for (unsigned i = 0; i < 4; i++)
        out->low |= (o->flags >> (16 + i) & 1 ? o->n : o->m) & 0xffu << (8 * i);
    return true;
}

/* ---- the rest ---- */

static bool saturating_sum(const operands *o, outcome *out)
{
    unsigned kind = o->second >> 4 & 3;
    int64_t n = (int32_t)o->n;
    out->saturates = true;
    if (kind & 1)
        n = (int32_t)saturate(2 * n, 32, true, &out->saturated);
    out->low = saturate(kind & 2 ? (int32_t)o->m - n : (int32_t)o->m + n, 32, true, &out->saturated);
    return true;
}

static bool extended_sum(const operands *o, outcome *out)
{
    unsigned by = 8 * (o->second >> 4 & 3), kind = o->first >> 4 & 7;
    uint32_t m = by ? o->m >> by | o->m << (32 - by) : o->m, n = (o->first & 15) == 15 ? 0 : o->n;
    switch (kind) {
    case 0:
        out->low = n + (uint32_t)(int16_t)m;
        return true;
    case 1:
        out->low = n + (uint16_t)m;
        return true;
    case 2:
        out->low = ((n + (uint32_t)(int8_t)m) & 0xffff) | ((n >> 16) + (uint32_t)(int8_t)(m >> 16)) << 16;
        return true;
    case 3:
        out->low = ((n + (uint8_t)m) & 0xffff) | ((n >> 16) + (uint8_t)(m >> 16)) << 16;
        return true;
    case 4:
        out->low = n + (uint32_t)(int8_t)m;
        return true;
    case 5:
        out->low = n + (uint8_t)m;
        return true;
    default:
        return false;
    }
}

static bool saturation(const operands *o, outcome *out)
{
    bool is_signed = !(o->first & 0x80), right = o->first & 0x20;
    unsigned by = (o->second >> 12 & 7) << 2 | (o->second >> 6 & 3), bits = (o->second & 31) + is_signed;
    int32_t n = (int32_t)o->n;
    out->saturates = true;
    if (right && !by) { /* two halves */
        bits = (o->second & 15) + is_signed;
        uint32_t low = saturate(half(o->n, 0), bits, is_signed, &out->saturated);
        out->low = (low & 0xffff) | saturate(half(o->n, 1), bits, is_signed, &out->saturated) << 16;
        return true;
    }
    n = right ? n >> by : (int32_t)((uint32_t)n << by);
    out->low = saturate(n, bits, is_signed, &out->saturated);
    return true;
}

static bool packed(const operands *o, outcome *out)
{
    unsigned by = (o->second >> 12 & 7) << 2 | (o->second >> 6 & 3);
    bool top = o->second & 0x20;
    uint32_t m = top ? (uint32_t)((int32_t)o->m >> (by ? by : 31)) : o->m << by;
    out->low = top ? (o->n & 0xffff0000) | (m & 0xffff) : (o->n & 0xffff) | (m & 0xffff0000);
    return true;
}

static bool operate(const operands *o, outcome *out)
{
    unsigned first = o->first, second = o->second;
    if ((first & 0xff80) == 0xfb00)
        return product(o, out);
    if ((first & 0xff80) == 0xfb80)
        return long_product(o, out);
    if ((first & 0xff80) == 0xfa00)
        return second & 0x80 ? extended_sum(o, out) : false;
    if ((first & 0xff80) == 0xfa80 && !(second & 0x80))
        return parallel(o, out);
    if ((first & 0xfff0) == 0xfa80 && second & 0x80)
        return saturating_sum(o, out);
    if ((first & 0xfff0) == 0xfaa0 && (second & 0xf0) == 0x80)
        return select_lanes(o, out);
    if ((first & 0xff50) == 0xf300 && !(second & 0x8000))
        return saturation(o, out);
    if ((first & 0xfff0) == 0xeac0)
        return packed(o, out);
    return false;
}

/* rrx, which shifts C in and out. */
static bool rotate(rerun_core *core, const rerun_code *code)
{
    uint16_t first = rerun_first(code), second = rerun_second(code);
    if ((first & 0xffef) != 0xea4f || (second & 0xf0f0) != 0x30)
        return false;
    unsigned m = second & 15, d = second >> 8 & 15;
    bool known = rerun_knows(core, RERUN_BIT(m)) && core->flags_known & RERUN_C;
    uint32_t value = core->word[m] >> 1 | (core->word[THUMB_FLAGS] & RERUN_C ? 0x80000000u : 0);
    uint32_t flags = (value & RERUN_N) | (value ? 0 : RERUN_Z) | (core->word[m] & 1 ? RERUN_C : 0);
    if (first & 0x10)
        rerun_set_flags(core, flags, RERUN_N | RERUN_Z | RERUN_C, known ? ~0u : 0);
    rerun_set(core, d, value, known);
    return true;
}

bool rerun_operate(rerun_core *core, const rerun_code *code)
{
    if (code->insn.size != 4 || code->insn.memory)
        return false;
    if (rotate(core, code))
        return true;
    uint16_t first = rerun_first(code), second = rerun_second(code);
    unsigned d = second >> 8 & 15, a = second >> 12;
    operands o = {.n = core->word[first & 15],
                  .m = core->word[second & 15],
                  .a = core->word[a],
                  .d = core->word[d],
                  .flags = core->word[THUMB_FLAGS],
                  .first = first,
                  .second = second};
    outcome out = {0};
    if (!operate(&o, &out))
        return false;
    uint64_t reads = code->insn.reads;
    bool selects = (first & 0xfff0) == 0xfaa0;
    bool known =
        rerun_knows(core, reads & ~RERUN_BIT(THUMB_FLAGS)) && (!selects || (core->flags_known & RERUN_GE) == RERUN_GE);
    if (out.pair)
        rerun_set(core, a, out.low, known);
    rerun_set(core, d, out.pair ? out.high : out.low, known);
    if (out.lanes)
        rerun_set_flags(core, out.greater, RERUN_GE, known ? ~0u : 0);
    if (!known && out.saturates)
        rerun_set_flags(core, 0, RERUN_Q & ~core->word[THUMB_FLAGS], 0);
    else if (out.saturated)
        rerun_set_flags(core, RERUN_Q, RERUN_Q, ~0u);
    return true;
}
