/* SPDX-License-Identifier: MIT */
/* Finds where the edges of executions lead, one execution after the other, from the first one on. Private to the room.
 *
 * How many executions of each node have been met, and when the last one was, is known all the way: no edge's end is
 * searched for. Loads whose stores are found by address have a shadow of memory: the last store to each byte.
 *
 *     time  instance                             known after it
 *     1     node 0, 1st     str r0, [0x100]      node 0: last at 1     shadow of 0x100..0x103: 1, operation 0
 *     2     node 0, 2nd     str r0, [0x104]      node 0: last at 2     shadow of 0x104..0x107: 2, operation 0
 *     3     node 1, 1st     ldr r1, [0x102]      two targets, 1 and 2, since it loads bytes of both: a group */
#ifndef WEFT_TOOLS_LIB_WET_SLICE_RESOLVE_H
#define WEFT_TOOLS_LIB_WET_SLICE_RESOLVE_H

#include "tools/lib/wet/slice_links.h"

typedef struct slice_resolver slice_resolver;

slice_resolver *slice_resolver_new(wet_file *f);
void slice_resolver_free(slice_resolver *r);
/* Of slice_need_find: the resolver's. */
const uint32_t *slice_resolver_needs(const slice_resolver *r);
/* Writes the links of the next execution, in the order of slice_log_node; several targets go to the log's groups. */
void slice_resolve(slice_resolver *r, slice_log *log, uint32_t node, uint32_t instance, uint32_t time, uint32_t *out);

#endif
