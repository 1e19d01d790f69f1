/* SPDX-License-Identifier: MIT */
/* Sequences as they are counted: the graph that sequences.c makes of what it is given, and sequences_order.c reads. */
#ifndef WEFT_TOOLS_LIB_PROFILE_SEQUENCES_PLACES_H
#define WEFT_TOOLS_LIB_PROFILE_SEQUENCES_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "tools/lib/profile/sequences_windows.h"

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

/* What a stream's second time needs to know of an edge of the first (sequences_sieve.c). */
typedef struct sieve_edge {
    uint32_t next;   /* the edge that followed it the last time, this time; 0: none yet */
    uint32_t number; /* of its sequence of all paths among the frequent ones, from 1 on; 0: it is not one */
} sieve_edge;

/* The second time a state is an edge between numbers, or else one of the first time and OUT. */
#define OUT (UINT32_C(1) << 31)

typedef struct sieve {
    struct sequences *brief; /* what was counted the first time */
    unsigned added;          /* paths of a sequence beyond its numbers: a number stands for one path more than that */
    sieve_edge *edges;
    uint32_t *origin; /* the edge of each number; of 0 the first one of all */
    uint32_t numbers;
    bool lent;    /* brief and origin belong to another one */
    bool strange; /* something else came the second time */
} sieve;

struct sequences {
    unsigned k;
    kept_stream *stream; /* NULL: places and edges have all */
    sieve *sieve;        /* NULL: all is counted. Else its paths are numbers of frequent sequences */
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

static inline uint32_t hash_on(uint64_t hash, uint32_t value)
{
    hash = (hash * 0x9e3779b97f4a7c15u + value + 1) * 0xd6e8feb86659fd93u;
    return (uint32_t)(hash >> 32);
}

/* The edge that leads away from a place by a path; 0: none does. */
static inline uint32_t known_edge(const struct sequences *all, uint32_t from, uint32_t path)
{
    uint32_t slot = hash_on(from, path) & all->steps.mask;
    for (uint32_t e; (e = all->steps.slot[slot]); slot = (slot + 1) & all->steps.mask)
        if (all->edges[e].from == from && all->edges[e].path == path)
            return e;
    return 0;
}

/* The state after `last`, when the first time came to edge `first`. */
uint32_t sequences_sieved(struct sequences *all, uint32_t last, uint32_t first);

/* Forgets all that was counted. */
void sequences_forget(struct sequences *all);
/* The least count of the `top` most frequent sequences of up to `depth` paths, 1 if there are fewer; 0: too many are as
 * frequent. */
uint64_t sequences_least(const struct sequences *all, unsigned depth, size_t top);

#endif
