/* SPDX-License-Identifier: MIT */
/* What the instructions of a routine serve, found backward: path numbers (`related`, `live`), probes alone (`own`), or
 * the program. */
#ifndef WEFT_TOOLS_LIB_MACHINE_NEEDS_H
#define WEFT_TOOLS_LIB_MACHINE_NEEDS_H

#include "tools/lib/machine/routine.h"

/* Fills in the slots, and `related`, `own` and `live` of each step; the ways are known. */
void needs_find(routine *r);

#endif
