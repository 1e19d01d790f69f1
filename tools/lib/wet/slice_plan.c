/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/slice_plan.h"

#include <stddef.h>

#include "tools/lib/base/bisect.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/wet/ahead.h"
#include "tools/lib/wet/blocks.h"
#include "tools/lib/wet/schedule.h"

#define LEAD (UINT32_C(1) << 18) /* timestamps are read before the other streams: by chunks of control.h */

typedef struct plan {
    wet_file *f;
    const uint32_t *node; /* of each stream that is needed, its node + 1; else 0 */
    wet_ahead_block *blocks;
    size_t count, max;
} plan;

/* The shift of a node that an execution (`at` of field `first`) or a window is in. NULL: it is before all. */
static const wet_shift *shift_up_to(const wet_file_node *n, size_t field, uint32_t at)
{
    size_t low = bisect_up_to(n->shifts, n->shift_count, sizeof *n->shifts, field, at);
    return low ? &n->shifts[low - 1] : NULL;
}

/* Whether a stream has a number for each execution of its node: else unique values, all of which may be needed at
 * once. */
static bool is_of_executions(const plan *p, uint32_t stream)
{
    return p->f->streams[stream].count == p->f->nodes[p->node[stream] - 1].n.count;
}

/* The window in which the executions of a block begin. */
static uint32_t window_of(const plan *p, uint32_t stream, uint32_t block)
{
    const wet_file_node *n = &p->f->nodes[p->node[stream] - 1];
    uint32_t first = is_of_executions(p, stream) ? block << p->f->block_bits : 0;
    const wet_shift *shift = shift_up_to(n, offsetof(wet_shift, first), first);
    return shift ? shift->window : 0;
}

/* When a block is asked for. */
static uint32_t when_of(const plan *p, uint32_t stream, uint32_t block)
{
    uint32_t early = stream == p->f->nodes[p->node[stream] - 1].times ? LEAD : 0;
    uint32_t when = window_of(p, stream, block) * p->f->window + 1;
    return when > early ? when - early : 1;
}

static void stream_plan(plan *p, uint32_t stream, uint32_t from, uint32_t to)
{
    uint32_t count = wet_stream_block_count(p->f, &p->f->streams[stream]);
    for (uint32_t block = 0; block < count; block++) {
        uint32_t when = when_of(p, stream, block);
        uint32_t next = block + 1 < count ? window_of(p, stream, block + 1) * p->f->window + 1 : UINT32_MAX;
        if (when > to || next < from || wet_stream_kept(&p->f->streams[stream], block))
            continue;
        p->blocks = memory_room(p->blocks, p->count, &p->max, sizeof *p->blocks);
        p->blocks[p->count++] = (wet_ahead_block){stream, block, when};
    }
}

void slice_plan_begin(wet_file *f, const uint32_t *needed, uint32_t from, uint32_t to)
{
    wet_schedule_read(f);
    if (!f->shifts)
        return;
    plan p = {.f = f, .node = needed};
    for (uint32_t i = 0; i < f->stream_count; i++)
        if (p.node[i] && f->streams[i].kind == WET_CODED)
            stream_plan(&p, i, from, to);
    wet_ahead_begin(f, p.blocks, p.count);
}
