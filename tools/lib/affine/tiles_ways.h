/* SPDX-License-Identifier: MIT */
/* Rows that may come after the end of one: a level moves on, and the loops inside it start again, where the points
 * seen so far suggest or a little off it. */
#ifndef WEFT_TOOLS_LIB_AFFINE_TILES_WAYS_H
#define WEFT_TOOLS_LIB_AFFINE_TILES_WAYS_H

#include "tools/lib/affine/tiles_reading.h"

typedef struct tiles_ways {
    tiles_row way[TILES_CANDIDATES];
    unsigned count;
} tiles_ways;

/* What suggests where a loop starts. */
enum {
    BY_FACES,  /* the faces, even beyond the points seen: only for a loop over tiles that moves nothing */
    PLAINLY,   /* its tile, or the range of the points seen */
    BY_POINTS, /* the faces, within the range of the points seen */
    GUESSES
};

/* Adds the rows that come next if `level` moves on and as many loops as `elsewhere` (0 to 2) start off what `guess`
 * suggests. */
void tiles_add_ways(const tiles_reading *r, tiles_ways *all, unsigned level, unsigned guess, unsigned elsewhere);

/* All rows that may come next: any level, innermost first, and any guess. A level moves on only if all inside it can
 * have ended. */
void tiles_find_ways(tiles_reading *r, tiles_ways *all, unsigned elsewhere);

#endif
