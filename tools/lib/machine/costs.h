/* SPDX-License-Identifier: MIT */
/* What paths cost: the machine instructions that they execute in their function, from the ELF alone, without those that
 * serve only the probes. Counted on the machine code (tools/lib/machine/walk.h). The machine may have a choice that the
 * path does not decide, such as a comparison of 64 bits in two steps: then there is a least and a most.
 *
 * Estimated where a loop has no probe, since the compiler made it of something else, and how often it goes round is not
 * known: it counts once. And where the machine code is not understood: there the instructions of a function are shared
 * by source lines, the blocks that hold a line share its instructions evenly, and a path costs what its blocks do.
 *
 * The three paths of `scale` in walk.h: {8, 8, 10, 10}, {5, 5, 7, 7} and {5, 5, 7, 7} as least, most, least_all,
 * most_all. Run 5, 3 and 3 times, they cost 40, 15 and 15, as `weft hot` says. */
#ifndef WEFT_TOOLS_LIB_MACHINE_COSTS_H
#define WEFT_TOOLS_LIB_MACHINE_COSTS_H

#include "tools/lib/image/program.h"

typedef struct path_cost {
    uint32_t least, most;         /* instructions of the program */
    uint32_t least_all, most_all; /* with those of the probes; 0 if the code is not understood */
    uint32_t rare, rare_all;      /* what one execution in 65,535 may take more, of those of a loop's pass */
    bool estimated;
} path_cost;

typedef struct path_costs path_costs;

/* `app` outlives the costs. */
path_costs *costs_open(program *app);
void costs_close(path_costs *all);
/* Understands the code of functions on all cores, so that the questions below are answered at once. `wanted`: by number
 * of the descriptor. */
void costs_prepare(path_costs *all, const bool *wanted);
/* By global path number; an estimate of 1 if there is no such path. */
path_cost costs_of(path_costs *all, uint32_t path);
/* Instructions from the end of a path to the call, that included, with which the block begins that the path enters.
 * They belong to the next path; if a longjmp unwinds the activation meanwhile, there is none. `probes`: also those that
 * serve only the probes. 0: not known. */
uint32_t costs_lead(path_costs *all, uint32_t path, bool probes);

#endif
