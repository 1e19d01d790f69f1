/* SPDX-License-Identifier: MIT */
/* A run as its executed instructions, one by one: how often each ran and what followed it, and the activations of
 * functions, which go into tables of functions (functions.h) as they begin and end. For recordings from which
 * every instruction is known: execution_full.h reads full recordings, tools/lib/wet/executed.h whole execution traces.
 *
 * A function is a symbol of the image; what has no symbol is the function "?". A call enters one, a return leaves it, a
 * jump into another one (a tail call) takes its place; a jump back into one further down the stack (longjmp) ends those
 * above it. Each exception handler has a stack of its own, and so has each thread
 * (tools/lib/machine/who_runs.h). Contexts have the numbers of recordings with probes: 0 for the first thread, the
 * exception's number, VECTORS_THREAD and up for further threads in the order in which they start.
 *
 *     execution *run = execution_new(im, all, choice);        all: functions_new(), or NULL if only counts are wanted
 *     uint32_t at = execution_instruction(run, ...);          for each static instruction
 *     execution_step(run, at, passed);
 *     execution_finish(run);
 *     execution_free(run);
 *
 * Memory grows with the program, its ways and the depth of its stack, not with the length of the run. */
#ifndef WEFT_TOOLS_LIB_PROFILE_EXECUTION_H
#define WEFT_TOOLS_LIB_PROFILE_EXECUTION_H

#include "tools/lib/image/image.h"
#include "tools/lib/machine/decode.h"
#include "tools/lib/machine/who_runs.h"
#include "tools/lib/profile/functions.h"

#define EXECUTION_NONE UINT32_MAX

typedef struct execution_choice {
    bool one_context; /* tables of functions, counts and ways hold only what happened in `context` */
    uint32_t context;
} execution_choice;

/* A static instruction. */
typedef struct executed {
    thumb_insn insn;
    uint32_t function; /* its number in the tables */
    uint64_t count;    /* executions */
    uint64_t entered;  /* executions that began an activation: nothing of it came before */
    uint32_t ways;     /* the first way out of it, the one that was taken last; EXECUTION_NONE: none */
} executed;

/* Two instructions that followed each other in an activation; what a call executed does not stand between them. */
typedef struct executed_way {
    uint32_t from, to;
    uint64_t count;
    uint32_t next; /* of the same `from` */
} executed_way;

typedef struct execution {
    const image *im;
    executed *all;
    uint32_t count;
    executed_way *way;
    uint32_t way_count;
    uint64_t steps; /* instructions executed, those included whose condition did not hold */
    struct execution_own *own;
} execution;

/* What a feed (execution_full.h, tools/lib/wet/executed.h) has come to. */
typedef enum execution_fed {
    EXECUTION_MORE,
    EXECUTION_END,
    EXECUTION_CUT,  /* all up to a damaged or missing end was added, and the message says what is wrong */
    EXECUTION_WRONG /* it cannot be added, and the message says why */
} execution_fed;

/* Adds the functions of the image to the tables, and the names of threads to the image. Both outlive the run. */
execution *execution_new(const image *im, functions *all, execution_choice choice);
void execution_free(execution *run);

/* Is called for each block: instructions at [first, end) that executed one after the other, up to one that may go
 * elsewhere or to where something else came between. In the order in which they end. */
typedef struct execution_blocks {
    void *own;
    void (*block)(void *own, uint32_t first, uint32_t end, uint32_t instructions);
} execution_blocks;
void execution_on_block(execution *run, execution_blocks listener);

/* What a listener keeps of an activation: all zero at its entry. */
typedef struct execution_activation {
    uint32_t path, place;
} execution_activation;

/* Is called for the ways that activations take, as paths (executed_paths.h). `way`: instruction `to` begins a block of
 * the activation; `left`: the instruction that led to it, if that is neither a jump nor just before it, else
 * EXECUTION_NONE. `end`: instruction `last` has jumped backward in its function, or the activation has ended. */
typedef struct execution_ways {
    void *own;
    void (*way)(void *own, execution_activation *a, uint32_t left, uint32_t to);
    void (*end)(void *own, execution_activation *a, uint32_t context, uint32_t last);
} execution_ways;
void execution_on_way(execution *run, execution_ways listener);

/* Whether a block ends with an instruction, wherever it goes on. */
static inline bool execution_divides(const thumb_insn *insn)
{
    return insn->flow == THUMB_BRANCH || insn->flow == THUMB_SWITCH || insn->flow == THUMB_RETURN;
}

/* The number of a static instruction: an address, for it may be met in several recordings. EXECUTION_NONE: the image
 * has other bytes there. */
uint32_t execution_instruction(execution *run, uint32_t pc, const uint8_t *bytes, unsigned size, unsigned condition);
/* What they are compared with. */
struct compared_image *execution_compared(execution *run);
/* Whether the image fits the instructions since execution_restart. False: a message. */
bool execution_fits(const execution *run, char *message, size_t message_size);
/* The instruction at an address, if it has a number; else EXECUTION_NONE. */
uint32_t execution_find(const execution *run, uint32_t pc);
void execution_step(execution *run, uint32_t instruction, bool passed);
/* The instruction that executed last has set the stack pointer. */
void execution_stack(execution *run, uint32_t stack);
/* The same has loaded or stored; and whether anybody asks for that. */
void execution_access(execution *run, uint32_t address, uint32_t size, bool store);
bool execution_wants_accesses(const execution *run);
/* `stack`: the stack pointer afterwards. */
void execution_exception(execution *run, const who_exception *e, uint32_t stack);
/* The frame of the innermost handler; 0: none runs. */
uint32_t execution_frame(const execution *run);
/* The address of the instruction that executed last in the context that runs. */
uint32_t execution_pc(const execution *run);
/* Another recording begins: all activations end. */
void execution_restart(execution *run);
/* Gives the tables what is left, and the costs of lines. */
void execution_finish(execution *run);
/* Pointers to all its instructions, in the order of their addresses, from malloc. */
const executed **execution_by_address(const execution *run);

#endif
