/* SPDX-License-Identifier: MIT */
/* The nest of a stream that was read to both ends: the faces of its hull become the bounds of its loops. */
#ifndef WEFT_TOOLS_LIB_AFFINE_TILES_BUILD_H
#define WEFT_TOOLS_LIB_AFFINE_TILES_BUILD_H

#include "tools/lib/affine/nest.h"
#include "tools/lib/affine/tiles_reading.h"

/* Fills in nest->base, accesses and level[0..depth-1], which the caller has set to 0. False: no such nest gives the
 * stream. */
bool tiles_build(tiles_reading *r, affine_nest *nest);

#endif
