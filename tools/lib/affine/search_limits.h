/* SPDX-License-Identifier: MIT */
/* Limits of the best-first search, each as unit : range : what a larger value does. None makes a result wrong: every
 * nest is checked against the stream. */
#ifndef WEFT_TOOLS_LIB_AFFINE_SEARCH_LIMITS_H
#define WEFT_TOOLS_LIB_AFFINE_SEARCH_LIMITS_H

#include <stdint.h>

enum {
    SEARCH_REFITS = 60,  /* examples : 1 to 118 : takes in more of the past for one face; more work for nothing */
    SEARCH_OFF_ONE = 40, /* iterations (M of section 4.3, K = 1) : 1 to 1000 : farther lower bounds; more false ones */
    SEARCH_OFF_TWO = 3,  /* iterations (M, K = 2) : 0 to 10 : the same for two levels at once; more work per node */
    SEARCH_PATIENCE = 256,  /* empty inner loops in a row : 1 to 10^6 : allows nests with more gaps; slower to refuse */
    SEARCH_SHORT_ROWS = 32, /* lengths : 0 to 1000 : tries more lengths of the first row; more nodes at the start */
    SEARCH_FARTHER = 64,    /* steps : 0 to 10^4 : looks longer for a larger difference; better examples, more work */
    SEARCH_VISITS = 256,    /* slots : 1 to 65536 : fewer visit counts overwritten by others; more memory */
    SEARCH_STALLED = 1500,  /* expansions : 1 to 10^6 : a search without progress goes on longer */
    SEARCH_HOPELESS = 200,  /* expansions : 1 to 10^6 : a search that explains little goes on longer */
    SEARCH_REWIND = 20000,  /* rows : 1 to 10^7 : finds loops that ended longer ago (step 4); more work per trial */
    SEARCH_KINK = 4096,     /* iterations : 0 to 10^6 : finds later changes of a bound (step 4); more work per trial */
    SEARCH_SPARE = 256,     /* nodes of each depth : 0 to 10^4 : fewer are made again; more memory, about 10 KB each */
    SEARCH_WORK_FIT = 200,  /* rows : 1 to 10^4 : charges more for fitting faces, so a search may fit fewer of them */
};

/* indices : any that no bound reaches : new faces stay as far beyond the present index as the examples allow. */
#define SEARCH_FAR_BEYOND ((int64_t)1 << 30)

/* ln(values) per visit : 0 to 1 : spreads the expansions over more places of the stream; fewer at the most promising
 * one. */
#define SEARCH_DEFERRED 0.25

#endif
