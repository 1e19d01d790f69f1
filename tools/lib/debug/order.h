/* SPDX-License-Identifier: MIT */
/* Which node executed at each time, asked anywhere in the run and near the last answer most of the time: a part of the
 * order is kept, and the next part on either side takes only the nodes that execute in it. */
#ifndef WEFT_TOOLS_LIB_DEBUG_ORDER_H
#define WEFT_TOOLS_LIB_DEBUG_ORDER_H

#include "tools/lib/wet/edge.h"

typedef struct debug_order debug_order;

debug_order *debug_order_new(wet_file *f);
void debug_order_free(debug_order *o);
/* The execution with this timestamp, 1 .. f->time. Node WET_NONE: there is none (a damaged file). */
wet_execution debug_order_at(debug_order *o, uint32_t time);

#endif
