/* SPDX-License-Identifier: MIT */
#include "tools/lib/rerun/number.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#include "tools/lib/rerun/core.h"

double number_double(number v)
{
    double d;
    float f;
    if (v.is_double) {
        memcpy(&d, &v.bits, sizeof d);
        return d;
    }
    uint32_t low = (uint32_t)v.bits;
    memcpy(&f, &low, sizeof f);
    return (double)f;
}

static float as_float(number v)
{
    float f;
    uint32_t low = (uint32_t)v.bits;
    memcpy(&f, &low, sizeof f);
    return f;
}

number number_of_double(double d)
{
    number v = {true, 0};
    memcpy(&v.bits, &d, sizeof d);
    return v;
}

number number_of_float(float f)
{
    uint32_t low;
    memcpy(&low, &f, sizeof f);
    return (number){false, low};
}

static uint64_t quiet_bit(number v)
{
    return v.is_double ? UINT64_C(1) << 51 : UINT64_C(1) << 22;
}

uint64_t number_sign(number v)
{
    return v.is_double ? UINT64_C(1) << 63 : UINT64_C(1) << 31;
}

bool number_is_nan(number v)
{
    uint64_t rest = v.bits & ~number_sign(v);
    return rest > (v.is_double ? UINT64_C(0x7ff0000000000000) : 0x7f800000);
}

static bool is_signalling(number v)
{
    return number_is_nan(v) && !(v.bits & quiet_bit(v));
}

static number default_nan(bool is_double)
{
    return (number){is_double, is_double ? UINT64_C(0x7ff8000000000000) : 0x7fc00000};
}

/* The NaN that a result is: of the operands the first that signals, made quiet; else the first that is one. */
static number pick_nan(number result, const number *from, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (is_signalling(from[i]))
            return (number){from[i].is_double, from[i].bits | quiet_bit(from[i])};
    for (unsigned i = 0; i < count; i++)
        if (number_is_nan(from[i]))
            return from[i];
    return default_nan(result.is_double);
}

uint32_t number_raised(void)
{
    int e = fetestexcept(FE_ALL_EXCEPT);
    return (e & FE_INVALID ? NUMBER_INVALID : 0) | (e & FE_DIVBYZERO ? NUMBER_DIVIDED_BY_ZERO : 0) |
           (e & FE_OVERFLOW ? NUMBER_OVERFLOWED : 0) | (e & FE_UNDERFLOW ? NUMBER_UNDERFLOWED : 0) |
           (e & FE_INEXACT ? NUMBER_INEXACT : 0);
}

/* The host decides after rounding whether a number is too small, the core before it. They differ at the smallest normal
 * number. */
static bool is_smallest(number v)
{
    return (v.bits & ~number_sign(v)) == (v.is_double ? UINT64_C(0x0010000000000000) : 0x00800000);
}

static number host_double(number_operation op, number n, number m, number a)
{
    volatile double x = number_double(n), y = number_double(m), z = number_double(a), result;
    switch (op) {
    case NUMBER_ADD:
        result = x + y;
        break;
    case NUMBER_SUBTRACT:
        result = x - y;
        break;
    case NUMBER_MULTIPLY:
        result = x * y;
        break;
    case NUMBER_DIVIDE:
        result = x / y;
        break;
    case NUMBER_ROOT:
        result = sqrt(y);
        break;
    default:
        result = fma(x, y, z);
        break;
    }
    return number_of_double(result);
}

static number host_float(number_operation op, number n, number m, number a)
{
    volatile float x = as_float(n), y = as_float(m), z = as_float(a), result;
    switch (op) {
    case NUMBER_ADD:
        result = x + y;
        break;
    case NUMBER_SUBTRACT:
        result = x - y;
        break;
    case NUMBER_MULTIPLY:
        result = x * y;
        break;
    case NUMBER_DIVIDE:
        result = x / y;
        break;
    case NUMBER_ROOT:
        result = sqrtf(y);
        break;
    default:
        result = fmaf(x, y, z);
        break;
    }
    return number_of_float(result);
}

/* The result, and what it adds to the flags of FPSCR. A root has one operand, m; only a fused product has a. */
number number_calculate(number_operation op, number n, number m, number a, uint32_t *flags, bool *sure)
{
    feclearexcept(FE_ALL_EXCEPT);
    number result = n.is_double ? host_double(op, n, m, a) : host_float(op, n, m, a);
    *flags |= number_raised();
    *sure &= !(is_smallest(result) && number_raised() & NUMBER_INEXACT);
    if (!number_is_nan(result))
        return result;
    number from[3] = {op == NUMBER_FUSED ? a : op == NUMBER_ROOT ? m : n, op == NUMBER_FUSED ? n : m, m};
    return pick_nan(result, from, op == NUMBER_FUSED ? 3 : op == NUMBER_ROOT ? 1 : 2);
}

number number_negate(number v)
{
    v.bits ^= number_sign(v);
    return v;
}

static double round_to(double value, number_rounding how)
{
    switch (how) {
    case NUMBER_AWAY:
        return round(value);
    case NUMBER_NEAREST:
        return rint(value);
    case NUMBER_UP:
        return ceil(value);
    case NUMBER_DOWN:
        return floor(value);
    default:
        return trunc(value);
    }
}

uint32_t number_to_integer(double value, unsigned bits, bool is_signed, number_rounding how, uint32_t *flags)
{
    double low = is_signed ? -ldexp(1, (int)bits - 1) : 0, high = ldexp(1, (int)bits - is_signed) - 1;
    double rounded = round_to(value, how);
    if (isnan(value) || rounded < low || rounded > high) {
        *flags |= NUMBER_INVALID;
        return isnan(value) ? 0 : rounded < low ? (uint32_t)(int64_t)low : (uint32_t)(int64_t)high;
    }
    *flags |= rounded != value ? NUMBER_INEXACT : 0;
    return (uint32_t)(int64_t)rounded;
}

number number_rounded(number m, number_rounding how, bool says_inexact, uint32_t *flags)
{
    if (number_is_nan(m)) {
        *flags |= is_signalling(m) ? NUMBER_INVALID : 0;
        return pick_nan(m, &m, 1);
    }
    double value = number_double(m), result = round_to(value, how);
    *flags |= says_inexact && result != value ? NUMBER_INEXACT : 0;
    return m.is_double ? number_of_double(result) : number_of_float((float)result);
}

/* Between the sizes. */
number number_resize(number m, uint32_t *flags, bool *sure)
{
    if (number_is_nan(m)) {
        *flags |= is_signalling(m) ? NUMBER_INVALID : 0;
        if (m.is_double)
            return (number){false, (m.bits >> 63) << 31 | 0x7fc00000u | (m.bits >> 29 & 0x3fffff)};
        return (number){true, (m.bits >> 31) << 63 | UINT64_C(0x7ff8000000000000) | (m.bits & 0x3fffff) << 29};
    }
    feclearexcept(FE_ALL_EXCEPT);
    volatile double wide = number_double(m);
    volatile float narrow = m.is_double ? (float)wide : 0;
    number result = m.is_double ? number_of_float(narrow) : number_of_double(wide);
    *flags |= number_raised();
    *sure &= !(is_smallest(result) && number_raised() & NUMBER_INEXACT);
    return result;
}

number number_extreme(number n, number m, bool least)
{
    double a = number_double(n), b = number_double(m);
    if (a == b) /* zeros, of which one may be negative */
        return (number){n.is_double, least ? n.bits | m.bits : n.bits & m.bits};
    return (a < b) == least ? n : m;
}

uint32_t number_compare(number n, number m, bool signals, uint32_t *flags)
{
    if (number_is_nan(n) || number_is_nan(m)) {
        *flags |= signals || is_signalling(n) || is_signalling(m) ? NUMBER_INVALID : 0;
        return RERUN_C | RERUN_V;
    }
    double a = number_double(n), b = number_double(m);
    return a == b ? RERUN_Z | RERUN_C : a < b ? RERUN_N : RERUN_C;
}
