/* SPDX-License-Identifier: MIT */
/* Limits of the search for tiled loops, each as unit : range : what a larger value does. None makes a result wrong:
 * every nest is checked against the stream. */
#ifndef WEFT_TOOLS_LIB_AFFINE_TILES_LIMITS_H
#define WEFT_TOOLS_LIB_AFFINE_TILES_LIMITS_H

#include "tools/lib/affine/hull.h"

enum {
    TILES_POINTS = HULL_POINTS,      /* loops over points, most */
    TILES_LEVELS = 2 * TILES_POINTS, /* levels, most: with a loop over tiles for each of them */

    /* Blocks: where full tiles are looked for, and which shapes they suggest. */
    TILES_SAMPLE = 1 << 17, /* values : 2^10 to 2^24 : sees larger tiles; more memory and time per window */
    TILES_WINDOWS = 8,      /* places : 2 to 64 : sees full tiles that are rare; more time in long streams */
    TILES_KINDS = 64,       /* kinds : 1 to 4096 : keeps more kinds of blocks apart; more time in noise */
    TILES_KINDS_TRIED = 4,  /* kinds per depth : 1 to TILES_KINDS : tries rarer kinds; fewer trials for the others */
    TILES_TRIALS = 400,     /* shapes : 1 to 10^5 : tries more orders and cuts of tiles; more memory and time */

    /* Work: the trials take turns. */
    TILES_SHARE = 16,   /* steps per trial : 1 to 10^4 : the first round lasts longer, and sorts the trials better */
    TILES_MORE = 16,    /* times : 2 to 1000 : each round lasts longer than the last; fewer of them */
    TILES_FAVOURED = 3, /* rank : 1 to 100 : spreads a round's work over more trials (this rank gets half of it) */
    TILES_FLATTER = 4,  /* times the work of the nest found : 0 to 100 : looks longer for one of fewer loops */
    TILES_LEAST = 300,  /* steps : 0 to 10^5 : looks at least so long for one of fewer loops */
    TILES_REPAIRS = 30, /* points : 1 to 10^4 : tries longer to make the faces leave out what is not in the stream */
    TILES_PATIENCE = 1 << 20, /* empty inner loops in a row : 2^8 to 2^24 : allows more gaps; slower to refuse */

    /* Rows: where the one after a row may start. */
    TILES_CANDIDATES = 256, /* rows : 1 to 10^4 : considers more of those that may come next; more work per place */
    TILES_OFF_UNTILED = 40, /* iterations : 1 to 1000 : loops without tiles may start farther from where they should */
    TILES_OFF_TILES = 4,    /* tiles : 0 to 100 : the same for loops with tiles, where the loop over them restarts */
    TILES_OFF_FEW = 8, /* iterations : 1 to 100 : tries more starts of loops that move nothing; more work per place */
    TILES_OFF_TRIES = (2 * TILES_OFF_FEW + 1) * (2 * TILES_OFF_TILES + 1), /* starts of such a loop in all */

    /* Repair: where reading is stuck, earlier choices are changed. */
    TILES_CHANGES = 3,  /* choices : 1 to 5 : changes more at once; work grows with its power */
    TILES_NEAR = 4,     /* rows : 1 to 100 : changes that belong together may lie farther apart; more work */
    TILES_WINDOW = 300, /* rows : 1 to TILES_FAR : changes older choices of any kind; more work */
    TILES_FAR = 2048, /* rows : 1 to TILES_FORKS / 2 : changes older choices where an outer loop moved on; more work */
    TILES_FORKS = 4096, /* rows : 2 * TILES_FAR to 10^6 : reads longer between two clean-ups; more memory */
    TILES_LOOK = 200,   /* rows : 1 to 10^5 : a changed choice has to lead farther before it is believed */
};

#endif
