/* SPDX-License-Identifier: MIT */
/* Finds where the edges of executions lead, one execution after the other, from the first one on. Private to the room.
 *
 * How many executions of each node have been met, and when the last one was, is known all the way: no edge's end is
 * searched for. Loads whose stores are found by address have a shadow of memory: the last store to each byte. */
#ifndef WEFT_TOOLS_LIB_WET_SLICE_RESOLVE_H
#define WEFT_TOOLS_LIB_WET_SLICE_RESOLVE_H

#include "tools/lib/wet/slice_links.h"

typedef struct slice_resolver slice_resolver;

slice_resolver *slice_resolver_new(wet_file *f);
void slice_resolver_free(slice_resolver *r);
/* Writes the links of the next execution, in the order of slice_log_node; several targets go to the log's groups. */
void slice_resolve(slice_resolver *r, slice_log *log, uint32_t node, uint32_t instance, uint32_t time, uint32_t *out);

#endif
