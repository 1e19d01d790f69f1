/* SPDX-License-Identifier: MIT */
/* Which blocks the log of slices will read, and about when (ahead.h). Private to the room. */
#ifndef WEFT_TOOLS_LIB_WET_SLICE_PLAN_H
#define WEFT_TOOLS_LIB_WET_SLICE_PLAN_H

#include "tools/lib/wet/file.h"

/* Has the blocks of the `needed` streams (slice_need.h) decoded that executions at times from..to read. Does nothing
 * where the file has no schedule. The caller ends it by wet_ahead_end. */
void slice_plan_begin(wet_file *f, const uint32_t *needed, uint32_t from, uint32_t to);

#endif
