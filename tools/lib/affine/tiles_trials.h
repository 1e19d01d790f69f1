/* SPDX-License-Identifier: MIT */
/* The shapes to try for a stream: its blocks are taken for full tiles, in any order of the loops over them. */
#ifndef WEFT_TOOLS_LIB_AFFINE_TILES_TRIALS_H
#define WEFT_TOOLS_LIB_AFFINE_TILES_TRIALS_H

#include "tools/lib/affine/tiles_reading.h"

/* A trial's start: from which block, and in which direction first. */
enum { FROM_FIRST, FROM_LAST, FROMS };

typedef struct tiles_trial {
    uint64_t origin[FROMS];
    tiles_shape shape;
    bool dead[FROMS];      /* the trial has ended without a nest */
    unsigned order;        /* as found */
    uint64_t reached;      /* values read */
    uint64_t tried, spent; /* work that was allowed, and done the last time */
} tiles_trial;

typedef struct tiles_trials {
    tiles_trial trial[TILES_TRIALS];
    unsigned count;
    tiles_fork fork[TILES_FORKS]; /* of the one that is tried */
} tiles_trials;

/* Finds the shapes of at most depth_max levels that the blocks of the stream suggest. */
void tiles_trials_find(tiles_trials *all, const int64_t *values, uint64_t count, unsigned depth_max);

#endif
