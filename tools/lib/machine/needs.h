/* SPDX-License-Identifier: MIT */
/* What the instructions of a routine serve, found backward: path numbers (`related`, `live`), probes alone (`own`), or
 * the program.
 *
 *     movs r4, #0         related         the path's number so far; live from here to the probe
 *     cbz  r0, 1f
 *     adds r4, #2         related         what this way adds to it
 *  1: ldr  r5, [r1]                       the program's
 *     movs r0, #7         own             a site, which only the probe reads
 *     bl   __weft_access  own
 *     mov  r0, r4         related, own
 *     bl   __weft_path    own
 *     mov  r0, r5                         the program's: what it returns */
#ifndef WEFT_TOOLS_LIB_MACHINE_NEEDS_H
#define WEFT_TOOLS_LIB_MACHINE_NEEDS_H

#include "tools/lib/machine/routine.h"

/* Fills in the slots, and `related`, `own` and `live` of each step; the ways are known. */
void needs_find(routine *r);

#endif
