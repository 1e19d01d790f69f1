/* SPDX-License-Identifier: MIT */
/* The last steps of cfg_build.c: which branches decide whether an instruction executes. */
#ifndef WEFT_TOOLS_LIB_MACHINE_CFG_CONTROL_H
#define WEFT_TOOLS_LIB_MACHINE_CFG_CONTROL_H

#include "tools/lib/machine/cfg_graph.h"

/* Immediate post-dominators: Cooper, Harvey & Kennedy 2001, on the reversed graph. Each vertex reaches the exit after
 * it. */
void cfg_dominators_find(cfg *g);
/* The branches on which each vertex depends. */
void cfg_controls_find(cfg *g);

#endif
