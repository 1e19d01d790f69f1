/* SPDX-License-Identifier: MIT */
/* A growing set of positions 0..size that finds the nearest member on either side in about log64(size) steps. It is a
 * tree of bit sets: a bit of one level says whether a word of the level below has any bit set.
 *
 *     members 3 70 71 5000      level 0    word 0: bit 3    word 1: bits 6 7    word 78: bit 8
 *                               level 1    word 0: bits 0 1                     word 1: bit 14, for 78
 *                               level 2    word 0: bits 0 1
 *
 * The nearest member up to 4999 is 71: word 78 of level 0 has none there, level 1 leads back to its word 1. */
#ifndef WEFT_TOOLS_LIB_LOOPS_MARKS_H
#define WEFT_TOOLS_LIB_LOOPS_MARKS_H

#include <stdint.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"

enum { MARKS_LEVELS = 6 };

typedef struct marks {
    uint64_t *level[MARKS_LEVELS];
    int top;
} marks;

static inline void marks_init(marks *m, uint64_t size)
{
    m->top = 0;
    for (;; m->top++) {
        size = (size >> 6) + 1;
        m->level[m->top] = memory_zero(size, sizeof(uint64_t));
        if (size == 1)
            return;
    }
}

static inline void marks_free(marks *m)
{
    for (int i = 0; i <= m->top; i++)
        free(m->level[i]);
}

static inline void marks_add(marks *m, uint64_t at)
{
    for (int i = 0; i <= m->top; i++, at >>= 6) {
        uint64_t bit = (uint64_t)1 << (at & 63);
        if (m->level[i][at >> 6] & bit)
            return;
        m->level[i][at >> 6] |= bit;
    }
}

/* The largest member <= at. There must be one. */
static inline uint64_t marks_at_or_before(const marks *m, uint64_t at)
{
    int i = 0;
    uint64_t word = m->level[0][at >> 6] << (63 - (at & 63));
    while (!word) {
        i++;
        at >>= 6;
        word = at & 63 ? m->level[i][at >> 6] << (64 - (at & 63)) : 0;
        if (word)
            at--; /* the bit below is the first that counts */
    }
    at -= (uint64_t)__builtin_clzll(word);
    while (i--)
        at = at << 6 | (uint64_t)(63 - __builtin_clzll(m->level[i][at]));
    return at;
}

/* The smallest member > at. There must be one. */
static inline uint64_t marks_after(const marks *m, uint64_t at)
{
    int i = 0;
    uint64_t word;
    at++;
    while (!(word = m->level[i][at >> 6] >> (at & 63))) {
        i++;
        at = (at >> 6) + 1;
    }
    at += (uint64_t)__builtin_ctzll(word);
    while (i--)
        at = at << 6 | (uint64_t)__builtin_ctzll(m->level[i][at]);
    return at;
}

#endif
