/* SPDX-License-Identifier: MIT */
/* Tiled loops in one nest, found from the middle out.
 *
 * Where tiles are full the innermost loops are plain ones: they show their strides and the tiles' sizes. With these,
 * and with an order of the loops over tiles, every value has one index vector, or few. The domain in which these
 * vectors lie is convex (hull.h). So the vectors are read off, forward and back to the ends of the stream, and the
 * faces of their domain become the bounds of the nest. */
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
