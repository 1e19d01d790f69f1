/* SPDX-License-Identifier: MIT */
/* The nearest execution of statements, from an instant back or forth. The window that the instant is in has the order
 * of its steps; of the others the schedule (wet/schedule.h) tells the nearest one in which a statement executes. So
 * only timestamps of that one are decoded. */
#ifndef WEFT_TOOLS_LIB_DEBUG_NEAREST_H
#define WEFT_TOOLS_LIB_DEBUG_NEAREST_H

#include "tools/lib/debug/run.h"

/* An execution of a node and a statement in it: the place in the node. */
typedef struct debug_executed {
    uint32_t time, statement;
} debug_executed;

/* `wanted` has a number for each statement of the file; those with 0 are left out. The execution is not the one that
 * comes next at the instant itself. Time 0: there is none. */
debug_executed debug_nearest(debug_run *r, debug_instant from, const uint8_t *wanted, bool backward);

#endif
