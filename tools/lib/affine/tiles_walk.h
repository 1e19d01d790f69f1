/* SPDX-License-Identifier: MIT */
/* Reading on, from row to row, as the points seen so far suggest. */
#ifndef WEFT_TOOLS_LIB_AFFINE_TILES_WALK_H
#define WEFT_TOOLS_LIB_AFFINE_TILES_WALK_H

#include "tools/lib/affine/tiles_reading.h"

typedef enum tiles_progress { STUCK, ENOUGH, ENDED } tiles_progress;

/* Goes on until `enough` values are read, there is no room for forks, the stream ends, or nothing leads on. */
tiles_progress tiles_walk(tiles_reading *r, uint64_t enough);

#endif
