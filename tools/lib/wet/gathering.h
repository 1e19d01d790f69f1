/* SPDX-License-Identifier: MIT */
/* What the steps of reading a trace share; gather.c lists the steps. Private to the room. */
#ifndef WEFT_TOOLS_LIB_WET_GATHERING_H
#define WEFT_TOOLS_LIB_WET_GATHERING_H

#include "tools/lib/machine/who_runs.h"
#include "tools/lib/wet/activation.h"
#include "tools/lib/wet/trace.h"

#define GATHER_WORDS_MAX 16384u /* words of one path */

/* The tree of paths: a state is a prefix. */
typedef struct gather_state {
    uint32_t statement, next; /* the way taken last */
    uint32_t node;            /* WET_NONE: no path ended here yet */
} gather_state;

/* Where interrupted code goes on (0: not known), and the IT bits of its xPSR. */
typedef struct wet_resume {
    uint32_t pc, it;
} wet_resume;

typedef struct gather_waiting {
    uint32_t frame, entry;
} gather_waiting;

/* One per exception entry, in order; and those whose return was not met yet. */
typedef struct gather_resumes {
    wet_resume *all;
    uint32_t count;
    size_t max;
    gather_waiting *waiting;
    uint32_t waiting_count, low, high;
    size_t waiting_max;
    who_runs who;
    thumb_insn last; /* executed; size 0: none */
    bool passed, completed;
    uint32_t next; /* not 0: an exception came last, and the run goes on there */
} gather_resumes;

/* The floating point registers that an extended frame has: s0..s15, FPSCR. */
typedef struct gather_core {
    uint32_t frame, values[17];
} gather_core;

/* What each execution of a node does, in order; made once per node (gather_plan.c). Operations are numbers in the
 * node. */
typedef struct gather_access {
    uint32_t slot; /* of the address */
    uint8_t operation, size;
    bool store;
} gather_access;

typedef struct gather_branch {
    uint32_t branch; /* of the procedure */
    uint8_t operation;
} gather_branch;

typedef struct gather_plan {
    gather_access *accesses;
    gather_branch *branches;
    uint32_t access_count, branch_count, dependences;
    uint64_t defines;     /* locations */
    uint8_t definers[64]; /* of each: the last operation that defines it */
} gather_plan;

typedef struct gather {
    wet_trace *t;
    gather_plan *plans; /* of each node */
    uint32_t plan_count;
    size_t plan_max;
    gather_resumes resumes;
    uint64_t exceptions_seen, entries_seen;
    bool v8m;            /* the core is of ARMv8-M */
    gather_core *frames; /* extended ones that no return has taken */
    uint32_t frame_count;
    size_t frame_max;
    uint32_t *static_of; /* full number -> static */
    size_t static_of_max;
    uint32_t *exceptions; /* statics that are exceptions: few */
    uint32_t exception_count;

    gather_state *states;
    uint32_t state_count;
    size_t state_max;
    uint64_t *ways; /* (state, statement) + 1 -> next, open addressing */
    uint32_t *way_next;
    uint32_t way_slots, way_count;

    /* The current path. */
    uint32_t path[WET_OPERATIONS_MAX], path_length, path_operations, state;
    uint32_t words[GATHER_WORDS_MAX], word_count;
    uint32_t last_static; /* of the instruction before, in this thread; WET_NONE at first and where a handler starts */
    bool last_passed;
    bool taken;                            /* it was a branch that was taken, for the architecture history */
    uint32_t last_producer, last_instance; /* its last operation, once its path has ended */

    uint32_t registers[64]; /* as the statements wrote them; WET_IPSR */
    uint64_t known;         /* those that were written */
    uint32_t defined[64];   /* producers */
    wet_memory *memory;
    wet_activations *activations;
} gather;

/* The first reading: the control flow graph of the program, with the ways that indirect jumps took. False and a
 * message: the recording cannot be read, or is not of this program. */
bool gather_graph(wet_trace *t, const char *full, gather_resumes *resumes, bool *cut, char *message, size_t size);

/* Of the first reading (gather_resume.c): the next event, and its instruction. */
void gather_resume_event(gather_resumes *r, const full_event *event, const thumb_insn *insn);
void gather_resumes_free(gather_resumes *r);

/* Of the second, for snapshots and schedule (gather_moment.c): an executed instruction with r0 and r1 before it; what
 * the core does at an exception of this kind (wet_static), before and after its node; the end of a path of this node;
 * that of a window. */
void gather_moment_executed(gather *g, const full_event *event, const thumb_insn *insn, uint32_t r0, uint32_t r1);
void gather_moment_before(gather *g, const full_event *event, uint8_t kind);
void gather_moment_after(gather *g, const full_event *event, uint8_t kind);
void gather_moment_path(gather *g, uint32_t node);
void gather_moment_window(gather *g);

/* Step 1. */
uint32_t gather_static(gather *g, const full_instruction *instruction);
uint32_t gather_exception(gather *g, const full_event *event, uint8_t kind);
uint32_t gather_statement(gather *g, uint32_t at, const full_event *event);

/* The tree of paths: the state that a statement leads to. State 0 is the root. */
void gather_root(gather *g);
uint32_t gather_way(gather *g, uint32_t state, uint32_t statement);
static inline uint32_t gather_next(gather *g, uint32_t state, uint32_t statement)
{
    return g->states[state].statement == statement ? g->states[state].next : gather_way(g, state, statement);
}

/* Step 4: the node of the current path; its number. */
uint32_t gather_node(gather *g);
/* The plan of the node that was made last. */
void gather_plan_add(gather *g);
void gather_plans_free(gather *g);
/* Steps 5 and 6: fills the producers of a row that has its words, and notes what the execution defines. */
void gather_dependences(gather *g, wet_node *node, uint32_t *row, uint32_t instance);

/* Reads a recording from start to end. False and a message: it cannot be read. *cut and a message: it is cut. */
bool gather_read(const char *path, bool *cut, char *message, size_t size, bool (*take)(void *, const full_event *),
                 void *context);

#endif
