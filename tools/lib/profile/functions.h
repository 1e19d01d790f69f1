/* SPDX-License-Identifier: MIT */
/* Calls and instructions by function, as a stream: who called whom, how often, and what it cost. Feeders
 * (functions_probes.h, execution.h) say when an activation is entered and left and what was executed; the tables
 * below grow with the program and with the depth of its stack, not with the length of the run.
 *
 * Costs are instructions, or nanoseconds where there is a clock (functions_clock). `self` is what a function executed
 * itself, `inclusive` also what it called, counted once where it recurses. An interrupt or another thread is another
 * context with a stack of its own: no function pays for what interrupted it. Where the recording does
 * not say which way the machine took, costs are the least, and `more` is the most that may have to be added.
 *
 *     functions *all = functions_new();
 *     ... a feeder ...
 *     functions_finish(all);        activations that are still open end here
 *     functions_free(all); */
#ifndef WEFT_TOOLS_LIB_PROFILE_FUNCTIONS_H
#define WEFT_TOOLS_LIB_PROFILE_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUNCTIONS_NONE UINT32_MAX
/* Distinct chains of calls that are kept apart; of further ones only the last function is. Bounds the tree to 64 MB. */
#define FUNCTIONS_CHAINS_MAX (UINT32_C(1) << 20)

/* Text is the caller's and outlives the tables. */
typedef struct function_place {
    const char *file; /* NULL: not known */
    uint32_t line;    /* 0: not known */
} function_place;

typedef struct function_cost {
    const char *name;
    function_place place;
    uint64_t calls;
    uint64_t self, more;       /* instructions, and at most this many more */
    uint64_t estimated;        /* of self */
    uint64_t inclusive;        /* instructions */
    uint64_t whole, whole_sum; /* activations that were seen from their entry to their end, and their inclusive costs */
    uint64_t min, max;         /* of these; 0 if there are none */
    uint64_t min_at, max_at;   /* instructions of the run before it was entered */
    bool stack_known;
    uint32_t stack; /* the most bytes of stack that a call took, with what it called, without what interrupted it */
} function_cost;

/* A chain of calls. all->node[0] is the root; below it stands a node for each context, below these the functions. */
typedef struct call_node {
    uint32_t parent, function; /* function: FUNCTIONS_NONE in nodes of contexts */
    uint32_t context;
    uint32_t child, sibling; /* 0: none */
    uint64_t calls, self;
    uint64_t inclusive; /* after functions_finish */
} call_node;

/* Calls from a place in one function to another. */
typedef struct call_edge {
    uint32_t caller, callee;
    function_place place;      /* of the call */
    uint64_t calls, inclusive; /* inclusive: of a call within another one of this edge nothing, it is in that one's */
} call_edge;

/* What a source line cost a function. A line may be listed more than once. */
typedef struct line_cost {
    uint32_t function;
    function_place place;
    uint64_t self;
} line_cost;

/* A path that ran, of recordings with probes. */
typedef struct path_row {
    uint32_t path, function;
    uint64_t count, self; /* executions, and their instructions */
} path_row;

/* When something happened: instructions of the run so far, and those of its context; nanoseconds where the costs are
 * (functions_clock). */
typedef struct functions_moment {
    uint32_t context; /* FUNCTIONS_NONE: of no one */
    uint64_t time, spent;
} functions_moment;

/* What is missing in a gap, as far as it is known. */
typedef struct functions_loss {
    uint64_t paths, accesses, values;
    uint64_t bytes; /* of the file that are damaged */
} functions_loss;

/* Called while the run is read, in order. A function that is NULL is not called. */
typedef struct functions_listener {
    void *own;
    void (*enter)(void *own, const functions_moment *at, uint32_t function);
    void (*leave)(void *own, const functions_moment *at, uint32_t function);
    void (*gap)(void *own, const functions_moment *at, const functions_loss *loss);
    /* The activation on top executed so much, after it was added; `node`: its chain of calls. */
    void (*spend)(void *own, const functions_moment *at, uint32_t node, uint64_t cost);
    void (*stack)(void *own, const functions_moment *at, uint32_t bytes); /* that the context has in use from now on */
    /* A load or a store; `size` 0: not known, `known` false: nor is the address. */
    void (*access)(void *own, uint32_t function, uint32_t address, uint32_t size, bool store, bool known);
} functions_listener;

typedef struct functions {
    function_cost *all; /* some may never have run */
    size_t count;
    call_node *node;
    size_t node_count;
    call_edge *edge;
    size_t edge_count;
    line_cost *line;
    size_t line_count;
    path_row *path;
    size_t path_count;
    uint64_t total, more, estimated; /* the sums over all functions */
    uint64_t deeper;                 /* activations whose chain was beyond FUNCTIONS_CHAINS_MAX */
    uint64_t flat;     /* paths of functions whose calls do not end paths: their inclusive cost is not known */
    bool lines_shared; /* the costs of lines are a path's, shared evenly among its lines */
    struct functions_own *own;
} functions;

functions *functions_new(void);
void functions_free(functions *all);
void functions_listen(functions *all, functions_listener listener);
/* From now on costs are nanoseconds; the time is `now`. */
void functions_clock(functions *all, uint64_t now);
bool functions_clocked(const functions *all);
/* From now on the listener hears only what functions of this name do themselves. After functions_finish, the tables
 * hold only that, with the chains of calls that lead to them. Call it after the functions were added. False: no
 * function has the name. */
bool functions_only(functions *all, const char *name);
bool functions_wanted(const functions *all, uint32_t function);
bool functions_listened(const functions *all); /* there is a listener */

/* A function's number: 0, 1, 2... in the order of these calls, which come before all others. */
uint32_t functions_add(functions *all, const char *name, function_place place);
/* A call, from the place where the top activation is. */
void functions_enter(functions *all, uint32_t context, uint32_t function);
/* Where the top activation is, for the calls that it makes. */
void functions_at(functions *all, uint32_t context, function_place place);
/* The innermost activation of the function ends, and with it those above. Nothing if there is none. */
void functions_leave(functions *all, uint32_t context, uint32_t function);
/* Makes an activation of the function the top one: those above it end. If there is none, one whose beginning was not
 * recorded. */
void functions_resume(functions *all, uint32_t context, uint32_t function);
/* The top activation executed so much; the context has one. */
void functions_spend(functions *all, uint32_t context, uint64_t least, uint64_t more, bool estimated);
bool functions_wants_costs(const functions *all);
/* The chain of calls that was charged last: its node; 0: none yet. */
uint32_t functions_charged(const functions *all);
/* A call, and a cost, of a function whose entry and exit are not known. */
void functions_flat(functions *all, uint32_t context, uint32_t function, bool call, uint64_t least, uint64_t more,
                    bool estimated);
/* A call took `bytes` bytes of stack. */
void functions_stack(functions *all, uint32_t function, uint32_t bytes);
void functions_line(functions *all, uint32_t function, function_place place, uint64_t self);
/* The context has `bytes` bytes of stack in use from now on. */
void functions_stack_now(functions *all, uint32_t context, uint32_t bytes);
bool functions_wants_stack(const functions *all);
/* An access by a function; does nothing without a listener. */
void functions_access(functions *all, uint32_t function, uint32_t address, uint32_t size, bool store, bool known);
bool functions_wants_accesses(const functions *all);
/* Events are missing: all activations end here, and none of them is whole. */
void functions_gap(functions *all, functions_loss loss);
void functions_finish(functions *all);

#endif
