/* SPDX-License-Identifier: MIT */
/* What is the same for all executions of a node, and is made once. */
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/flags.h"
#include "tools/lib/wet/walker.h"

static const wet_operation *operation_of(const wet_file *f, const wet_node *n, uint32_t operation)
{
    return &f->statements[n->statements[n->operation_statement[operation]]]
                .operations[n->operation_in_statement[operation]];
}

static uint64_t flags_defined(const wet_file *f, const wet_node *n, uint32_t operation)
{
    return (uint64_t)wet_flags_set(f, n, operation) << FLAG_FIRST;
}

/* The operations that set the flags which an operation reads. */
static uint64_t flags_need(const wet_file *f, slice_node *m, const wet_node *n, uint32_t operation)
{
    uint64_t needs = 0, left = (uint64_t)wet_flags_read(f, n, operation) << FLAG_FIRST;
    for (uint32_t o = operation; left && o-- > 0;) {
        if (n->operation_statement[o] == n->operation_statement[operation])
            continue; /* all of an instruction's operations read what was before it */
        needs |= left & flags_defined(f, n, o) ? BIT(o) : 0;
        left &= ~flags_defined(f, n, o);
    }
    m->outside[operation] |= left;
    for (; left; left &= left - 1)
        m->readers[n->input_count + (unsigned)__builtin_ctzll(left) - FLAG_FIRST] |= BIT(operation);
    return needs;
}

/* Local dependences lead from an operation to earlier ones. */
static void reach_make(const walker *w, slice_node *m, const wet_node *n)
{
    bool forward = w->forward;
    for (uint32_t o = 0, use = 0; o < n->operation_count; o++) {
        uint64_t needs = n->parent[o] == 255 ? 0 : BIT(n->parent[o]);
        for (; use < n->use_count && n->uses[use].operation == o; use++) {
            const wet_use *u = &n->uses[use];
            if (!u->depends || u->loc == THUMB_FLAGS)
                continue;
            if (u->producer != 255) {
                needs |= BIT(u->producer);
            } else {
                m->outside[o] |= BIT(u->loc);
                m->readers[u->input] |= BIT(o);
            }
        }
        needs |= flags_need(w->f, m, n, o);
        m->reads |= m->outside[o];
        m->reach[o] = BIT(o);
        for (uint64_t rest = forward ? 0 : needs; rest; rest &= rest - 1)
            m->reach[o] |= m->reach[__builtin_ctzll(rest)];
        for (uint32_t k = 0; forward && k < o; k++)
            m->reach[k] |= m->reach[k] & needs ? BIT(o) : 0;
    }
}

static void node_make(const walker *w, uint32_t number)
{
    const wet_node *n = &w->f->nodes[number].n;
    slice_node *m = &w->nodes[number];
    m->reach = memory_zero(n->operation_count, sizeof *m->reach);
    m->outside = memory_zero(n->operation_count, sizeof *m->outside);
    m->readers = memory_zero(n->input_count + THUMB_FLAG_KINDS, sizeof *m->readers);
    m->under = memory_zero(n->control_count + 1, sizeof *m->under);
    reach_make(w, m, n);
    m->first = w->log->nodes[number].first;
    m->links = m->first[n->operation_count];
    m->loads = w->log->nodes[number].loads;
    m->controls = n->control_count;
    for (uint32_t o = 0; o < n->operation_count; o++) {
        if (n->parent[o] == 255)
            m->under[n->parent_input[o]] |= BIT(o);
        uint64_t rest = operation_of(w->f, n, o)->defines;
        for (rest = (rest & ~BIT(THUMB_FLAGS)) | flags_defined(w->f, n, o); rest; rest &= rest - 1) {
            m->defines |= rest & -rest;
            m->definers[__builtin_ctzll(rest)] = (uint8_t)o;
        }
    }
}

void slice_start(walker *w, uint32_t before)
{
    wet_file *f = w->f;
    slice_node **nodes = &w->log->prepared[w->forward];
    w->counts = memory_zero(f->static_count + 1, sizeof(uint64_t));
    w->nodes = *nodes;
    if (!w->nodes) {
        w->nodes = *nodes = memory_table(f->node_count + 1, sizeof *w->nodes);
        closure *all = memory_table(((size_t)f->node_count + 1) * CLOSURES, sizeof *all);
        for (uint32_t i = 0; i < f->node_count; i++) {
            node_make(w, i);
            w->nodes[i].last = w->nodes[i].closures = all + (size_t)i * CLOSURES;
        }
        w->nodes[0].closures = all; /* of a file without nodes too */
    }
    for (uint32_t i = 0; w->visit && i < f->node_count; i++)
        w->nodes[i].rank = wet_rank(f, i, before);
    if (!w->log->marks)
        w->log->marks = memory_table((size_t)f->time + 1, sizeof *w->log->marks);
    w->marks = w->log->marks;
}

void slice_end(walker *w)
{
    for (uint32_t i = 0; i < w->f->node_count; i++)
        for (uint32_t k = 0; k < CLOSURES; k++)
            slice_count(w, i, &w->nodes[i].closures[k]);
}

void slice_nodes_free(slice_node *nodes, uint32_t count)
{
    for (uint32_t i = 0; nodes && i < count; i++) {
        free(nodes[i].reach);
        free(nodes[i].outside);
        free(nodes[i].readers);
        free(nodes[i].under);
    }
    free(nodes ? nodes->closures : NULL);
    free(nodes);
}
