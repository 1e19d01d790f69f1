/* SPDX-License-Identifier: MIT */
/* Step 4 of an expansion: a new level at an earlier place, where a loop had ended although its prediction went on to
 * hold. */
#ifndef WEFT_TOOLS_LIB_AFFINE_SEARCH_EARLIER_H
#define WEFT_TOOLS_LIB_AFFINE_SEARCH_EARLIER_H

#include "tools/lib/affine/search_node.h"

/* The present iterations of level l may be two runs, which by chance met. Tries a new level outside it, whose second
 * iteration begins with the present iteration of l, with one that the next value points back to, or with one where
 * bounds change. True: the stream is solved. */
bool search_earlier_end(search *x, const search_node *n, unsigned l);

#endif
