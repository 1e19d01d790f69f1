/* SPDX-License-Identifier: MIT */
/* The shape of a tiled nest that is to be tried: its loops over points and their strides, the tiles, and the order of
 * the loops over tiles. With it every value has one index vector, or few.
 *
 * Example: for (I) for (J) for (i in tile I) for (j in tile J) has 2 loops over points (0: i, 1: j) and 4 levels;
 * level 0 moves point loop 0 by whole tiles, level 2 by one. */
#ifndef WEFT_TOOLS_LIB_AFFINE_TILES_SHAPE_H
#define WEFT_TOOLS_LIB_AFFINE_TILES_SHAPE_H

#include "tools/lib/affine/tiles_limits.h"

enum { TILES_NONE = UINT8_MAX };

typedef struct tiles_shape {
    unsigned points, levels;
    int64_t stride[TILES_POINTS]; /* outermost loop first */
    int64_t size[TILES_POINTS];   /* of its tiles; 0: none */
    int64_t offset[TILES_POINTS]; /* where in its tile the origin lies */
    uint8_t point[TILES_LEVELS];  /* which loop over points the level moves */
    bool tile[TILES_LEVELS];      /* by whole tiles */
    uint8_t own[TILES_POINTS];    /* the level of the loop itself */
    uint8_t over[TILES_POINTS];   /* the level of the loop over its tiles, or TILES_NONE */
} tiles_shape;

/* Arithmetic that wraps. Sums may do so while a shape is tried; the nest that comes out is checked exactly. */
static inline int64_t tiles_times(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static inline int64_t tiles_plus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* The first index of loop w in a tile. */
static inline int64_t tiles_low(const tiles_shape *s, unsigned w, int64_t tile)
{
    return s->size[w] * tile - s->offset[w];
}

/* The tile of loop w that an index is in. */
static inline int64_t tiles_tile(const tiles_shape *s, unsigned w, int64_t index)
{
    int64_t at = index + s->offset[w], q = at / s->size[w];
    return q - (at % s->size[w] < 0);
}

/* True if loop w has no tiles, or its index is in the tile that its outer loop stands at. */
static inline bool tiles_in_tile(const tiles_shape *s, const int64_t *index, unsigned w)
{
    return !s->size[w] || tiles_tile(s, w, index[s->own[w]]) == index[s->over[w]];
}

static inline void tiles_point(const tiles_shape *s, const int64_t *index, int64_t *point)
{
    for (unsigned w = 0; w < s->points; w++)
        point[w] = index[s->own[w]];
}

#endif
