/* SPDX-License-Identifier: MIT */
/* What the steps of greedy.c work on: the sequence as slots, and the places where repeats begin.
 *
 *     slots      0  1  2  3  4  5            code   a  b  A  -  b  c      A: a loop that took the place of two symbols
 *     next       1  2  4  0  5  6            the slot of the next symbol; 0: this one is dead */
#ifndef WEFT_TOOLS_LIB_LOOPS_GREEDY_STATE_H
#define WEFT_TOOLS_LIB_LOOPS_GREEDY_STATE_H

#include "tools/lib/loops/nest.h"
#include "tools/lib/loops/repeats.h"
#include "tools/lib/loops/rotations.h"

enum { NONE = 0xffffffff };

/* Where copies of a period begin; the places of one period are a chain. */
typedef struct place {
    uint32_t slot, chain;
} place;

/* A run found in the sequence as it is now, and what its neighbours leave of it. Positions count symbols from the first
 * of the runs that overlap each other. */
typedef struct candidate {
    uint32_t slot; /* of its first symbol that is left ... */
    uint64_t base; /* ... and its position */
    uint32_t stop; /* the slot after the last */
    uint32_t turn; /* the slot from which on no further square begins */
    uint64_t start, end, low, high;
    uint64_t best;       /* where the chosen repeat would start ... */
    uint32_t iterations; /* ... and its iterations; 0: none */
} candidate;

typedef struct greedy {
    nest *nest;
    uint32_t least;    /* iterations that a loop must have: 2, or 4 */
    bool near_optimal; /* rotate bodies, share overlapping runs by order */

    /* the sequence */
    uint32_t size;         /* slots */
    uint32_t used;         /* symbols of the sequence now */
    uint32_t *code;        /* one more than slots: an end that equals nothing */
    uint32_t *next, *prev; /* links; next[i] == 0: dead; the last links to `size` */

    /* places (greedy_places.c) */
    uint32_t reach;  /* the largest period of this stage */
    uint32_t *head;  /* by period up to reach: first place + 1 */
    uint32_t lowest; /* all places have at least this period */
    uint32_t place_left;
    place *places;
    uint32_t place_count, place_free;
    size_t places_max;
    run_list runs; /* of the whole sequence when they were found, by rising period, as slots */
    size_t runs_at;
    bool runs_known;
    uint32_t *changed; /* slots of the loop symbols made since then */
    size_t changed_count, changed_max;
    uint32_t *window, *window_slot; /* a neighbourhood that is being searched */
    size_t window_max;
    runs_work work;
    run_list found; /* in a neighbourhood */
    size_t work_max;

    /* a round (greedy.c) */
    candidate *candidates;
    size_t candidate_count, candidates_max;
    uint32_t *heap; /* of candidates */
    size_t heap_max;
    uint32_t *body; /* of the repeat that is being replaced */
    size_t body_max;
    rotations known; /* near-optimal */
} greedy;

/* Closes the gaps: slots are positions again. */
void greedy_compact(greedy *g);
/* Step 5: all places of periods up to `reach` that are not found yet. */
void greedy_begin_stage(greedy *g, uint32_t reach);
/* Step 4: searches around changed[first ..]. */
void greedy_search_changed(greedy *g, size_t first);
/* Takes the places of a period: their slots, rising, are in window_slot; gives their number. */
size_t greedy_take_places(greedy *g, uint32_t period);

#endif
