/* SPDX-License-Identifier: MIT */
/* Activations of procedures: calls, tail calls, returns, non-local jumps, exceptions, and thread switches by exception
 * returns to another frame. Each keeps the last instance of each of its branches, for control dependence: the parent of
 * an instruction is the latest of the branches that control it, in the same activation; else what called it. */
#ifndef WEFT_TOOLS_LIB_WET_ACTIVATION_H
#define WEFT_TOOLS_LIB_WET_ACTIVATION_H

#include "tools/lib/machine/cfg.h"
#include "tools/lib/wet/memory.h"

typedef struct wet_activations wet_activations;

wet_activations *wet_activations_new(const cfg *graph);
void wet_activations_free(wet_activations *all);

/* An instruction of the procedure executes, and none before led to it: the first of all, or of a handler, whose
 * activation is there already. */
void wet_activation_start(wet_activations *all, uint32_t procedure);
/* `branch`: of the caller, where the callee chooses where to come back (cfg.h); CFG_NO_BRANCH. */
void wet_activation_call(wet_activations *all, uint32_t procedure, uint32_t return_to, uint32_t branch,
                         wet_origin from);
/* A jump that leaves the procedure (a tail call): takes the activation's place. */
void wet_activation_jump(wet_activations *all, uint32_t procedure, wet_origin from);
/* Back to `pc`: the caller that waits there; else the nearest activation of that procedure, unless `pc` is its start (a
 * tail call); else a jump. If that activation's branch called what returns, `from` is the branch's instance. */
void wet_activation_return(wet_activations *all, uint32_t procedure, uint32_t pc, wet_origin from);
/* The instruction that executed last before an exception: a call or a return takes effect where the run goes on. */
typedef struct wet_interrupted {
    uint32_t instruction; /* static; UINT32_MAX: none */
    bool passed;
    wet_origin last; /* its last operation */
} wet_interrupted;

/* A handler starts; `frame` is where the core stored the registers. `chained`: in place of the one that ended. */
void wet_activation_interrupt(wet_activations *all, uint32_t procedure, uint32_t frame, bool chained,
                              wet_interrupted at);
/* A handler ends, and what the registers at `frame` belong to goes on; where it was interrupted. */
wet_interrupted wet_activation_resume(wet_activations *all, uint32_t procedure, uint32_t frame);

uint32_t wet_activation_procedure(const wet_activations *all);
/* The frame of the innermost handler; 0: none. */
uint32_t wet_activation_frame(const wet_activations *all);
/* A branch of the current procedure executed. */
void wet_activation_branch(wet_activations *all, uint32_t branch, wet_origin instance);
/* The parent of instructions controlled by these branches. */
wet_origin wet_activation_parent(const wet_activations *all, const uint32_t *branches, uint32_t count);

#endif
