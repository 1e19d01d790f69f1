/* SPDX-License-Identifier: MIT */
/* The first steps of a routine: decodes it along its ways, and propagates constants along these.
 *
 * Ways: fall through, branches, jump tables after a compare; a computed goto leads to every address inside the function
 * that the image holds as a word. A call goes on after itself.
 *
 *                               ways               known before it, besides sp
 *     0: movs r1, #1            next 1
 *     1: cmp  r0, #2            next 2             r1 = 1
 *     2: bhi  6                 next 3, target 6   r1 = 1
 *     3: tbb  [pc, r0]          table 4, 5, 6      r1 = 1
 *     4: movs r1, #4            next 5             r1 = 1
 *     5: adds r0, r1, r1        next 6             nothing: r1 is 1 on one way, 4 on the other
 *     6: bx   lr                leaves             nothing */
#ifndef WEFT_TOOLS_LIB_MACHINE_WAYS_H
#define WEFT_TOOLS_LIB_MACHINE_WAYS_H

#include "tools/lib/machine/routine.h"

/* Fills in the steps, their ways, and what is always known before each. `r` has room for a step at each halfword;
 * `gotos`: it has computed gotos. `r->known` becomes false where the code is not understood. */
void ways_find(routine *r, bool gotos);

#endif
