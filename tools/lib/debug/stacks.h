/* SPDX-License-Identifier: MIT */
/* The two stack pointers of a core at an instant: sp is one of them. The other one is what it was when it was sp last,
 * or what msr has given it since.
 *
 * Exceptions and each msr of PSP, MSP and CONTROL are gone through backwards from the instant, up to the one that
 * tells. What was found is kept for the instants up to the next of them. */
#ifndef WEFT_TOOLS_LIB_DEBUG_STACKS_H
#define WEFT_TOOLS_LIB_DEBUG_STACKS_H

#include "tools/lib/debug/running.h"

typedef struct debug_stacks debug_stacks;

/* NULL: the run never set PSP, or does not begin with a reset. */
debug_stacks *debug_stacks_new(debug_run *r);
void debug_stacks_free(debug_stacks *s);
/* False: not known. */
bool debug_stacks_get(debug_stacks *s, debug_instant at, bool process, uint32_t *value);

#endif
