/* SPDX-License-Identifier: MIT */
/* For each node, once per slice: what each operation reaches within an execution (slice_start.c). Then for each
 * execution, in the order of time:
 *   1. the operations that belong to the slice because of what was met before: marks, pending, locations, controls
 *   2. what they reach, kept by that set, since mostly it is as it was lately (slice_closure.c)
 *   3. their edges, which may add operations (slice_backward.c, slice_forward.c, slice_origin.c)
 * How many executions of each node have been met is known all the way: no edge's end is searched for. */
#include "tools/lib/wet/slice.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/control.h"
#include "tools/lib/wet/edge.h"
#include "tools/lib/wet/walker.h"

#define AHEAD 4u /* executions between the wish for memory and its use : 1 to 16 */

/* All operations of a statement. */
static uint64_t statement_mask(const wet_node *n, uint32_t statement)
{
    uint64_t mask = 0;
    for (uint32_t o = 0; o < n->operation_count; o++)
        if (n->operation_statement[o] == statement)
            mask |= BIT(o);
    return mask;
}

/* What a step will need soon. */
static inline void prefetch(const walker *w, uint32_t number, uint32_t instance)
{
    if (number == WET_NOBODY)
        return;
    const node *m = &w->nodes[number];
    __builtin_prefetch(&m->pending);
    __builtin_prefetch(&w->marks[m->first + instance]);
}

wet_slice *wet_slice_run(wet_file *f, wet_instance from, bool forward, wet_slice_visit *visit, void *context)
{
    walker w;
    uint32_t start = wet_time(f, from.node, from.instance), low, size;
    const uint32_t *nodes, *instances;
    if (start > f->time)
        start = 0;
    slice_start(&w, f, forward, forward && start ? start - 1 : start);
    w.visit = visit;
    w.context = context;
    w.marks[w.nodes[from.node].first + from.instance] = statement_mask(&f->nodes[from.node].n, from.statement);
    wet_control *c = forward ? wet_control_new(f, start, f->time, false) : wet_control_new(f, 1, start, true);
    while (start && (size = wet_control_next(c, &low, &nodes, &instances)) > 0)
        for (uint32_t i = 0; i < size; i++) {
            uint32_t at = forward ? i : size - 1 - i;
            if (i + AHEAD < size)
                prefetch(&w, nodes[forward ? at + AHEAD : at - AHEAD], instances[forward ? at + AHEAD : at - AHEAD]);
            if (nodes[at] == WET_NOBODY)
                f->damaged = true;
            else if (forward)
                slice_step_forward(&w, nodes[at], instances[at], low + at);
            else
                slice_step_backward(&w, nodes[at], instances[at]);
        }
    wet_control_free(c);
    slice_end(&w);
    wet_slice *slice = memory_zero(1, sizeof *slice);
    *slice = (wet_slice){w.counts, w.instances, w.statements};
    return slice;
}

void wet_slice_free(wet_slice *slice)
{
    free(slice->counts);
    free(slice);
}
