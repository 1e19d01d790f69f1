/* SPDX-License-Identifier: MIT */
/* What is the same for all executions of a node, and is made once. */
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/walker.h"

static const wet_operation *operation_of(const wet_file *f, const wet_node *n, uint32_t operation)
{
    return &f->statements[n->statements[n->operation_statement[operation]]]
                .operations[n->operation_in_statement[operation]];
}

/* Local dependences lead from an operation to earlier ones. */
static void reach_make(node *m, const wet_node *n, bool forward)
{
    for (uint32_t o = 0, use = 0; o < n->operation_count; o++) {
        uint64_t needs = n->parent[o] == 255 ? 0 : BIT(n->parent[o]);
        for (; use < n->use_count && n->uses[use].operation == o; use++) {
            const wet_use *u = &n->uses[use];
            if (!u->depends)
                continue;
            if (u->producer != 255) {
                needs |= BIT(u->producer);
            } else {
                m->outside[o] |= BIT(u->loc);
                m->readers[u->input] |= BIT(o);
            }
        }
        m->reads |= m->outside[o];
        m->reach[o] = BIT(o);
        for (uint64_t rest = forward ? 0 : needs; rest; rest &= rest - 1)
            m->reach[o] |= m->reach[__builtin_ctzll(rest)];
        for (uint32_t k = 0; forward && k < o; k++)
            m->reach[k] |= m->reach[k] & needs ? BIT(o) : 0;
    }
}

static wet_tap slot_tap(const walker *w, const wet_file_node *fn, uint32_t slot)
{
    return wet_tap_make(slot < fn->n.slot_count ? fn->slots[slot] : WET_NOBODY, w->forward);
}

static link link_make(const walker *w, const wet_file_node *fn, const wet_edge *edge)
{
    return (link){edge, wet_tap_make(edge->which, w->forward), wet_tap_make(edge->when, w->forward),
                  edge->mode >= WET_IN_STEP ? slot_tap(w, fn, edge->slot) : wet_tap_make(WET_NOBODY, w->forward)};
}

static load load_make(const walker *w, const wet_file_node *fn, uint32_t number)
{
    const wet_load_edge *edges = &fn->loads[number];
    load l = {memory_zero(edges->part_count + 1, sizeof *l.links),
              edges->part_count,
              {slot_tap(w, fn, fn->n.loads[number].slot), fn->n.loads[number].size}};
    for (uint32_t i = 0; i < l.count; i++)
        l.links[i] = link_make(w, fn, &edges->parts[i].edge);
    return l;
}

static void loads_make(const walker *w, node *m, const wet_file_node *fn)
{
    m->load = memory_zero(fn->n.load_count + 1, sizeof *m->load);
    m->first_load = memory_zero(fn->n.operation_count + 1, sizeof *m->first_load);
    for (uint32_t o = 0, at = 0; o < fn->n.operation_count; o++) {
        for (; at < fn->n.load_count && fn->n.loads[at].operation == o; at++) {
            m->load[at] = load_make(w, fn, at);
            m->loads |= BIT(o);
            m->searching |= m->load[at].count ? 0 : BIT(o);
        }
        m->first_load[o + 1] = (uint16_t)at;
    }
}

/* The memory of the stores that are found by address. */
static void touches_make(const walker *w, node *m, const wet_file_node *fn)
{
    const wet_node *n = &fn->n;
    uint32_t count = 0;
    m->searched = fn->searched;
    m->touches = memory_zero(n->slot_count + 1, sizeof *m->touches);
    m->first_touch = memory_zero(n->operation_count + 1, sizeof *m->first_touch);
    for (uint32_t o = 0; o < n->operation_count; o++) {
        const wet_statement *s = &w->f->statements[n->statements[n->operation_statement[o]]];
        for (uint32_t slot = n->slot_first[o];
             m->searched >> o & 1 && slot < n->slot_count && fn->slot_operation[slot] == o; slot++)
            if (fn->slot[slot]->kind == WET_ADDRESS)
                m->touches[count++] = (touch){slot_tap(w, fn, slot), s->accesses[fn->slot[slot]->source].size};
        m->first_touch[o + 1] = (uint16_t)count;
    }
}

static void node_start(walker *w, uint32_t number, uint64_t first, uint32_t before)
{
    const wet_file_node *fn = &w->f->nodes[number];
    const wet_node *n = &fn->n;
    node *m = &w->nodes[number];
    m->base = n->base;
    m->reach = memory_zero(n->operation_count, sizeof *m->reach);
    m->outside = memory_zero(n->operation_count, sizeof *m->outside);
    m->readers = memory_zero(n->input_count + 1, sizeof *m->readers);
    m->under = memory_zero(n->control_count + 1, sizeof *m->under);
    m->controls = memory_zero(n->control_count + 1, sizeof *m->controls);
    reach_make(m, n, w->forward);
    loads_make(w, m, fn);
    touches_make(w, m, fn);
    for (uint32_t i = 0; i < n->control_count; i++)
        m->controls[i] = link_make(w, fn, &fn->controls[i]);
    for (uint32_t o = 0; o < n->operation_count; o++) {
        if (n->parent[o] == 255)
            m->under[n->parent_input[o]] |= BIT(o);
        for (uint64_t rest = operation_of(w->f, n, o)->defines; rest; rest &= rest - 1) {
            m->defines |= rest & -rest;
            m->definers[__builtin_ctzll(rest)] = (uint8_t)o;
        }
    }
    m->first = first;
    m->rank = wet_rank(w->f, number, before);
    m->last_time = w->forward && m->rank ? wet_time(w->f, number, m->rank - 1) : 0;
}

/* The producers of an edge learn of it: backward where it leads to the newest of them, forward always. */
static void edge_note(walker *w, uint32_t number, const wet_edge *edge, uint8_t at, bool control)
{
    for (uint32_t i = 0; i < edge->producer_count && (w->forward || edge->newest != WET_NOBODY); i++) {
        uint32_t producer = edge->producers[i];
        node *m = &w->nodes[w->f->producer_node[producer]];
        if (!producer)
            continue;
        if (w->forward) {
            w->consumers = memory_room(w->consumers, w->consumer_count, &w->consumer_max, sizeof *w->consumers);
            w->consumers[w->consumer_count++] = (consumer){number, w->consumer_of[producer], at, control};
            w->consumer_of[producer] = w->consumer_count;
            continue;
        }
        m->newest = memory_room(m->newest, m->newest_count, &m->newest_max, sizeof *m->newest);
        m->newest[m->newest_count++] =
            (newest){edge->newest, BIT(producer - w->f->nodes[w->f->producer_node[producer]].n.base)};
    }
}

static void edges_note(walker *w, uint32_t number)
{
    const wet_file_node *fn = &w->f->nodes[number];
    for (uint32_t k = 0; k < fn->n.control_count; k++)
        edge_note(w, number, &fn->controls[k], (uint8_t)k, true);
    for (uint32_t k = 0; k < fn->n.load_count; k++)
        for (uint32_t part = 0; part < fn->loads[k].part_count; part++)
            edge_note(w, number, &fn->loads[k].parts[part].edge, fn->n.loads[k].operation, false);
}

void slice_start(walker *w, wet_file *f, bool forward, uint32_t before)
{
    uint64_t first = 0;
    *w = (walker){.f = f, .forward = forward};
    w->counts = memory_zero(f->static_count + 1, sizeof(uint64_t));
    w->nodes = memory_zero(f->node_count + 1, sizeof *w->nodes);
    w->wanted_edges = memory_zero(f->newest_count + 1, sizeof *w->wanted_edges);
    w->affected = memory_zero(f->producer_count + 1, 1);
    w->consumer_of = memory_zero(f->producer_count + 1, sizeof *w->consumer_of);
    w->bytes = wet_bytes_new();
    for (uint32_t i = 0; i < f->node_count; first += f->nodes[i++].n.count) {
        node_start(w, i, first, before);
        edges_note(w, i);
    }
    w->marks = memory_zero((size_t)first + 1, sizeof *w->marks);
}

static void node_end(walker *w, uint32_t number)
{
    node *m = &w->nodes[number];
    for (uint32_t k = 0; k < CLOSURES; k++)
        slice_count(w, number, &m->closures[k]);
    for (uint32_t k = 0; k < w->f->nodes[number].n.load_count; k++)
        free(m->load[k].links);
    free(m->load);
    free(m->controls);
    free(m->touches);
    free(m->first_load);
    free(m->first_touch);
    free(m->reach);
    free(m->outside);
    free(m->readers);
    free(m->under);
    free(m->newest);
}

void slice_end(walker *w)
{
    for (uint32_t i = 0; i < w->f->node_count; i++)
        node_end(w, i);
    free(w->nodes);
    free(w->marks);
    free(w->wanted_edges);
    free(w->affected);
    free(w->consumer_of);
    free(w->consumers);
    wet_bytes_free(w->bytes);
}
