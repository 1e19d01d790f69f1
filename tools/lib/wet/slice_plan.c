/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/slice_plan.h"

#include <stddef.h>
#include <stdlib.h>

#include "tools/lib/base/bisect.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/wet/ahead.h"
#include "tools/lib/wet/blocks.h"
#include "tools/lib/wet/edge.h"
#include "tools/lib/wet/schedule.h"
#include "tools/lib/wet/statement.h"

#define ROUNDS 3u                /* of a chain of words, how many links count. More: the list takes longer */
#define LEAD (UINT32_C(1) << 18) /* timestamps are read before the other streams: by chunks of control.h */

/* Numbers of a stream are found from those of another one, which may be of another node. */
typedef struct use {
    uint32_t by, of;
} use;

typedef struct plan {
    wet_file *f;
    uint32_t *node;    /* of each stream that is needed, its node + 1; else 0 */
    uint32_t *pending; /* needed streams without numbers of their own, whose needs are not listed yet */
    size_t pending_count, pending_max;
    uint32_t by; /* the one whose needs are being listed; WET_NONE: those of executions */
    use *uses;
    size_t use_count, use_max;
    uint32_t **when; /* of each needed stream: of each block about when it is needed, at the latest */
    wet_ahead_block *blocks;
    size_t count, max;
} plan;

/* ---- which streams ---- */

static void need(plan *p, uint32_t node, uint32_t stream)
{
    if (stream >= p->f->stream_count)
        return;
    if (p->by != WET_NONE) {
        p->uses = memory_room(p->uses, p->use_count, &p->use_max, sizeof *p->uses);
        p->uses[p->use_count++] = (use){p->by, stream};
    }
    if (p->node[stream])
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
    p->by = stream;
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

/* ---- which blocks, and when ---- */

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
    return p->f->streams[stream].count == p->f->nodes[p->node[stream] - 1].n.count ||
           p->f->streams[stream].kind == WET_INFERRED;
}

static uint32_t block_count(const plan *p, uint32_t stream)
{
    uint32_t count = p->f->streams[stream].count, executions = p->f->nodes[p->node[stream] - 1].n.count;
    if (p->f->streams[stream].kind == WET_INFERRED)
        count = executions;
    return (uint32_t)((count + (UINT64_C(1) << p->f->block_bits) - 1) >> p->f->block_bits);
}

/* The window in which the executions of a block begin. */
static uint32_t window_of(const plan *p, uint32_t stream, uint32_t block)
{
    const wet_file_node *n = &p->f->nodes[p->node[stream] - 1];
    uint32_t first = is_of_executions(p, stream) ? block << p->f->block_bits : 0;
    const wet_shift *shift = shift_up_to(n, offsetof(wet_shift, first), first);
    return shift ? shift->window : 0;
}

/* By its own node's executions. */
static void when_make(plan *p, uint32_t stream)
{
    uint32_t count = block_count(p, stream);
    uint32_t early = stream == p->f->nodes[p->node[stream] - 1].times ? LEAD : 0;
    p->when[stream] = memory_zero(count + 1, sizeof **p->when);
    for (uint32_t block = 0; block < count; block++) {
        uint32_t when = window_of(p, stream, block) * p->f->window + 1;
        p->when[stream][block] = when > early ? when - early : 1;
    }
}

/* What is found from others is found a block at a time, so that these are needed when that block begins. */
static void when_used(plan *p, const use *u)
{
    const wet_file_node *by = &p->f->nodes[p->node[u->by] - 1];
    uint32_t count = block_count(p, u->of), last = block_count(p, u->by);
    for (uint32_t block = 0; block < count && last; block++) {
        const wet_shift *shift = shift_up_to(by, offsetof(wet_shift, window), window_of(p, u->of, block));
        uint32_t other = shift ? shift->first >> p->f->block_bits : 0;
        uint32_t when = p->when[u->by][other < last ? other : last - 1];
        if (when < p->when[u->of][block])
            p->when[u->of][block] = when;
    }
}

static void stream_plan(plan *p, uint32_t stream, uint32_t from, uint32_t to)
{
    uint32_t count = block_count(p, stream);
    for (uint32_t block = 0; block < count; block++) {
        uint32_t when = p->when[stream][block];
        uint32_t next = block + 1 < count ? window_of(p, stream, block + 1) * p->f->window + 1 : UINT32_MAX;
        if (when > to || next < from || wet_stream_kept(&p->f->streams[stream], block))
            continue;
        p->blocks = memory_room(p->blocks, p->count, &p->max, sizeof *p->blocks);
        p->blocks[p->count++] = (wet_ahead_block){stream, block, when};
    }
}

static void blocks_plan(plan *p, uint32_t from, uint32_t to)
{
    wet_file *f = p->f;
    p->when = memory_zero(f->stream_count + 1, sizeof *p->when);
    for (uint32_t i = 0; i < f->stream_count; i++)
        if (p->node[i])
            when_make(p, i);
    for (unsigned round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < p->use_count; i++)
            when_used(p, &p->uses[i]);
    for (uint32_t i = 0; i < f->stream_count; i++) {
        if (p->node[i] && f->streams[i].kind == WET_CODED)
            stream_plan(p, i, from, to);
        free(p->when[i]);
    }
    free(p->when);
}

void slice_plan_begin(wet_file *f, uint32_t from, uint32_t to)
{
    wet_schedule_read(f);
    if (!f->shifts)
        return;
    plan p = {.f = f, .node = memory_zero(f->stream_count + 1, sizeof *p.node), .by = WET_NONE};
    for (uint32_t i = 0; i < f->node_count; i++)
        need_node(&p, i);
    while (p.pending_count)
        need_more(&p, p.pending[--p.pending_count]);
    blocks_plan(&p, from, to);
    free(p.node);
    free(p.pending);
    free(p.uses);
    wet_ahead_begin(f, p.blocks, p.count);
}
