/* SPDX-License-Identifier: MIT */
/* Piecewise-affine loop nests: the models of the Trace Reconstruction Engine (Rodriguez et al., sections 2 and 4).
 *
 *     for (i1 = max(lower...); i1 <= min(upper...); i1++)
 *       for (i2 = ...)
 *         access(base + c1*i1 + c2*i2);
 *
 * A bound of a level is the least (upper) or greatest (lower) of its faces. A face is an affine function of the outer
 * indices over a positive divisor, rounded down (upper) or up (lower). A level without upper faces has no end: that
 * is only so in models under construction. Addresses are 64-bit integers, never wrapped: sums are formed in 128 bits,
 * and a nest that leaves 64 bits generates nothing there. */
#ifndef WEFT_TOOLS_LIB_AFFINE_NEST_H
#define WEFT_TOOLS_LIB_AFFINE_NEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    AFFINE_DEPTH = 12, /* most levels of a nest */
    AFFINE_FACES = 8,  /* most faces on one side of a level */
};

/* Empty loops in a row : 2^8 to 2^31 : allows nests with more gaps; slower to refuse one that generates nothing. */
#define AFFINE_PATIENCE (1u << 24)

/* No bound: what a level without faces has. */
#define AFFINE_ENDLESS ((int64_t)1 << 62)

__extension__ typedef __int128 affine_wide;

/* (slope . outer indices + constant) / divisor, divisor >= 1. */
typedef struct affine_face {
    int64_t slope[AFFINE_DEPTH];
    int64_t constant;
    int64_t divisor;
} affine_face;

typedef struct affine_level {
    int64_t coefficient;
    unsigned lowers, uppers; /* faces on each side; no lower face: 0 */
    affine_face lower[AFFINE_FACES];
    affine_face upper[AFFINE_FACES];
} affine_level;

/* The first `accesses` points of the nest; `whole` if these are all of them. A nest of depth 0 is a raw run:
 * `accesses` values as they are, in `raw`, or the base alone where raw is NULL. The nest's owner frees it. */
typedef struct affine_nest {
    unsigned depth;
    int64_t base;
    uint64_t accesses;
    bool whole;
    int64_t *raw;        /* malloc */
    affine_level *level; /* malloc; `depth` of them, outermost first */
} affine_nest;

void affine_nest_free(affine_nest *nest);

/* A face's value, rounded for its side, clamped to +-AFFINE_ENDLESS. */
int64_t affine_floor(const affine_face *face, const int64_t *index, unsigned outer);
int64_t affine_ceil(const affine_face *face, const int64_t *index, unsigned outer);
/* The bounds of `level` (0 = outermost) under the indices of the levels outside it. */
int64_t affine_upper(const affine_level *level, const int64_t *index, unsigned outer);
int64_t affine_lower(const affine_level *level, const int64_t *index, unsigned outer);

/* A place in a nest. A row is one run of the innermost loop, from the present index to its upper bound. */
typedef struct affine_cursor {
    const affine_level *level;
    unsigned depth;
    unsigned patience; /* empty inner loops in a row after which it gives up */
    bool spun;         /* it gave up */
    int64_t index[AFFINE_DEPTH];
    int64_t upper[AFFINE_DEPTH];
    affine_wide sum[AFFINE_DEPTH + 1]; /* sum[l]: base and the terms of the levels outside l */
} affine_cursor;

/* Goes to the first point. False: the nest is empty. Depth >= 1 here and below. */
bool affine_first(affine_cursor *cursor, const affine_level *level, unsigned depth, int64_t base, unsigned patience);
/* Goes to `index` (patience: AFFINE_PATIENCE unless set after), whether or not the bounds hold it. */
void affine_seek(affine_cursor *cursor, const affine_level *level, unsigned depth, int64_t base, const int64_t *index);
/* Goes to the first point of the next row. False: there is none, or patience ran out. */
bool affine_next_row(affine_cursor *cursor);
/* Address of the present point. */
static inline affine_wide affine_address(const affine_cursor *cursor)
{
    return cursor->sum[cursor->depth];
}

/* Iterations that loop `l` has left after the present one: modulo 2^64, since bounds of a file may be as far apart. */
static inline uint64_t affine_left(const affine_cursor *cursor, unsigned l)
{
    return (uint64_t)cursor->upper[l] - (uint64_t)cursor->index[l];
}

/* How many points of the present row, at most `max`, have 64-bit addresses. */
uint64_t affine_row_length(const affine_cursor *cursor, uint64_t max);

/* How many of values[0..count-1] equal start, start + stride, ... in order, up to the first that does not. */
size_t affine_match_run(const int64_t *values, size_t count, int64_t start, int64_t stride);

/* The same for values[0], values[-1], ... */
size_t affine_match_back(const int64_t *values, size_t count, int64_t start, int64_t stride);

/* How many of the first values the nest generates; reads nothing past `count`. `patience`: see affine_cursor. */
uint64_t affine_match(const affine_nest *nest, const int64_t *values, uint64_t count, unsigned patience);

/* Calls `take` for blocks of the generated values, in order. False: the nest leaves 64 bits, spins without an access,
 * ends before nest->accesses (unless that is UINT64_MAX: unknown), or take says stop. */
typedef bool affine_take(void *context, const int64_t *values, size_t count);
bool affine_generate(const affine_nest *nest, affine_take *take, void *context);

#endif
