/* SPDX-License-Identifier: MIT */
/* The floating point extension (ARMv7-M architecture reference manual, A6), by the host's IEEE 754 arithmetic. Where
 * the result is NaN the manual's rules say which. Other modes than round to nearest, and half precision, give results
 * that are unknown. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "tools/lib/machine/thumb.h"
#include "tools/lib/rerun/number.h"
#include "tools/lib/rerun/operate.h"

#define MODES 0x07c00000u /* of FPSCR: AHP, DN, FZ, rounding */

typedef struct fields {
    bool is_double, six; /* bit 6 of the second halfword */
    unsigned kind;       /* bits 7, 5 and 4 of the first */
    unsigned d, n, m;    /* registers, of their size */
    uint16_t first, second;
} fields;

static fields fields_of(const rerun_code *code)
{
    uint16_t first = rerun_first(code), second = rerun_second(code);
    bool wide = second & 0x100;
    unsigned d = second >> 12, n = first & 15, m = second & 15;
    unsigned d1 = first >> 6 & 1, n1 = second >> 7 & 1, m1 = second >> 5 & 1;
    return (fields){.is_double = wide,
                    .six = second & 0x40,
                    .kind = (first >> 4 & 3) | (first >> 4 & 8),
                    .d = wide ? d | d1 << 4 : d << 1 | d1,
                    .n = wide ? n | n1 << 4 : n << 1 | n1,
                    .m = wide ? m | m1 << 4 : m << 1 | m1,
                    .first = first,
                    .second = second};
}

/* ---- registers ---- */

static uint64_t places(bool is_double, unsigned reg)
{
    return is_double ? (reg < 16 ? UINT64_C(3) << (RERUN_FLOAT + 2 * reg) : 0) : RERUN_BIT(RERUN_FLOAT + reg);
}

static number get(const rerun_core *core, bool is_double, unsigned reg)
{
    const uint32_t *s = &core->word[RERUN_FLOAT];
    if (!is_double)
        return (number){false, s[reg]};
    return (number){true, reg < 16 ? s[2 * reg] | (uint64_t)s[2 * reg + 1] << 32 : 0};
}

static void put(rerun_core *core, number value, unsigned reg, bool known)
{
    unsigned at = RERUN_FLOAT + (value.is_double ? 2 * reg : reg);
    if (at >= RERUN_LOCATIONS)
        return;
    rerun_set(core, at, (uint32_t)value.bits, known);
    if (value.is_double)
        rerun_set(core, at + 1, (uint32_t)(value.bits >> 32), known);
}

/* ---- kinds ---- */

/* vmla and its kin, vmul, vadd, vsub, vdiv, vfma and its kin. */
static bool arithmetic(const rerun_core *core, const fields *f, number *result, uint32_t *flags, bool *sure)
{
    number n = get(core, f->is_double, f->n), m = get(core, f->is_double, f->m), d = get(core, f->is_double, f->d);
    number product;
    switch (f->kind) {
    case 0: /* vmla, vmls */
    case 1: /* vnmls, vnmla */
        product = number_calculate(NUMBER_MULTIPLY, n, m, n, flags, sure);
        product = f->six ? number_negate(product) : product;
        *result = number_calculate(NUMBER_ADD, f->kind == 1 ? number_negate(d) : d, product, n, flags, sure);
        return true;
    case 2:
        *result = number_calculate(NUMBER_MULTIPLY, n, m, n, flags, sure);
        *result = f->six ? number_negate(*result) : *result;
        return true;
    case 3:
        *result = number_calculate(f->six ? NUMBER_SUBTRACT : NUMBER_ADD, n, m, n, flags, sure);
        return true;
    case 8:
        *result = number_calculate(NUMBER_DIVIDE, n, m, n, flags, sure);
        return !f->six;
    case 9: /* vfnms, vfnma */
        *result = number_calculate(NUMBER_FUSED, f->six ? number_negate(n) : n, m, number_negate(d), flags, sure);
        return true;
    case 10: /* vfma, vfms */
        *result = number_calculate(NUMBER_FUSED, f->six ? number_negate(n) : n, m, d, flags, sure);
        return true;
    default:
        return false;
    }
}

static number immediate(const fields *f)
{
    uint64_t eight = (uint64_t)(f->first & 15) << 4 | (f->second & 15);
    uint64_t sign = eight >> 7, b = eight >> 6 & 1, rest = eight & 0x3f;
    if (f->is_double)
        return (number){true,
                        sign << 63 | (b ? UINT64_C(0x3fc0000000000000) : UINT64_C(0x4000000000000000)) | rest << 48};
    return (number){false, sign << 31 | (b ? 0x3e000000u : 0x40000000u) | rest << 19};
}

/* Between a float and a number with a fixed point, in one register. */
static number fixed(number d, const fields *f, uint32_t *flags)
{
    bool is_unsigned = f->first & 1, to_fixed = f->first & 4;
    unsigned bits = f->second & 0x80 ? 32 : 16, part = (f->second & 15u) << 1 | (f->second >> 5 & 1);
    int point = (int)bits - (int)part;
    if (to_fixed) {
        uint32_t word = number_to_integer(ldexp(number_double(d), point), bits, !is_unsigned, NUMBER_TRUNCATE, flags);
        uint64_t wide = is_unsigned ? word : (uint64_t)(int64_t)(int32_t)word;
        return (number){d.is_double, d.is_double ? wide : (uint32_t)wide};
    }
    uint32_t word = (uint32_t)d.bits;
    double value = bits == 32 ? (is_unsigned ? (double)word : (double)(int32_t)word)
                              : (is_unsigned ? (double)(uint16_t)word : (double)(int16_t)word);
    feclearexcept(FE_ALL_EXCEPT);
    volatile float narrow = (float)ldexp(value, -point);
    *flags |= d.is_double ? 0 : number_raised();
    return d.is_double ? number_of_double(ldexp(value, -point)) : number_of_float(narrow);
}

/* What has one operand, and moves of constants. `to` gets the register that is written. */
static bool unary(const rerun_core *core, const fields *f, number *result, unsigned *to, uint32_t *flags, bool *sure)
{
    unsigned kind = f->first & 15;
    bool seven = f->second & 0x80;
    number m = get(core, f->is_double, f->m);
    unsigned single_d = (unsigned)(f->second >> 12) << 1 | (f->first >> 6 & 1);
    unsigned single_m = (f->second & 15u) << 1 | (f->second >> 5 & 1);
    if (!f->six) {
        *result = immediate(f);
        return true;
    }
    switch (kind) {
    case 0: /* vmov, vabs */
        *result = m;
        result->bits &= seven ? ~number_sign(m) : ~UINT64_C(0);
        return true;
    case 1: /* vneg, vsqrt */
        *result = seven ? number_calculate(NUMBER_ROOT, m, m, m, flags, sure) : number_negate(m);
        return true;
    case 6: /* vrintr, vrintz */
        *result = number_rounded(m, seven ? NUMBER_TRUNCATE : NUMBER_NEAREST, false, flags);
        return true;
    case 7:
        if (!seven) { /* vrintx */
            *result = number_rounded(m, NUMBER_NEAREST, true, flags);
            return true;
        }
        *to = f->is_double ? single_d : (unsigned)(f->second >> 12) | (f->first >> 2 & 16);
        *result = number_resize(m, flags, sure);
        return true;
    case 8: {
        uint32_t word = core->word[RERUN_FLOAT + single_m];
        feclearexcept(FE_ALL_EXCEPT);
        volatile double wide = seven ? (double)(int32_t)word : (double)word;
        *result = f->is_double ? number_of_double(wide) : number_of_float((float)wide);
        *flags |= number_raised();
        return true;
    }
    case 12:
    case 13:
        *to = single_d;
        *result = (number){false, number_to_integer(number_double(m), 32, kind == 13,
                                                    seven ? NUMBER_TRUNCATE : NUMBER_NEAREST, flags)};
        return true;
    case 10:
    case 11:
    case 14:
    case 15:
        *result = fixed(get(core, f->is_double, f->d), f, flags);
        return true;
    default:
        return false;
    }
}

/* What ARMv8-M has besides: vsel, vmaxnm, vminnm, vrinta and its kin, vcvta and its kin. */
static bool later(const rerun_core *core, const fields *f, number *result, unsigned *to, uint32_t *flags, bool *sure)
{
    number n = get(core, f->is_double, f->n), m = get(core, f->is_double, f->m);
    unsigned how = f->first & 3;
    if (!(f->first & 0x80)) {
        static const uint8_t conditions[4] = {0, 6, 10, 12}; /* eq, vs, ge, gt */
        unsigned condition = conditions[f->first >> 4 & 3];
        *sure &= (core->flags_known & 0xf0000000u) == 0xf0000000u;
        *result = thumb_holds((uint8_t)condition, core->word[THUMB_FLAGS]) ? n : m;
        return true;
    }
    if ((f->first & 0xb0) == 0x80) {
        *sure &= !number_is_nan(n) && !number_is_nan(m);
        *result = number_extreme(n, m, f->six);
        return true;
    }
    if ((f->first & 0xbc) == 0xb8) {
        *result = number_rounded(m, (number_rounding)how, false, flags);
        return true;
    }
    if ((f->first & 0xbc) != 0xbc)
        return false;
    *to = (unsigned)(f->second >> 12) << 1 | (f->first >> 6 & 1);
    *result = (number){false, number_to_integer(number_double(m), 32, f->second & 0x80, (number_rounding)how, flags)};
    return true;
}

/* ---- instructions ---- */

static void add_flags(rerun_core *core, uint32_t flags, bool known)
{
    known = known && rerun_knows(core, RERUN_BIT(RERUN_FPSCR));
    rerun_set(core, RERUN_FPSCR, core->word[RERUN_FPSCR] | flags, known);
}

static bool is_comparison(const fields *f)
{
    return f->kind == 11 && f->six && ((f->first & 15) == 4 || (f->first & 15) == 5);
}

static void do_compare(rerun_core *core, const fields *f)
{
    bool zero = (f->first & 15) == 5;
    uint32_t flags = 0;
    number d = get(core, f->is_double, f->d), m = zero ? (number){f->is_double, 0} : get(core, f->is_double, f->m);
    bool known = rerun_knows(core, places(f->is_double, f->d) | (zero ? 0 : places(f->is_double, f->m)));
    uint32_t nzcv = number_compare(d, m, f->second & 0x80, &flags);
    known = known && rerun_knows(core, RERUN_BIT(RERUN_FPSCR));
    rerun_set(core, RERUN_FPSCR, (core->word[RERUN_FPSCR] & 0x0fffffff) | nzcv | flags, known);
}

static void do_arithmetic(rerun_core *core, const rerun_code *code, const fields *f)
{
    number result = {f->is_double, 0};
    unsigned to = f->d;
    uint32_t flags = 0;
    bool sure = true, plain = rerun_knows(core, RERUN_BIT(RERUN_FPSCR)) && !(core->word[RERUN_FPSCR] & MODES);
    bool known = rerun_knows(core, code->insn.reads & ~(RERUN_BIT(THUMB_FLAGS) | RERUN_BIT(RERUN_FPSCR)));
    bool done = f->first & 0x1000 ? later(core, f, &result, &to, &flags, &sure)
                : f->kind == 11   ? unary(core, f, &result, &to, &flags, &sure)
                                  : arithmetic(core, f, &result, &flags, &sure);
    if (!done || !plain) {
        for (unsigned loc = RERUN_FLOAT; loc < RERUN_LOCATIONS; loc++)
            if (code->instruction.writes >> loc & 1)
                rerun_set(core, loc, 0, false);
        add_flags(core, 0, false);
        return;
    }
    put(core, result, to, known && (sure || !(f->first & 0x1000)));
    if (flags || !known || !sure)
        add_flags(core, flags, known && sure);
}

/* vmov between core registers and floats, vmrs, vmsr. */
static bool do_transfer(rerun_core *core, uint16_t first, uint16_t second)
{
    bool load = first & 0x10, is_double = second & 0x100;
    unsigned rt = second >> 12;
    if ((first & 0xe0) == 0xe0 && !is_double) {
        bool known = rerun_knows(core, RERUN_BIT(RERUN_FPSCR));
        if ((first & 15) != 1)
            return false;
        if (!load)
            rerun_set(core, RERUN_FPSCR, core->word[rt], rerun_knows(core, RERUN_BIT(rt)));
        else if (rt == 15)
            rerun_set_flags(core, core->word[RERUN_FPSCR], 0xf0000000u, known ? ~0u : 0);
        else
            rerun_set(core, rt, core->word[RERUN_FPSCR], known);
        return true;
    }
    if (first & (is_double ? 0xc0 : 0xe0) || second & 0x60)
        return false; /* lanes of vectors */
    unsigned at = is_double ? 2 * ((first & 15u) | (second >> 3 & 16)) + (first >> 5 & 1)
                            : (first & 15u) << 1 | (second >> 7 & 1);
    if (at >= 32)
        return false;
    at += RERUN_FLOAT;
    if (load)
        rerun_set(core, rt, core->word[at], rerun_knows(core, RERUN_BIT(at)));
    else
        rerun_set(core, at, core->word[rt], rerun_knows(core, RERUN_BIT(rt)));
    return true;
}

/* vmov between two core registers and a double, or two singles in a row. */
static bool do_pair(rerun_core *core, uint16_t first, uint16_t second)
{
    bool load = first & 0x10, is_double = second & 0x100;
    unsigned m = second & 15, m1 = second >> 5 & 1, at = is_double ? 2 * (m | m1 << 4) : m << 1 | m1;
    unsigned rt[2] = {second >> 12, first & 15};
    if (at >= 31)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        unsigned place = RERUN_FLOAT + at + i;
        if (load)
            rerun_set(core, rt[i], core->word[place], rerun_knows(core, RERUN_BIT(place)));
        else
            rerun_set(core, place, core->word[rt[i]], rerun_knows(core, RERUN_BIT(rt[i])));
    }
    return true;
}

/* The first of a context: a fresh FPSCR. */
static void begin_floats(rerun_core *core)
{
    if (!core->floats_used)
        rerun_set(core, RERUN_FPSCR, 0, true);
    core->floats_used = true;
}

bool rerun_float(rerun_core *core, const rerun_code *code)
{
    uint16_t first = rerun_first(code), second = rerun_second(code);
    if (code->insn.size != 4 || (first & 0xec00) != 0xec00 || (second & 0xe00) != 0xa00 || code->insn.unknown)
        return false;
    rerun_core before = *core;
    begin_floats(core);
    bool done = true;
    if ((first & 0xffe0) == 0xec40)
        done = do_pair(core, first, second);
    else if ((first & 0xef00) == 0xee00 && second & 0x10)
        done = do_transfer(core, first, second);
    else if ((first & 0xef00) == 0xee00) {
        fields f = fields_of(code);
        if (is_comparison(&f) && !(first & 0x1000))
            do_compare(core, &f);
        else
            do_arithmetic(core, code, &f);
    } else
        done = false;
    if (!done)
        *core = before;
    return done;
}
