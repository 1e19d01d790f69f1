/* SPDX-License-Identifier: MIT */
/* A tree of loops, for the files that build and show it. */
#ifndef WEFT_TOOLS_LIB_LOOPS_TREE_DATA_H
#define WEFT_TOOLS_LIB_LOOPS_TREE_DATA_H

#include "tools/lib/loops/tree.h"

#define NONE UINT32_MAX

/* Equal loops in the same group. */
typedef struct group {
    uint32_t parent, shape; /* parent NONE: in the root */
    uint32_t child, last_child, sibling;
    uint32_t loop;                  /* the first that was met, ... */
    uint64_t start;                 /* ... its position */
    uint32_t least, most;           /* iterations */
    uint64_t body_least, body_most; /* symbols in one */
    uint64_t places;
    double symbols; /* of all iterations of all runs */
    unsigned depth;
} group;

struct nest_tree {
    const nest *nest;
    nest_namer *name;
    void *context;
    path_places where; /* `at` NULL: not given */
    uint64_t *bodies;  /* symbols in one iteration of each loop */
    uint32_t *shapes;  /* of each loop: the first loop with that body, whatever the iterations */
    group *groups;     /* in the order in which they were met */
    size_t count, max;
    uint32_t first, last; /* groups in the root */
    uint32_t *slots;      /* by parent and shape: group + 1 */
    size_t slot_count;
    /* while the nest is walked */
    uint32_t at[NEST_DEPTH_MAX + 1];  /* the group of each loop around */
    double times[NEST_DEPTH_MAX + 1]; /* how often the loops around run this one */
};

#endif
