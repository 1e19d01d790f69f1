/* SPDX-License-Identifier: MIT */
/* Steps 1 and 2 of an expansion: a level moves on by one, and those inside it start again. */
#ifndef WEFT_TOOLS_LIB_AFFINE_SEARCH_MOVES_H
#define WEFT_TOOLS_LIB_AFFINE_SEARCH_MOVES_H

#include "tools/lib/affine/search_child.h"

/* Step 1: inner levels start at their lower bounds. True: the stream is solved. */
bool search_increments(search *x, search_family *f);
/* Step 2: one or two inner levels start off theirs. True: the stream is solved. */
bool search_lower_bounds(search *x, search_family *f);

#endif
