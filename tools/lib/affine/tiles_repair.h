/* SPDX-License-Identifier: MIT */
/* Reading to the end of the stream. Where no row leads on, an earlier choice was wrong: those choices are looked for
 * that, changed, lead farthest. */
#ifndef WEFT_TOOLS_LIB_AFFINE_TILES_REPAIR_H
#define WEFT_TOOLS_LIB_AFFINE_TILES_REPAIR_H

#include "tools/lib/affine/tiles_reading.h"

/* Reads from the origin to the stream's end in one direction. False: the shape does not fit, or r->work_max is used
 * up. */
bool tiles_read(tiles_reading *r, int sign);

#endif
