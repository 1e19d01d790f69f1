/* SPDX-License-Identifier: MIT */
/* Builds a routine from the image, in the order of build.c: ways and constants, needs, joins, loops of a known number
 * of rounds, heads of the other cycles. */
#ifndef WEFT_TOOLS_LIB_MACHINE_BUILD_H
#define WEFT_TOOLS_LIB_MACHINE_BUILD_H

#include "tools/lib/machine/routine.h"

/* The code at [start, end); `gotos`: it has computed gotos. Never NULL: what is not understood has `known` false. `im`
 * outlives the routine. */
routine *routine_build(const image *im, uint32_t start, uint32_t end, bool gotos);

#endif
