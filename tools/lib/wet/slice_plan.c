/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/slice_plan.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/ahead.h"
#include "tools/lib/wet/blocks.h"
#include "tools/lib/wet/edge.h"
#include "tools/lib/wet/schedule.h"
#include "tools/lib/wet/statement.h"

#define LEAD (UINT32_C(1) << 18) /* timestamps are read before the other streams: by chunks of control.h */

typedef struct plan {
    wet_file *f;
    uint32_t *node;    /* of each stream that is needed, its node + 1; else 0 */
    uint32_t *pending; /* needed streams without numbers of their own, whose needs are not listed yet */
    size_t pending_count, pending_max;
    wet_ahead_block *blocks;
    size_t count, max;
} plan;

/* ---- which streams ---- */

static void need(plan *p, uint32_t node, uint32_t stream)
{
    if (stream >= p->f->stream_count || p->node[stream])
        return;
    p->node[stream] = node + 1;
    uint8_t kind = p->f->streams[stream].kind;
    if (kind != WET_INFERRED && kind != WET_PATTERN)
        return;
    p->pending = memory_room(p->pending, p->pending_count, &p->pending_max, sizeof *p->pending);
    p->pending[p->pending_count++] = stream;
}

static void need_slot(plan *p, uint32_t node, uint32_t slot)
{
    const wet_file_node *n = &p->f->nodes[node];
    if (slot < n->n.slot_count)
        need(p, node, n->slots[slot]);
}

static void need_edge(plan *p, uint32_t node, const wet_edge *edge)
{
    need(p, node, edge->which);
    need(p, node, edge->when);
    if (wet_edge_wants_address(edge))
        need_slot(p, node, edge->slot);
}

static void need_load(plan *p, uint32_t node, uint32_t load)
{
    const wet_load_edge *edges = &p->f->nodes[node].loads[load];
    if (!edges->part_count)
        need_slot(p, node, p->f->nodes[node].n.loads[load].slot);
    for (uint32_t i = 0; i < edges->part_count; i++)
        need_edge(p, node, &edges->parts[i].edge);
}

/* What slice_resolve asks for. */
static void need_node(plan *p, uint32_t node)
{
    const wet_file_node *fn = &p->f->nodes[node];
    need(p, node, fn->times);
    for (uint32_t i = 0; i < fn->n.control_count; i++)
        need_edge(p, node, &fn->controls[i]);
    for (uint32_t i = 0; i < fn->n.load_count; i++)
        need_load(p, node, i);
    for (uint32_t slot = 0; slot < fn->n.slot_count; slot++)
        if (fn->slot[slot]->kind == WET_ADDRESS && fn->searched >> fn->slot_operation[slot] & 1)
            need_slot(p, node, slot);
}

/* Words of the producers of an edge: of loads their data and addresses, else the register. */
static void need_producers(plan *p, const wet_edge *edge, bool load)
{
    const wet_file *f = p->f;
    for (uint32_t i = 0; i < edge->producer_count; i++) {
        if (!edge->producers[i])
            continue;
        uint32_t node = f->producer_node[edge->producers[i]];
        const wet_node *n = &f->nodes[node].n;
        uint32_t operation = edge->producers[i] - n->base;
        if (!load)
            need_slot(p, node, edge->slots[i]);
        for (unsigned kind = WET_ADDRESS; load && kind <= WET_DATA; kind++)
            need_slot(p, node, wet_slot_find(n, f->statements, operation, kind, 0));
    }
}

/* As words of a block are computed (word.c). */
static void need_computed(plan *p, uint32_t node, uint32_t slot)
{
    const wet_file *f = p->f;
    const wet_file_node *fn = &f->nodes[node];
    uint32_t operation = fn->slot_operation[slot];
    const wet_statement *s = &f->statements[fn->n.statements[fn->n.operation_statement[operation]]];
    uint64_t reads = wet_slot_reads(&f->statics[s->instruction].insn, fn->slot[slot], fn->slot[slot]->source);
    for (uint32_t i = fn->use_first[operation]; i < fn->use_first[operation + 1]; i++) {
        const wet_use *use = &fn->n.uses[i];
        if (!(reads >> use->loc & 1) || use->loc > THUMB_FLAGS)
            continue;
        if (use->producer != 255) {
            need_slot(p, node, fn->use_slot[i]);
        } else {
            need_edge(p, node, &fn->inputs[use->input]);
            need_producers(p, &fn->inputs[use->input], false);
        }
    }
}

static void need_loaded(plan *p, uint32_t node, uint32_t slot)
{
    const wet_file_node *fn = &p->f->nodes[node];
    uint32_t load = fn->load_of[fn->slot_operation[slot]];
    if (load == WET_NO_LOAD || !fn->loads[load].part_count)
        return;
    const wet_edge *edge = &fn->loads[load].parts[fn->loads[load].part_count - 1].edge;
    need_edge(p, node, edge);
    need_producers(p, edge, true);
    need_slot(p, node, fn->n.loads[load].slot);
}

static void need_more(plan *p, uint32_t stream)
{
    const wet_stream *s = &p->f->streams[stream];
    if (s->kind == WET_PATTERN) {
        need(p, p->node[stream] - 1, s->first);
        need(p, p->node[stream] - 1, s->second);
    } else if (s->first < p->f->node_count && s->second < p->f->nodes[s->first].n.slot_count) {
        if (p->f->nodes[s->first].slot[s->second]->computed)
            need_computed(p, s->first, s->second);
        else
            need_loaded(p, s->first, s->second);
    }
}

/* ---- which blocks ---- */

/* When an execution of a node is, to the window; never later than it. */
static uint32_t about(const wet_file *f, uint32_t node, uint32_t instance)
{
    const wet_file_node *n = &f->nodes[node];
    uint32_t low = 0, high = n->shift_count; /* the first shift that begins after it */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (n->shifts[middle].first <= instance)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? n->shifts[low - 1].window * f->window + 1 : 1;
}

static void block_plan(plan *p, wet_ahead_block block)
{
    p->blocks = memory_room(p->blocks, p->count, &p->max, sizeof *p->blocks);
    p->blocks[p->count++] = block;
}

static void stream_plan(plan *p, uint32_t stream, uint32_t from, uint32_t to)
{
    wet_file *f = p->f;
    const wet_stream *s = &f->streams[stream];
    uint32_t node = p->node[stream] - 1, early = stream == f->nodes[node].times ? LEAD : 0;
    bool each = s->count == f->nodes[node].n.count; /* else unique values, which all may be needed at once */
    uint32_t blocks = wet_stream_block_count(f, s);
    for (uint32_t block = 0; block < blocks; block++) {
        uint32_t when = about(f, node, each ? block << f->block_bits : 0);
        uint32_t next = each && block + 1 < blocks ? about(f, node, (block + 1) << f->block_bits) : UINT32_MAX;
        when = when > early ? when - early : 1;
        if (when <= to && next >= from && !wet_stream_kept(s, block))
            block_plan(p, (wet_ahead_block){stream, block, when});
    }
}

void slice_plan_begin(wet_file *f, uint32_t from, uint32_t to)
{
    wet_schedule_read(f);
    if (!f->shifts)
        return;
    plan p = {.f = f, .node = memory_zero(f->stream_count + 1, sizeof *p.node)};
    for (uint32_t i = 0; i < f->node_count; i++)
        need_node(&p, i);
    while (p.pending_count)
        need_more(&p, p.pending[--p.pending_count]);
    for (uint32_t i = 0; i < f->stream_count; i++)
        if (p.node[i] && f->streams[i].kind == WET_CODED)
            stream_plan(&p, i, from, to);
    free(p.node);
    free(p.pending);
    wet_ahead_begin(f, p.blocks, p.count);
}
