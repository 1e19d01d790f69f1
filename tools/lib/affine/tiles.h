/* SPDX-License-Identifier: MIT */
/* Tiled loops in one nest, found from the middle out. Used by tools/lib/affine/model.c.
 *
 * Where tiles are full the innermost loops are plain ones, and tell their strides and the tiles' sizes. With these, and with an order of the
 * loops over tiles, every value has one index vector, or few; the domain in which the vectors lie is convex (model_hull.h). So the
 * vectors are read off, forward and back to the ends, and the faces of the domain are what comes out. */
#ifndef WEFT_TOOLS_LIB_AFFINE_TILES_H
#define WEFT_TOOLS_LIB_AFFINE_TILES_H

#include <stdatomic.h>

#include "tools/lib/affine/nest.h"

typedef struct tiles_options {
    unsigned depth_max;
    uint64_t work_max; /* rows tried while stuck and a quarter of the others read, at most, all trials together */
    double deadline;   /* on search_clock, seconds */
} tiles_options;

/* values[0..count-1] as one nest that ends by itself (checked). False: none found. *work: as in work_max. */
bool tiles_nest(affine_nest *nest, const int64_t *values, uint64_t count, const tiles_options *options, uint64_t *work);

#endif
