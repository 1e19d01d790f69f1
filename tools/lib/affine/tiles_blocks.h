/* SPDX-License-Identifier: MIT */
/* Blocks of a stream: runs of values that a plain nest explains, joined from the inside out. Full tiles are blocks,
 * and their strides and lengths are those of the innermost loops.
 *
 * Example: 0 1 2 10 11 12 20 21 22 is three blocks of one loop (stride 1, length 3), joined to one of two (strides 1,
 * 10). */
#ifndef WEFT_TOOLS_LIB_AFFINE_TILES_BLOCKS_H
#define WEFT_TOOLS_LIB_AFFINE_TILES_BLOCKS_H

#include <stddef.h>

#include "tools/lib/affine/tiles_limits.h"

typedef struct tiles_block {
    unsigned levels;
    int64_t stride[TILES_POINTS + 1], length[TILES_POINTS + 1]; /* innermost loop first */
    uint64_t at, size;                                          /* position of the first value, number of values */
    uint64_t mass;                                              /* of a kind: values in all its blocks, */
    uint64_t last;                                              /* where the last of them begins, */
    int64_t longest[TILES_POINTS + 1]; /* most of the lengths of all blocks with these strides */
} tiles_block;

/* A part of the stream, and its blocks. */
typedef struct tiles_window {
    const int64_t *values; /* of the whole stream */
    uint64_t from, to;     /* the part */
    tiles_block *block;    /* room for to - from of them */
    size_t count;
} tiles_window;

/* Sets the blocks of one loop, or of none where a value stands alone. */
void tiles_blocks_find(tiles_window *w);

/* Joins blocks of `levels` levels that are alike and equally far apart: they become one of a level more. */
void tiles_blocks_join(tiles_window *w, unsigned levels);

/* The kinds of blocks of `levels` levels, those with most values first. Returns how many, and which has the largest
 * block. */
unsigned tiles_blocks_kinds(const tiles_window *window, unsigned windows, unsigned levels,
                            tiles_block kind[TILES_KINDS], unsigned *largest);

#endif
