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

/* An activation that was open where a part of a run began (functions_parts.h), and ended in it. */
typedef struct functions_ended {
    uint64_t spent;                /* of its context in the part, up to its end */
    uint64_t order;                /* activations that ended in the part before it */
    bool outermost, first_of_edge; /* no other activation of its function, or of its edge, was open */
    bool whole;
} functions_ended;

/* When the shortest and the longest activation of a function ended. */
typedef struct functions_order {
    uint64_t min, max; /* activations that ended in the part before it */
} functions_order;

typedef struct functions_context {
    uint32_t context, root; /* context stands first: by_context. root: its node */
    functions_frame *frames;
    size_t depth, max;
    uint64_t spent;
    uint32_t *live;    /* activations on it, by function */
    uint32_t *calling; /* those that an edge's calls began, by edge */
    size_t calling_count, calling_max;
    /* Of a part of a run: how many of the outermost activations were open where it began, and those that ended. */
    size_t before;
    functions_ended *ended;
    size_t ended_count, ended_max;
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
    uint64_t now;            /* if clocked */
    bool *wanted;            /* by function; NULL: all are */
    functions_order *orders; /* of a part of a run: by function; else NULL */
    uint64_t ended;          /* activations of it so far */
};

/* The stack of a context, valid until the next call, and a new activation on it. */
functions_context *functions_stack_of(functions *all, uint32_t context);
void functions_push(functions *all, functions_context *s, uint32_t function, uint32_t edge);
/* How many calls of an edge are under way in a context. */
uint32_t *functions_under_way(functions_context *s, uint32_t edge);
/* Takes an activation that was seen as a whole into the shortest and the longest. `best`, `order`: when these and it
 * ended, where that is not in order; else NULL. */
void functions_note_whole(function_cost *f, functions_order *best, uint64_t order, uint64_t cost, uint64_t at);
/* The node of a function below `parent`, or, below the root, of a context; a new one if there is none. */
uint32_t functions_node_of(functions *all, uint32_t parent, uint32_t label);
/* The node of a call; directly below the context's when there are too many chains. */
uint32_t functions_chain_of(functions *all, const functions_context *s, uint32_t function);
/* The edge of a call, by the place that it is made at; likewise. */
uint32_t functions_edge_of(functions *all, uint32_t caller, uint32_t callee, function_place place);

#endif
