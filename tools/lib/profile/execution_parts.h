/* SPDX-License-Identifier: MIT */
/* What the steps of execution_run.c share: contexts with their activations, and what waits to be given to the tables.
 */
#ifndef WEFT_TOOLS_LIB_PROFILE_EXECUTION_PARTS_H
#define WEFT_TOOLS_LIB_PROFILE_EXECUTION_PARTS_H

#include "tools/lib/base/numbering.h"
#include "tools/lib/image/compared.h"
#include "tools/lib/profile/execution.h"

/* An activation. */
typedef struct execution_call {
    uint32_t function;
    uint32_t return_to; /* EXECUTION_NONE: no caller waits for it */
    uint32_t last;      /* its instruction that executed last */
    execution_activation walked;
    bool stack_known;
    uint32_t stack, lowest; /* the stack pointer at its entry, and the lowest one since */
} execution_call;

typedef struct execution_context {
    uint32_t number;
    execution_call *calls;
    size_t depth, max;
    uint32_t last; /* the instruction that executed last; EXECUTION_NONE: none */
    bool begun, last_passed, stack_known;
    uint32_t stack, highest; /* the stack pointer, and the highest one since it was set to this stack */
} execution_context;

struct execution_own {
    functions *tables;
    execution_choice choice;
    numbering numbers;     /* of addresses */
    uint32_t *function_of; /* by symbol */
    uint32_t nameless;     /* the function "?" */
    size_t executed_max, way_max;
    execution_context *contexts;
    size_t context_count, context_max;
    uint32_t current; /* context */
    who_runs who;
    execution_blocks blocks;
    execution_ways ways;
    compared_image fits;                          /* with the recording that is read */
    uint32_t block_first, block_end, block_count; /* the one that is not over; count 0: none */
    uint64_t unspent; /* instructions of the top activation that the tables do not have yet */
};

static inline function_place execution_place(const image *im, uint32_t address)
{
    const image_line *line = image_line_at(im, address);
    return line && line->file ? (function_place){line->file, line->line} : (function_place){0};
}

/* Of the function that starts there. */
static inline function_place execution_declared(const image *im, uint32_t start)
{
    const image_line *line = image_function_line(im, start);
    return line && line->file ? (function_place){line->file, line->line} : (function_place){0};
}

static inline bool execution_is_wanted(const struct execution_own *own, const execution_context *c)
{
    return own->tables && (!own->choice.one_context || own->choice.context == c->number);
}

static inline execution_context *execution_current(const struct execution_own *own)
{
    return &own->contexts[own->current];
}

/* Gives the top activation what it executed since. */
void execution_spend(struct execution_own *own);
/* Ends activations of the context that runs until `depth` of them are left. */
void execution_leave_to(struct execution_own *own, size_t depth);
/* Tells the tables how deep the stack of the context that runs is; of one that has not begun to run, nothing: it has no
 * name yet. */
void execution_report_stack(struct execution_own *own);
/* Step 1: the last instruction of this context led to this one. */
void execution_follow(execution *run, const executed *to);

#endif
