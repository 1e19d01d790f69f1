/* SPDX-License-Identifier: MIT */
/* Handlers of the vector table that have no probes: a recording of paths does not say when they ran. */
#ifndef WEFT_TOOLS_LIB_RERUN_UNSEEN_H
#define WEFT_TOOLS_LIB_RERUN_UNSEEN_H

#include "tools/lib/image/program.h"

/* How many there are, and the names of some, "SysTick_Handler, DMA_Handler". Left out are those of faults, Weft's own,
 * and one that many exceptions share: the default. */
size_t rerun_unseen(const program *app, char *names, size_t size);

#endif
