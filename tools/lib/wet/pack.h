/* SPDX-License-Identifier: MIT */
/* Compresses a whole execution trace and writes it as one file (format: tools/lib/wet/FORMAT.md).
 *
 * Tier 1 (sections 3.1 to 3.3 of the paper): one timestamp a node execution; a word that follows from what its
 * operation reads is dropped, if it can be found again in few steps; values that repeat become unique values and a
 * pattern, which statements with the same pattern share; a producer that is always the same, or an age that is always
 * 0, is dropped; equal label lists of a node are stored once. Register and flag edges need no timestamps at all: their
 * producer is the latest execution of its node.
 * Tier 2 (section 4): every list as blocks of predicted numbers (tools/lib/squeeze/coded.h). */
#ifndef WEFT_TOOLS_LIB_WET_PACK_H
#define WEFT_TOOLS_LIB_WET_PACK_H

#include "tools/lib/wet/sizes.h"
#include "tools/lib/wet/trace.h"

/* tier 1 or 2. False and a message: the file cannot be written. */
bool wet_pack_write(wet_trace *t, const char *path, int tier, wet_report *report, char *message, size_t message_size);

#endif
