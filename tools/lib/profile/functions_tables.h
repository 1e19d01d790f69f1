/* SPDX-License-Identifier: MIT */
/* What functions_stacks.c keeps besides its results, and the tables in which nodes and edges are found again. */
#ifndef WEFT_TOOLS_LIB_PROFILE_FUNCTIONS_TABLES_H
#define WEFT_TOOLS_LIB_PROFILE_FUNCTIONS_TABLES_H

#include "tools/lib/profile/functions.h"

/* An activation that has not ended. */
typedef struct functions_frame {
    uint32_t function, node, edge; /* edge: FUNCTIONS_NONE if the beginning was not recorded */
    uint64_t spent;                /* of its context, when it was entered */
    uint64_t time;                 /* of the run, likewise */
    function_place at;
} functions_frame;

typedef struct functions_context {
    uint32_t context, root; /* context stands first: by_context. root: its node */
    functions_frame *frames;
    size_t depth, max;
    uint64_t spent;
    uint32_t *live;    /* activations on it, by function */
    uint32_t *calling; /* those that an edge's calls began, by edge */
    size_t calling_count, calling_max;
} functions_context;

/* Open addressing: number of an element + 1; 0: free. */
typedef struct functions_table {
    uint32_t *slots;
    size_t max; /* a power of two */
} functions_table;

struct functions_own {
    functions_listener listener;
    size_t all_max, node_max, edge_max, line_max;
    functions_table nodes, edges;
    functions_context *stacks;
    size_t stack_count, stack_max, last; /* last: the one that was used last */
    uint32_t charged;                    /* node */
    bool clocked;
    uint64_t now; /* if clocked */
    bool *wanted; /* by function; NULL: all are */
};

/* The node of a function below `parent`, or, below the root, of a context; a new one if there is none. */
uint32_t functions_node_of(functions *all, uint32_t parent, uint32_t label);
/* The node of a call; directly below the context's when there are too many chains. */
uint32_t functions_chain_of(functions *all, const functions_context *s, uint32_t function);
/* The edge of a call, by the place that it is made at; likewise. */
uint32_t functions_edge_of(functions *all, uint32_t caller, uint32_t callee, function_place place);

#endif
