/* SPDX-License-Identifier: MIT */
/* Control-flow graphs of machine code, and control dependence.
 *
 * A procedure starts at each function symbol, each call's target and each exception handler, and reaches to the next
 * start. Its graph has an instruction a vertex. It holds all instructions of it that executed and all that direct
 * branches and falling through reach from these, executed or not, decoded from the image; jump tables and other
 * indirect jumps lead where they went in the run. A call goes on after itself, unless its callee came back elsewhere in
 * the run, and never after the call: a helper that looks the place up in a table, as compilers for a Cortex-M0 have for
 * switches. Then it leads where it went, as a jump table does. What leaves the procedure (returns, tail calls) goes to
 * its exit; so does an instruction that nothing known follows. While some vertex cannot reach the exit (an endless
 * loop), the one with the highest address among these gets an edge to the exit.
 *
 * Instruction x is control dependent on a branch b (two or more different ways out) if x post-dominates one of the
 * ways, but not b itself (Ferrante, Ottenstein & Warren 1987).
 *
 *     0      cmp r0, #0
 *     2      beq 6             b: its ways are 4 and 6
 *     4      adds r1, #1       post-dominates the way to 4, not b: control dependent on b
 *     6      bx lr             post-dominates both ways, and b: not dependent on it */
#ifndef WEFT_TOOLS_LIB_MACHINE_CFG_H
#define WEFT_TOOLS_LIB_MACHINE_CFG_H

#include "tools/lib/image/image.h"
#include "tools/lib/machine/decode.h"

typedef struct cfg cfg;

/* What is known of an instruction, after cfg_finish. */
typedef struct cfg_place {
    uint32_t procedure;
    uint32_t branch;          /* its number among the branches of the procedure; CFG_NO_BRANCH: it is none */
    const uint32_t *controls; /* branches of the procedure on which it is control dependent, ascending */
    uint32_t control_count;
} cfg_place;

#define CFG_NO_BRANCH UINT32_MAX

cfg *cfg_new(const image *im);
void cfg_free(cfg *g);

/* Before cfg_finish: an executed instruction (kept by value), a start of a procedure, a way that an indirect jump
 * took, and where a direct call, an executed one, came back. */
void cfg_add(cfg *g, const thumb_insn *insn);
void cfg_add_start(cfg *g, uint32_t pc);
void cfg_add_way(cfg *g, uint32_t from, uint32_t to);
void cfg_add_return(cfg *g, uint32_t call, uint32_t to);
void cfg_finish(cfg *g);

/* The procedure of any address. */
uint32_t cfg_procedure(const cfg *g, uint32_t pc);
uint32_t cfg_procedure_start(const cfg *g, uint32_t procedure);
/* Branches of a procedure. */
uint32_t cfg_branches(const cfg *g, uint32_t procedure);
/* An executed instruction's place. */
cfg_place cfg_at(const cfg *g, uint32_t pc);

#endif
