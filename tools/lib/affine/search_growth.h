/* SPDX-License-Identifier: MIT */
/* Step 3 of an expansion: a new level, whose coefficient is what the next value asks for. */
#ifndef WEFT_TOOLS_LIB_AFFINE_SEARCH_GROWTH_H
#define WEFT_TOOLS_LIB_AFFINE_SEARCH_GROWTH_H

#include "tools/lib/affine/search_child.h"

/* A new level at place p of the parent (0: outermost). True: the stream is solved. */
bool search_grow(search *x, search_family *f, unsigned p);

#endif
