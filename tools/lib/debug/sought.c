/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/sought.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/digits.h"

static bool parse_float(const char *text, debug_sought *s)
{
    char *end;
    double number = strtod(text, &end);
    float single = (float)number;
    if (end == text || *end || !isfinite(number))
        return false;
    s->is_float = true;
    s->is_large = !isfinite(single);
    memcpy(&s->bits, &number, sizeof s->bits);
    memcpy(&s->single, &single, sizeof s->single);
    return true;
}

bool debug_sought_parse(const char *text, debug_sought *s)
{
    const char *digits = text + (*text == '-' || *text == '+');
    *s = (debug_sought){.negative = *text == '-'};
    if (*digits < '0' || *digits > '9')
        return false;
    bool hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    if (!hexadecimal && strpbrk(digits, ".eE"))
        return parse_float(text, s);
    uint64_t magnitude;
    if (!digits_whole(digits, &magnitude) || (s->negative && magnitude > UINT64_C(1) << 63))
        return false;
    s->negative = s->negative && magnitude;
    s->bits = s->negative ? 0 - magnitude : magnitude;
    return true;
}

static bool fits(const debug_sought *s, unsigned bits)
{
    if (bits >= 64)
        return true;
    return s->negative ? s->bits >= UINT64_MAX << (bits - 1) : s->bits >> bits == 0;
}

bool debug_sought_is(const debug_sought *s, uint64_t value, unsigned size)
{
    if (s->is_float)
        return size == 8 ? value == s->bits : size == 4 && !s->is_large && (uint32_t)value == s->single;
    unsigned unused = size < 8 ? 64 - 8 * size : 0;
    return size && fits(s, 8 * size) && (value ^ s->bits) << unused == 0;
}

bool debug_sought_is_wide(const debug_sought *s)
{
    return s->is_float || !fits(s, 32);
}
