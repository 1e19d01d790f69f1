/* SPDX-License-Identifier: MIT */
/* One nest for as long a prefix of a stream as a best-first search finds.
 *
 *     0 1 2     10 11     20          one level, stride 1, so far without a bound
 *               10: not its next value. A level outside it, stride 10: the inner one ended at 2
 *                         20: the inner one ended at 1 under outer index 1. Its bound is 2 - i1
 *
 *     for (i1 = 0; i1 <= 2; i1++) for (i2 = 0; i2 <= -i1 + 2; i2++) access(10*i1 + i2);
 *
 * Where several ways go on, such as a longer first row or another lower bound, each is a node of the search. */
#ifndef WEFT_TOOLS_LIB_AFFINE_SEARCH_H
#define WEFT_TOOLS_LIB_AFFINE_SEARCH_H

#include "tools/lib/affine/search_options.h"

/* Searches values[0..count-1], count >= 2. The nest explains the first nest->accesses values, which is checked;
 * nest->whole if it ends there by itself. The caller frees it. False: none was found. */
bool search_nest(affine_nest *nest, const int64_t *values, uint64_t count, const search_options *options,
                 search_spent *spent);

#endif
