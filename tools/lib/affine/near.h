/* SPDX-License-Identifier: MIT */
/* A search puts bounds that nothing has reached yet far beyond the present index (SEARCH_FAR_BEYOND). Where a nest
 * keeps such a bound, it is brought as near as the nest's own accesses allow, so that a reader of the nest sees how
 * far its loops go. */
#ifndef WEFT_TOOLS_LIB_AFFINE_NEAR_H
#define WEFT_TOOLS_LIB_AFFINE_NEAR_H

#include "tools/lib/affine/nest.h"

/* `values`: the nest->accesses values that the nest generates; it generates them still. A nest that then ends by
 * itself becomes whole. */
void affine_bring_near(affine_nest *nest, const int64_t *values);

#endif
