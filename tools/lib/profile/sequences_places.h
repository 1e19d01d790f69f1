/* SPDX-License-Identifier: MIT */
/* Sequences as they are counted: the graph that sequences.c makes of what it is given, and sequences_order.c reads. */
#ifndef WEFT_TOOLS_LIB_PROFILE_SEQUENCES_PLACES_H
#define WEFT_TOOLS_LIB_PROFILE_SEQUENCES_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { ROOT = 0 /* place and edge before an activation's first path */ };

typedef struct place {
    uint32_t before, path;
    uint32_t length; /* of its sequence, up to k - 1 */
    uint32_t hash;   /* of its sequence, if it is of k - 1 paths */
} place;

typedef struct edge {
    uint64_t count;
    uint32_t path, to;
    uint32_t from;
    uint32_t next; /* the edge that followed it the last time; 0: none yet */
} edge;

/* Open addressing: numbers of elements by hash; 0: free. */
typedef struct table {
    uint32_t *slot;
    uint32_t used, mask;
} table;

/* A window of a forest: the sequence of a place, filled up with ends. */
typedef struct window {
    uint32_t place;
    unsigned length;
    uint64_t count;
} window;

/* The windows in the order of their paths. */
typedef struct sorted_windows {
    bool done;
    const uint32_t *rank; /* of paths, in that order */
    size_t count;
    uint64_t *sums;           /* of the counts of the windows before each */
    uint8_t *length, *shared; /* paths of each; of them, the first that the window before begins with too */
    uint32_t *fresh;          /* the others, of all windows */
    size_t fresh_count, fresh_max;
} sorted_windows;

static inline void sorted_windows_free(sorted_windows *w)
{
    free(w->sums);
    free(w->shared);
    free(w->length);
    free(w->fresh);
}

struct sequences {
    unsigned k;
    uint64_t events;
    place *places;
    edge *edges;
    uint32_t place_count, edge_count;
    size_t places_max, edges_max;
    table full, steps; /* places of k - 1 paths; edges */
    window *windows;
    size_t window_count, windows_max;
    sorted_windows sorted; /* for sequences_each */
};

#endif
