/* SPDX-License-Identifier: MIT */
/* One nest for as long a prefix of a stream as a best-first search finds. */
#ifndef WEFT_TOOLS_LIB_AFFINE_SEARCH_H
#define WEFT_TOOLS_LIB_AFFINE_SEARCH_H

#include "tools/lib/affine/search_options.h"

/* Searches values[0..count-1], count >= 2. The nest explains the first nest->accesses values, which is checked;
 * nest->whole if it ends there by itself. The caller frees it. False: none was found. */
bool search_nest(affine_nest *nest, const int64_t *values, uint64_t count, const search_options *options,
                 search_spent *spent);

#endif
