/* SPDX-License-Identifier: MIT */
#include "tests/lib/nas.h"

enum { DEPTH_MAX = 16 };

/* Appends count - 1 more copies of out[start..size-1]. Positions beyond max are only counted. */
static size_t repeat(char *out, size_t max, size_t start, size_t size, size_t count)
{
    size_t body = size - start;
    for (size_t i = size; out && i < start + body * count && i < max; i++)
        out[i] = out[i - body];
    return start + body * count;
}

size_t nas_expand(const char *nest, char *out, size_t max)
{
    size_t start[DEPTH_MAX], depth = 0, size = 0;
    for (; *nest; nest++) {
        if (*nest == '(') {
            if (depth == DEPTH_MAX)
                return 0;
            start[depth++] = size;
        } else if (*nest == ')') {
            size_t count = 0;
            if (!depth || nest[1] != '^')
                return 0;
            for (nest += 2; *nest >= '0' && *nest <= '9'; nest++)
                count = 10 * count + (size_t)(*nest - '0');
            nest--;
            if (!count)
                return 0;
            size = repeat(out, max, start[--depth], size, count);
        } else {
            if (out && size < max)
                out[size] = *nest;
            size++;
        }
    }
    return depth ? 0 : size;
}
