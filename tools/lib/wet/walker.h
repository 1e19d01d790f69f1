/* SPDX-License-Identifier: MIT */
/* What the steps of a slice share; slice.c lists the steps. Private to the room. */
#ifndef WEFT_TOOLS_LIB_WET_WALKER_H
#define WEFT_TOOLS_LIB_WET_WALKER_H

#include "tools/lib/wet/slice_links.h"

#define BIT(n) (UINT64_C(1) << (n))
#define FLAG_FIRST 17u /* the walk has a location per flag (flags.h) from here on; FULL_FLAGS is none */
#define CLOSURES 64u   /* sets of operations held per node. More: more memory, fewer are found again */

/* What is wanted (forward: affected) of an execution, and what follows from it. */
typedef struct closure {
    uint64_t key, defines; /* operations; locations whose definitions here are wanted (backward). Both 0: none */
    uint64_t closed;       /* operations */
    uint64_t locations;    /* backward: read from outside; forward: defined last by one of them */
    uint64_t links;        /* backward: a bit for each; all of them, where a node has more than 64: what follows then */
    uint64_t controls;     /* backward */
    uint64_t hits;         /* executions that are not in the counts yet */
    uint64_t fills_a_line; /* of the cache: with it, a closure is one */
} closure;

/* Made once per file and direction: what is the same for all executions of a node, and the sets that were met. */
typedef struct slice_node {
    /* what each step asks for comes first */
    uint64_t defines;      /* locations */
    closure *last;         /* that a step began with */
    closure *closures;     /* CLOSURES of them; of the first node: of all, from memory_table */
    uint32_t links, rank;  /* how many there are (slice_log.h); of the next execution met */
    uint64_t loads;        /* operations that load */
    uint64_t reads;        /* locations */
    const uint32_t *first; /* link of each operation, and one more: the count of links */
    uint32_t controls;
    uint8_t definers[64]; /* by location: the last operation that defines it */
    uint64_t *reach;      /* of each operation: itself and, backward, what it needs; forward, what needs it */
    uint64_t *outside;    /* of each operation: locations that it reads from outside */
    uint64_t *readers;    /* of each input, and then of each flag: operations that read it from outside */
    uint64_t *under;      /* of each control: operations that depend on it */
} slice_node;

typedef struct walker {
    wet_file *f;
    slice_log *log;
    uint64_t *counts;    /* instances of each static instruction */
    uint64_t instances;  /* of statements */
    uint32_t statements; /* static instructions */
    void (*visit)(void *context, uint32_t node, uint32_t instance, uint64_t operations);
    void *context;
    bool forward;
    slice_node *nodes;
    uint64_t *marks;    /* of each execution by its timestamp: operations (backward: wanted; forward: affected) */
    uint64_t locations; /* backward: wanted; forward: affected */
} walker;

/* For a walker with file, log, direction and visit. `before`: the executions up to this time are those before the first
 * step forward, and those that a walk backward meets. All marks are 0, and must be 0 at the end. */
void slice_start(walker *w, uint32_t before);
/* Finishes the counts. */
void slice_end(walker *w);
/* NULL may be given. */
void slice_nodes_free(slice_node *nodes, uint32_t count);

/* Adds the executions with a set of operations to the counts. */
void slice_count(walker *w, uint32_t number, closure *c);
void slice_make_closure(walker *w, uint32_t number, closure *c, uint64_t key, uint64_t defines);

/* `key` or `defines`: not 0. */
static inline closure *slice_closure(walker *w, uint32_t number, uint64_t key, uint64_t defines)
{
    uint64_t hash = (key ^ defines * UINT64_C(0xd6e8feb86659fd93)) * UINT64_C(0x9e3779b97f4a7c15);
    closure *c = &w->nodes[number].closures[hash >> 58];
    if (c->key != key || c->defines != defines)
        slice_make_closure(w, number, c, key, defines);
    return c;
}

/* An execution has these operations in the slice. */
static inline void slice_hit(walker *w, uint32_t number, uint32_t instance, closure *c)
{
    c->hits++;
    if (w->visit)
        w->visit(w->context, number, instance, c->closed);
}

/* From the execution at `start` back to the first one. All marks are 0 then, but for that of time 0. */
void slice_walk_backward(walker *w, uint32_t start);
/* The next execution in the direction of the walk. */
void slice_step_forward(walker *w, uint32_t number, uint32_t time, const uint32_t *links);

#endif
