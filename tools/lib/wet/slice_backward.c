/* SPDX-License-Identifier: MIT */
/* Step 3, backward: what the operations of an execution depend on. */
#include "tools/lib/wet/walker.h"

/* The origin of an edge is wanted. Returns operations of this very execution that are. */
static uint64_t want(walker *w, link *by, uint32_t number, uint32_t instance)
{
    const wet_edge *edge = by->edge;
    if (edge->newest != WET_NOBODY) { /* the producer met next */
        for (uint32_t i = 0; i < edge->producer_count; i++) {
            uint32_t from = w->f->producer_node[edge->producers[i]];
            if (edge->producers[i] && from == number)
                return BIT(edge->producers[i] - w->nodes[number].base);
            w->nodes[from].asked |= edge->producers[i] != 0;
        }
        w->wanted_edges[edge->newest] = true;
        return 0;
    }
    origin o = slice_origin(w, by, number, instance);
    if (!o.producer)
        return 0;
    if (o.node == number && o.instance == instance)
        return o.operation;
    if (o.node != number && o.instance + 1 == w->nodes[o.node].rank)
        w->nodes[o.node].pending |= o.operation;
    else
        w->marks[w->nodes[o.node].first + o.instance] |= o.operation;
    return 0;
}

/* Wants what the loads of an operation read. */
static uint64_t loads_want(walker *w, uint32_t number, uint32_t instance, uint32_t operation)
{
    node *m = &w->nodes[number];
    uint64_t here = 0;
    for (uint32_t i = m->first_load[operation]; i < m->first_load[operation + 1]; i++) {
        load *l = &m->load[i];
        if (!l->count)
            wet_bytes_add(w->bytes, wet_tap_get(w->f, &l->touch.address, instance), l->touch.size);
        for (uint32_t k = 0; k < l->count; k++)
            here |= want(w, &l->links[k], number, instance);
    }
    return here;
}

/* Whether a store writes bytes that are wanted; they are not any more. */
static bool takes_bytes(walker *w, uint32_t number, uint32_t operation, uint32_t instance)
{
    node *m = &w->nodes[number];
    bool any = false;
    for (uint32_t i = m->first_touch[operation]; i < m->first_touch[operation + 1]; i++)
        any |= wet_bytes_take(w->bytes, wet_tap_get(w->f, &m->touches[i].address, instance), m->touches[i].size);
    return any;
}

/* Operations that are wanted through edges to the newest of several. */
static uint64_t newest_wanted(walker *w, node *m)
{
    uint64_t operations = 0;
    m->asked = false;
    for (uint32_t i = 0; i < m->newest_count; i++)
        if (w->wanted_edges[m->newest[i].edge]) {
            w->wanted_edges[m->newest[i].edge] = false;
            operations |= m->newest[i].operation;
        }
    return operations;
}

void slice_step_backward(walker *w, uint32_t number, uint32_t instance)
{
    node *m = &w->nodes[number];
    m->rank = instance;
    uint64_t wanted = w->marks[m->first + instance] | m->pending, here = w->locations & m->defines,
             searched = m->searched;
    m->pending = 0;
    if (m->asked)
        wanted |= newest_wanted(w, m);
    for (uint64_t rest = here; rest; rest &= rest - 1)
        wanted |= BIT(m->definers[__builtin_ctzll(rest)]);
    w->locations &= ~here;
    closure *c = wanted ? slice_closure(w, number, wanted) : NULL;
    if (c)
        wanted = c->closed;
    /* From the last operation to the first: what is added reaches only earlier ones. */
    for (uint64_t left = ~UINT64_C(0), rest;
         (rest = ((wanted & m->loads) | (wet_bytes_empty(w->bytes) ? 0 : searched)) & left);) {
        uint32_t o = 63 - (uint32_t)__builtin_clzll(rest);
        uint64_t more = searched >> o & 1 && takes_bytes(w, number, o, instance) ? BIT(o) : 0;
        if ((wanted | more) & m->loads & BIT(o))
            more |= loads_want(w, number, instance, o);
        left = BIT(o) - 1;
        if (!(more & ~wanted))
            continue;
        c = slice_closure(w, number, wanted | more);
        wanted = c->closed;
    }
    if (!wanted)
        return;
    for (uint64_t rest = c->controls; rest; rest &= rest - 1)
        want(w, &m->controls[__builtin_ctzll(rest)], number, instance);
    w->locations |= c->locations;
    slice_hit(w, number, instance, c);
}
