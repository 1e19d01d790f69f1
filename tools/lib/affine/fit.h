/* SPDX-License-Identifier: MIT */
/* Bounds from examples (Rodriguez et al., sections 3.4, 4.2, 4.5): the fewest faces found whose least value is as
 * seen at every example. Linear programs in floating point choose which examples a face goes through. The face itself
 * is then solved, and checked at every example, in exact integers. Only upper bounds: for lower ones negate the
 * values.
 *
 * Example: ends 0, 1, 2, 3, 3, 3 of an inner loop at indices 0..5 of the outer one give the two faces i and 3. */
#ifndef WEFT_TOOLS_LIB_AFFINE_FIT_H
#define WEFT_TOOLS_LIB_AFFINE_FIT_H

#include "tools/lib/affine/fit_points.h"

/* In: the old faces (*count of them), kept where they still serve. Out: the new ones. Without an example of an exact
 * value there are no faces. False: none were found. */
bool fit_upper(affine_face *face, unsigned *count, const fit_points *points, const fit_options *options);

#endif
