/* SPDX-License-Identifier: MIT */
/* The first steps of a routine: decodes it along its ways, and propagates constants along these.
 *
 * Ways: fall through, branches, jump tables after a compare; a computed goto leads to every address inside the function
 * that the image holds as a word. A call goes on after itself. */
#ifndef WEFT_TOOLS_LIB_MACHINE_WAYS_H
#define WEFT_TOOLS_LIB_MACHINE_WAYS_H

#include "tools/lib/machine/routine.h"

/* Fills in the steps, their ways, and what is always known before each. `r` has room for a step at each halfword;
 * `gotos`: it has computed gotos. `r->known` becomes false where the code is not understood. */
void ways_find(routine *r, bool gotos);

#endif
