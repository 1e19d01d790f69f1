/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/slice_need.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/edge.h"
#include "tools/lib/wet/statement.h"

typedef struct needs {
    const wet_file *f;
    uint32_t *node;    /* of each stream that is needed, its node + 1; else 0 */
    uint32_t *pending; /* needed streams without numbers of their own, whose needs are not listed yet */
    size_t pending_count, pending_max;
} needs;

static void need(needs *p, uint32_t node, uint32_t stream)
{
    if (stream >= p->f->stream_count)
        return;
    if (p->node[stream])
        return;
    p->node[stream] = node + 1;
    uint8_t kind = p->f->streams[stream].kind;
    if (kind != WET_INFERRED && kind != WET_PATTERN)
        return;
    p->pending = memory_room(p->pending, p->pending_count, &p->pending_max, sizeof *p->pending);
    p->pending[p->pending_count++] = stream;
}

static void need_slot(needs *p, uint32_t node, uint32_t slot)
{
    const wet_file_node *n = &p->f->nodes[node];
    if (slot < n->n.slot_count)
        need(p, node, n->slots[slot]);
}

static void need_edge(needs *p, uint32_t node, const wet_edge *edge)
{
    need(p, node, edge->which);
    need(p, node, edge->when);
    if (wet_edge_wants_address(edge))
        need_slot(p, node, edge->slot);
}

static void need_load(needs *p, uint32_t node, uint32_t load)
{
    const wet_load_edge *edges = &p->f->nodes[node].loads[load];
    if (!edges->part_count)
        need_slot(p, node, p->f->nodes[node].n.loads[load].slot);
    for (uint32_t i = 0; i < edges->part_count; i++)
        need_edge(p, node, &edges->parts[i].edge);
}

/* What slice_resolve asks for. */
static void need_node(needs *p, uint32_t node)
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

/* What the producers of a register's edge gave it. */
static void need_registers(needs *p, const wet_edge *edge)
{
    for (uint32_t i = 0; i < edge->producer_count; i++)
        if (edge->producers[i])
            need_slot(p, p->f->producer_node[edge->producers[i]], edge->slots[i]);
}

static void need_computed(needs *p, uint32_t node, uint32_t slot)
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
        if (use->producer != 255)
            need_slot(p, node, fn->use_slot[i]);
        else
            need_registers(p, &fn->inputs[use->input]);
    }
}

const uint32_t *slice_need_stores(const wet_file_node *node, uint32_t operation, uint32_t *count)
{
    uint32_t load = node->load_of[operation];
    *count = 0;
    if (load == WET_NO_LOAD || !wet_load_has_source(&node->loads[load]))
        return NULL;
    const wet_load_edge *l = &node->loads[load];
    *count = l->part_count ? l->parts[l->part_count - 1].edge.producer_count : l->producer_count;
    return l->part_count ? l->parts[l->part_count - 1].edge.producers : l->producers;
}

/* Its address, and the data and addresses of the stores that it loads from. */
static void need_loaded(needs *p, uint32_t node, uint32_t slot)
{
    const wet_file *f = p->f;
    const wet_file_node *fn = &f->nodes[node];
    uint32_t count;
    const uint32_t *stores = slice_need_stores(fn, fn->slot_operation[slot], &count);
    for (uint32_t i = 0; i < count; i++) {
        if (!stores[i])
            continue;
        uint32_t from = f->producer_node[stores[i]];
        const wet_file_node *store = &f->nodes[from];
        uint32_t operation = stores[i] - store->n.base;
        for (uint32_t k = store->n.slot_first[operation];
             k < store->n.slot_count && store->slot_operation[k] == operation; k++)
            if (store->slot[k]->kind == WET_ADDRESS || store->slot[k]->kind == WET_DATA)
                need_slot(p, from, k);
    }
    if (stores)
        need_slot(p, node, fn->n.loads[fn->load_of[fn->slot_operation[slot]]].slot);
}

static void need_more(needs *p, uint32_t stream)
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

uint32_t *slice_need_find(const wet_file *f)
{
    needs p = {.f = f, .node = memory_zero(f->stream_count + 1, sizeof *p.node)};
    for (uint32_t i = 0; i < f->node_count; i++)
        need_node(&p, i);
    while (p.pending_count)
        need_more(&p, p.pending[--p.pending_count]);
    free(p.pending);
    return p.node;
}
