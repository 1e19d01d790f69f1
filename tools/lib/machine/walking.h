/* SPDX-License-Identifier: MIT */
/* What the ends of paths and loops mean to the walks of tools/lib/machine/walk.h. */
#ifndef WEFT_TOOLS_LIB_MACHINE_WALKING_H
#define WEFT_TOOLS_LIB_MACHINE_WALKING_H

#include "tools/lib/image/descriptor.h"
#include "tools/lib/machine/routes.h"
#include "tools/lib/machine/starts.h"

typedef struct walk walk;

/* Instead of a block that a start enters. */
#define AT_ENTRY (BALLARUS_NONE - 1)
#define AT_LANDING (BALLARUS_NONE - 2)
#define NO_START BALLARUS_NONE /* no path starts here: the activation ends, or goes to a landing */

/* A walk to a path probe; or to a loop: what led to its first pass, or nothing, for the others. */
typedef struct found {
    uint32_t path;
    tally count;
    uint32_t next; /* the start that it led to, if the path goes on to the end of that; else ROUTINE_NONE */
    uint32_t loop; /* routine_step.counted, or 0 */
    uint32_t rest; /* path of the loop's other passes */
    uint32_t route;
    uint32_t full; /* instructions of probes more, where a pack is full */
} found;

typedef struct walker {
    uint32_t step;
    uint32_t route; /* the way here, where ways are kept */
    tally count;
    uint32_t loop;  /* it has passed the head of this loop last; 0: of none, or it has left it */
    tally at_head;  /* before the head */
    uint32_t again; /* some passes were recorded since: the block that the next one begins with; else BALLARUS_NONE */
    routine_state state;
} walker;

/* From a loop's head to its head. */
typedef struct pass {
    bool ended, slow_ended;
    walk_cost cost, slow; /* slow: those in which some passes are recorded */
    uint64_t heads;
} pass;

typedef struct entry {
    uint32_t path; /* + 1; 0: free */
    walk_cost cost;
} entry;

struct walk {
    const routine *r;
    const descriptors *all;
    const descriptor_function *f;
    starts starts;
    hashes seen;
    found *found;
    size_t found_count, found_max;
    walker *stack;
    size_t depth, stack_max;
    routes *routes;    /* NULL: ways are not kept */
    uint32_t steps;    /* taken in all */
    uint64_t loops;    /* heads of cycles that a walk came to twice */
    pass *passes;      /* by routine_step.counted - 1 */
    uint32_t *rotated; /* loops, by the path of their passes: the first pass has ended at their head */
    size_t rotated_count, rotated_max;
    bool given_up;
    uint32_t *blocks; /* scratch */
    entry *entries;   /* by path, open addressing */
    size_t entry_count, entry_max;
};

/* The number of the start. Starts may move. */
uint32_t walk_add_start(walk *w, const walk_start *s);
/* What does not matter from a step on is forgotten, so that equal is equal. */
void walk_keep_live(const walk *w, uint32_t step, routine_state *state);

/* A walk has come to a path probe. Starts may move. */
void walk_end_path(walk *w, uint32_t from, const walker *at);
/* A walk has left a loop, and has come to the call that records its passes: they may be some, and then a path starts at
 * the head; or none, and the walk goes on. Or it has come to a call in a loop. Starts may move. */
void walk_end_passes(walk *w, uint32_t from, walker *at);
/* A walk has come to the head of a loop. False: for the second time. Starts may move. */
bool walk_pass_head(walk *w, walker *at);
/* What the pass that a walk led to adds. False: no walk came to the head again. */
bool walk_pass_cost(const walk *w, const found *f, walk_cost *cost, uint64_t *heads);

#endif
