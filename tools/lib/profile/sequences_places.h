/* SPDX-License-Identifier: MIT */
/* Sequences as they are counted: the graph that sequences.c makes of what it is given, and sequences_order.c reads. */
#ifndef WEFT_TOOLS_LIB_PROFILE_SEQUENCES_PLACES_H
#define WEFT_TOOLS_LIB_PROFILE_SEQUENCES_PLACES_H

#include <stddef.h>
#include <stdint.h>

enum { ROOT = 0 /* place and edge before an activation's first path */ };

typedef struct place {
    uint32_t before, path;
    uint32_t length; /* of its sequence, up to k - 1 */
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
};

#endif
