/* SPDX-License-Identifier: MIT */
#include "tools/lib/base/digits.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool digits_read(const char *text, const char **end, uint64_t *number)
{
    char *last;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    *end = text;
    if (!(hex ? isxdigit((unsigned char)text[2]) : isdigit((unsigned char)text[0])))
        return false;
    errno = 0;
    *number = strtoull(text, &last, hex ? 16 : 10);
    *end = last;
    return !errno;
}

bool digits_whole(const char *text, uint64_t *number)
{
    const char *end;
    return digits_read(text, &end, number) && !*end;
}

bool digits_fraction(const char *text, double *number)
{
    char *end;
    size_t length = strlen(text);
    if (!isdigit((unsigned char)*text) || strspn(text, "0123456789.eE+-") != length)
        return false;
    *number = strtod(text, &end);
    return !*end && isfinite(*number);
}
