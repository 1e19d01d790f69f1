/* SPDX-License-Identifier: MIT */
/* What the steps of a slice share; slice.c lists the steps. Private to the room. */
#ifndef WEFT_TOOLS_LIB_WET_WALKER_H
#define WEFT_TOOLS_LIB_WET_WALKER_H

#include "tools/lib/wet/search.h"
#include "tools/lib/wet/tap.h"

#define BIT(n) (UINT64_C(1) << (n))
#define CLOSURES 16u /* sets of operations held per node. More: more memory, fewer are found anew */

/* A set of operations of a node and what follows from it. */
typedef struct closure {
    uint64_t key, closed; /* key 0: none */
    uint64_t locations;   /* backward: read from outside; forward: defined last by one of them */
    uint64_t controls;    /* backward */
    uint64_t hits;        /* executions that are not in the counts yet */
} closure;

/* A producer of an edge that leads to the newest of several (backward). */
typedef struct newest {
    uint32_t edge;
    uint64_t operation;
} newest;

/* An edge as it is followed. */
typedef struct link {
    const wet_edge *edge;
    wet_tap which, when, address; /* address: of WET_IN_STEP */
} link;

/* Memory that an operation accesses. */
typedef struct touch {
    wet_tap address;
    uint8_t size;
} touch;

/* A load: its edges; or none, and the memory that it reads: its stores are found by address. */
typedef struct load {
    link *links;
    uint32_t count;
    touch touch;
} load;

typedef struct node {
    /* what each step asks for comes first */
    uint64_t first;            /* number of its first execution, executions counted node after node */
    uint64_t pending;          /* operations wanted of the next execution met (backward) */
    uint64_t loads, searching; /* operations that load; those of them whose stores are found by address */
    uint64_t searched;         /* operations that store what such loads read */
    uint64_t reads, defines;   /* locations */
    uint32_t rank;             /* executions before the time at hand */
    uint32_t last_time;        /* of the execution before (forward) */
    uint32_t base;             /* number of its first producer */
    bool asked;                /* perhaps an edge of `newest` is wanted */
    uint8_t definers[64];      /* by location: the last operation that defines it */
    link *controls;
    load *load;
    touch *touches;        /* of the operations of `searched` */
    uint16_t *first_load;  /* of each operation, and one more */
    uint16_t *first_touch; /* the same */
    uint64_t *reach;       /* of each operation: itself and, backward, what it needs; forward, what needs it */
    uint64_t *outside;     /* of each operation: locations that it reads from outside */
    uint64_t *readers;     /* of each input: operations that read it */
    uint64_t *under;       /* of each control: operations that depend on it */
    newest *newest;        /* (backward) */
    uint32_t newest_count;
    size_t newest_max;
    uint64_t live_loads, live_controls; /* with a producer that was ever affected (forward) */
    closure closures[CLOSURES];
} node;

/* An edge of a producer (forward). */
typedef struct consumer {
    uint32_t node, next; /* next: index + 1 */
    uint8_t at;          /* operation that loads, or control */
    bool control;
} consumer;

typedef struct walker {
    wet_file *f;
    uint64_t *counts;    /* instances of each static instruction */
    uint64_t instances;  /* of statements */
    uint32_t statements; /* static instructions */
    void (*visit)(void *context, uint32_t node, uint32_t instance, uint64_t operations);
    void *context;
    bool forward;
    node *nodes;
    uint64_t *marks;       /* of each execution: operations (backward: wanted; forward: affected) */
    bool *wanted_edges;    /* of those with the newest of several producers (backward) */
    uint8_t *affected;     /* of each producer: some instance of it is affected (forward) */
    uint32_t *consumer_of; /* of each producer: index + 1 (forward) */
    consumer *consumers;
    uint32_t consumer_count;
    size_t consumer_max;
    uint64_t locations; /* backward: wanted; forward: affected */
    wet_bytes *bytes;   /* the same of memory, where edges are found by address */
} walker;

/* The end of an edge from the execution at hand. */
typedef struct origin {
    uint32_t producer, node, instance; /* producer 0: nobody */
    uint64_t operation;
} origin;

/* `before`: the executions up to this time are those before the first step. */
void slice_start(walker *w, wet_file *f, bool forward, uint32_t before);
/* Finishes the counts, and frees all but them. */
void slice_end(walker *w);

/* Adds the executions with a set of operations to the counts. */
void slice_count(walker *w, uint32_t number, closure *c);
void slice_make_closure(walker *w, uint32_t number, closure *c, uint64_t key);

/* `key`: at least one operation. */
static inline closure *slice_closure(walker *w, uint32_t number, uint64_t key)
{
    closure *c = &w->nodes[number].closures[key * UINT64_C(0x9e3779b97f4a7c15) >> 60];
    if (c->key != key)
        slice_make_closure(w, number, c, key);
    return c;
}

/* An execution has these operations in the slice. */
static inline void slice_hit(walker *w, uint32_t number, uint32_t instance, closure *c)
{
    c->hits++;
    if (w->visit)
        w->visit(w->context, number, instance, c->closed);
}

/* Where an edge of the execution at hand leads; producer 0: to nobody, or (forward) to nothing affected. */
origin slice_origin(walker *w, link *by, uint32_t number, uint32_t instance);

/* The next execution in the direction of the walk. */
void slice_step_backward(walker *w, uint32_t number, uint32_t instance);
void slice_step_forward(walker *w, uint32_t number, uint32_t instance, uint32_t time);

#endif
