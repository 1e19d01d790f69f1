/* SPDX-License-Identifier: MIT */
/* Which blocks the log of slices will read, and about when (ahead.h). Private to the room.
 *
 * Timestamps of all nodes; the streams of edges and addresses that slice_resolve.h asks for; and where such an address
 * has no stream, those of the words that it is computed from, and so on. */
#ifndef WEFT_TOOLS_LIB_WET_SLICE_PLAN_H
#define WEFT_TOOLS_LIB_WET_SLICE_PLAN_H

#include "tools/lib/wet/file.h"

/* Has the blocks decoded that are needed by executions at times from..to. Does nothing where the file has no schedule.
 * The caller ends it by wet_ahead_end. */
void slice_plan_begin(wet_file *f, uint32_t from, uint32_t to);

#endif
