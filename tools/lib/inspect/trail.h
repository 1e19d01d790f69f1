/* SPDX-License-Identifier: MIT */
/* What each context did, as a hash of everything up to certain places. Two trails tell where two runs part, except for
 * a stretch of a ten-thousandth of the run, in memory that does not grow with it.
 *
 * Two runs of 40,000 elements that differ in element 30,001. A mark is the hash after each `every` elements. When
 * TRAIL_MARKS are used, every other one is dropped and `every` doubles: it is 4 here, and each trail has 10,000 marks.
 *
 *     a   |---|---|--  ...  --|---|---|--  ...  --|
 *     b   |---|---|--  ...  --|---X---X--  ...  --X      X: a mark that differs from that of `a`
 *         0   4   8       29996   30000   30004            marks after as many elements
 *
 * A hash depends on all elements before it, so once two marks differ, all later ones do. A search by halves finds the
 * last equal mark, after 30,000 elements, and the first different one, after 30,004: trails_part gives these two. */
#ifndef WEFT_TOOLS_LIB_INSPECT_TRAIL_H
#define WEFT_TOOLS_LIB_INSPECT_TRAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRAIL_MARKS = 16384 };

typedef struct trail {
    uint32_t context;     /* first: by_context */
    uint64_t count, hash; /* of elements; of all of them */
    uint64_t last;        /* the last element */
    uint32_t pc;          /* of the last instruction, where elements are lines */
    uint64_t every;       /* elements between two marks; a power of two */
    uint64_t *mark;       /* the hash after each `every` elements */
    size_t mark_count;
} trail;

/* All zero: empty. */
typedef struct trails {
    trail *all;
    size_t count, max, at; /* at: used last */
} trails;

/* For trails_of: it is not the one that was used last. */
trail *trails_find(trails *t, uint32_t context);
void trail_mark(trail *t);
void trails_free(trails *t);

/* The trail of a context; a new one if it is new. Valid until the next call for another context. */
static inline trail *trails_of(trails *t, uint32_t context)
{
    return t->at < t->count && t->all[t->at].context == context ? &t->all[t->at] : trails_find(t, context);
}

static inline void trail_add(trail *t, uint64_t element)
{
    t->last = element;
    t->hash = (t->hash ^ element) * 0x9e3779b97f4a7c15u;
    t->hash ^= t->hash >> 29;
    if ((++t->count & (t->every - 1)) == 0)
        trail_mark(t);
}

/* Whether they are different as far as both go, or one is longer. If so, the first difference is at element *from or
 * later (from 0), and before *to. */
bool trails_part(const trail *a, const trail *b, uint64_t *from, uint64_t *to);

#endif
