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

static void node_start(walker *w, uint32_t number, uint32_t before)
{
    const wet_node *n = &w->f->nodes[number].n;
    node *m = &w->nodes[number];
    m->reach = memory_zero(n->operation_count, sizeof *m->reach);
    m->outside = memory_zero(n->operation_count, sizeof *m->outside);
    m->readers = memory_zero(n->input_count + 1, sizeof *m->readers);
    m->under = memory_zero(n->control_count + 1, sizeof *m->under);
    reach_make(m, n, w->forward);
    m->first = w->log->nodes[number].first;
    m->links = m->first[n->operation_count];
    m->loads = w->log->nodes[number].loads;
    m->controls = n->control_count;
    for (uint32_t o = 0; o < n->operation_count; o++) {
        if (n->parent[o] == 255)
            m->under[n->parent_input[o]] |= BIT(o);
        for (uint64_t rest = operation_of(w->f, n, o)->defines; rest; rest &= rest - 1) {
            m->defines |= rest & -rest;
            m->definers[__builtin_ctzll(rest)] = (uint8_t)o;
        }
    }
    m->rank = w->visit ? wet_rank(w->f, number, before) : 0;
}

void slice_start(walker *w, uint32_t before)
{
    wet_file *f = w->f;
    w->counts = memory_zero(f->static_count + 1, sizeof(uint64_t));
    w->nodes = memory_zero(f->node_count + 1, sizeof *w->nodes);
    for (uint32_t i = 0; i < f->node_count; i++)
        node_start(w, i, before);
}

static void node_end(walker *w, uint32_t number)
{
    node *m = &w->nodes[number];
    for (uint32_t k = 0; k < CLOSURES; k++)
        slice_count(w, number, &m->closures[k]);
    free(m->reach);
    free(m->outside);
    free(m->readers);
    free(m->under);
}

void slice_end(walker *w)
{
    for (uint32_t i = 0; i < w->f->node_count; i++)
        node_end(w, i);
    free(w->nodes);
    free(w->marks);
}
