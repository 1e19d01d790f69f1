/* SPDX-License-Identifier: MIT */
/* The loops that scan a polyhedron: bounds of each level from half-spaces over all of them. Used by
 * tools/lib/affine/tiles.c. */
#ifndef WEFT_TOOLS_LIB_AFFINE_SCAN_H
#define WEFT_TOOLS_LIB_AFFINE_SCAN_H

#include "tools/lib/affine/nest.h"

/* slope . index + constant >= 0 */
typedef struct scan_half {
    int64_t slope[AFFINE_DEPTH];
    int64_t constant;
} scan_half;

/* Sets the faces of level[0..depth-1], coefficients as they are. Inner levels are eliminated rationally, and what the
 * outer levels imply is left out. False: a level has no bound on one side, or too many. */
bool scan_bounds(affine_level *level, unsigned depth, const scan_half *half, unsigned halves);

#endif
