/* SPDX-License-Identifier: MIT */
/* Which of two nests that generate the same stream is better, and what shows that another may be.
 *
 *   1. One with fewer loops is better. But one with rational slopes must also weigh no more than one with integer
 *      slopes: rounding folds two loops of many rectangles into one, which says less.
 *   2. With as many loops, the one that weighs less is better: so the one with few faces, and with integer slopes
 *      where they do.
 *
 * The weight is how many numbers a nest consists of, and one more for each loop. A divisor counts as many as the bits
 * that its remainders take. So `j <= i / 2` is two loops, not three, and rows of 80 around a triangle stay a loop. */
#ifndef WEFT_TOOLS_LIB_AFFINE_MODEL_WEIGHT_H
#define WEFT_TOOLS_LIB_AFFINE_MODEL_WEIGHT_H

#include "tools/lib/affine/nest.h"

/* True if a is better than b. */
bool model_better(const affine_nest *a, const affine_nest *b);

/* How many numbers a nest consists of. A lower bound of 0 is none. */
uint64_t model_parameters(const affine_nest *nest);

/* True if a bound has a divisor. */
bool model_rational(const affine_nest *nest);

/* True if a divisor may stand for one of the loops: some bound depends on an index, and has a divisor already or a
 * loop between others is short. */
bool model_foldable(const affine_nest *nest);

#endif
