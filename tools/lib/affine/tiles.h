/* SPDX-License-Identifier: MIT */
/* Tiled loops in one nest, found from the middle out.
 *
 * Where tiles are full the innermost loops are plain ones: they show their strides and the tiles' sizes. With these,
 * and with an order of the loops over tiles, every value has one index vector, or few. The domain in which these
 * vectors lie is convex (hull.h). So the vectors are read off, forward and back to the ends of the stream, and the
 * faces of their domain become the bounds of the nest.
 *
 *     0 1 10 11   2 3 12 13   20 21 30 31   22 23 32 33      a matrix of 4 x 4, rows 10 apart, in tiles of 2 x 2
 *
 *     0 1 10 11 is a full tile: strides 10 and 1, two iterations each. The next tile moves the inner loop on by 2, the
 *     one after the next the outer loop. So index vectors (tile row, tile column, row, column) are read off, and
 *
 *     for (i1 = 0..1) for (i2 = 0..1) for (i3 = 0..1) for (i4 = 0..1) access(20*i1 + 2*i2 + 10*i3 + i4); */
#ifndef WEFT_TOOLS_LIB_AFFINE_TILES_H
#define WEFT_TOOLS_LIB_AFFINE_TILES_H

#include "tools/lib/affine/nest.h"

typedef struct tiles_options {
    unsigned depth_max; /* levels : 3 to AFFINE_DEPTH : tries more loops over tiles */
    uint64_t work_max;  /* rows tried while stuck, and a quarter of the others read, in all : any : goes on longer */
    double deadline;    /* seconds on clock_seconds : any : goes on longer; HUGE_VAL: no limit */
} tiles_options;

/* values[0..count-1] as one nest that ends by itself, which is checked; the caller frees it. False: none was found.
 * *work: as work_max. */
bool tiles_nest(affine_nest *nest, const int64_t *values, uint64_t count, const tiles_options *options, uint64_t *work);

#endif
