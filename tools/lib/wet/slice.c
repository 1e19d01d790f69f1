/* SPDX-License-Identifier: MIT */
/* Once per file: where all edges of executions lead (slice_log.h). For each node, once per slice: what each operation
 * reaches within an execution (slice_start.c). Then for each execution, in the order of time:
 *   1. the operations that belong to the slice because of what was met before: marks, locations, controls
 *   2. what they reach, kept by that set, since mostly it is as it was lately (slice_closure.c)
 *   3. their edges, which may add operations (slice_backward.c, slice_forward.c) */
#include "tools/lib/wet/slice.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/edge.h"
#include "tools/lib/wet/slice_log.h"
#include "tools/lib/wet/walker.h"

#define SPAN (UINT32_C(1) << SLICE_SPAN_BITS)

/* All operations of a statement. */
static uint64_t statement_mask(const wet_node *n, uint32_t statement)
{
    uint64_t mask = 0;
    for (uint32_t o = 0; o < n->operation_count; o++)
        if (n->operation_statement[o] == statement)
            mask |= BIT(o);
    return mask;
}

/* From the execution at `start` on to the last one. */
static void walk_forward(walker *w, uint32_t start)
{
    uint32_t before = (start - 1) & ~(SPAN - 1);
    const slice_span *s = &w->log->spans[before >> SLICE_SPAN_BITS];
    const uint32_t *links = s->links;
    for (uint32_t time = before; time++ < w->f->time;) {
        uint32_t at = (time - 1) & (SPAN - 1);
        if (!at) {
            s = &w->log->spans[(time - 1) >> SLICE_SPAN_BITS];
            links = s->links;
        }
        if (s->nodes[at] == WET_NONE)
            continue;
        if (time >= start)
            slice_step_forward(w, s->nodes[at], time, links);
        links += w->nodes[s->nodes[at]].links;
    }
}

/* Whether this node is the one that executed then. It is not where a damaged file gives two nodes the same time. */
static bool is_there(wet_file *f, const slice_log *log, uint32_t number, uint32_t time)
{
    uint32_t at = time - 1;
    bool is = log->spans[at >> SLICE_SPAN_BITS].nodes[at & (SPAN - 1)] == number;
    f->damaged |= !is;
    return is;
}

static uint32_t count_unknown(const walker *w)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->f->static_count; i++)
        count += w->f->statics[i].insn.unknown && (w->forward || w->counts[i]);
    return count;
}

wet_slice *wet_slice_run(wet_file *f, wet_start begin, bool forward, wet_slice_visit *visit, void *context)
{
    wet_instance from = begin.at;
    walker w = {.f = f, .forward = forward, .visit = visit, .context = context};
    uint32_t start = wet_time(f, from.node, from.instance);
    if (start > f->time)
        start = 0;
    w.log = slice_log_reach(f, forward && start ? f->time : start);
    if (start && !is_there(f, w.log, from.node, start))
        start = 0;
    slice_start(&w, forward && start ? start - 1 : start);
    w.marks[start] = begin.operations ? begin.operations : statement_mask(&f->nodes[from.node].n, from.statement);
    if (start && forward)
        walk_forward(&w, start);
    else
        slice_walk_backward(&w, start);
    w.marks[0] = 0;
    if (forward)
        memset(w.marks + start, 0, (f->time + 1 - (size_t)start) * sizeof *w.marks);
    slice_end(&w);
    wet_slice *slice = memory_zero(1, sizeof *slice);
    *slice = (wet_slice){w.counts, w.instances, w.statements, count_unknown(&w)};
    return slice;
}

void wet_slice_free(wet_slice *slice)
{
    free(slice->counts);
    free(slice);
}
