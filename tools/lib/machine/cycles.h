/* SPDX-License-Identifier: MIT */
/* Where the ways of a routine meet, and where they close a cycle on which no path ends. */
#ifndef WEFT_TOOLS_LIB_MACHINE_CYCLES_H
#define WEFT_TOOLS_LIB_MACHINE_CYCLES_H

#include "tools/lib/machine/routine.h"

/* Sets `joined` of each step. */
void cycles_find_joins(routine *r);
/* Sets `head` of the steps that cycles without a path probe come back to, but for counted loops; `r->known` becomes
 * false if there are too many. */
void cycles_find_heads(routine *r);

#endif
