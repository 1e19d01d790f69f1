/* SPDX-License-Identifier: MIT */
/* The loops that scan a polyhedron: the bounds of each level, from half-spaces over all of them.
 *
 * Example: i >= 0, j >= 0, 5 - i - j >= 0 gives i from 0 to 5 and, inside, j from 0 to 5 - i. */
#ifndef WEFT_TOOLS_LIB_AFFINE_SCAN_H
#define WEFT_TOOLS_LIB_AFFINE_SCAN_H

#include "tools/lib/affine/nest.h"

/* slope . index + constant >= 0 */
typedef struct scan_half {
    int64_t slope[AFFINE_DEPTH];
    int64_t constant;
} scan_half;

/* Sets the faces of level[0..depth-1]; coefficients stay as they are. Inner levels are eliminated over the rational
 * numbers. What the outer levels imply is left out. False: a level has no bound on one side, or more than
 * AFFINE_FACES. */
bool scan_bounds(affine_level *level, unsigned depth, const scan_half *half, unsigned halves);

#endif
