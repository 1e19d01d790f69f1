/* SPDX-License-Identifier: MIT */
/* Step 3, forward: what depends on the operations of an execution. */
#include "tools/lib/wet/walker.h"

static bool is_affected(walker *w, link *by, uint32_t number, uint32_t instance, uint64_t here)
{
    origin o = slice_origin(w, by, number, instance);
    if (!o.producer)
        return false;
    if (o.node == number && o.instance == instance)
        return (here & o.operation) != 0;
    return (w->marks[w->nodes[o.node].first + o.instance] & o.operation) != 0;
}

static bool loads_affected(walker *w, uint32_t number, uint32_t instance, uint32_t operation, uint64_t here)
{
    node *m = &w->nodes[number];
    bool is = false;
    for (uint32_t i = m->first_load[operation]; !is && i < m->first_load[operation + 1]; i++) {
        load *l = &m->load[i];
        if (!l->count)
            is = wet_bytes_any(w->bytes, wet_tap_get(w->f, &l->touch.address, instance), l->touch.size);
        for (uint32_t k = 0; !is && k < l->count; k++)
            is = is_affected(w, &l->links[k], number, instance, here);
    }
    return is;
}

static void store_note(walker *w, uint32_t number, uint32_t operation, uint32_t instance, bool is)
{
    node *m = &w->nodes[number];
    for (uint32_t i = m->first_touch[operation]; i < m->first_touch[operation + 1]; i++) {
        uint32_t address = wet_tap_get(w->f, &m->touches[i].address, instance);
        if (is)
            wet_bytes_add(w->bytes, address, m->touches[i].size);
        else
            wet_bytes_take(w->bytes, address, m->touches[i].size);
    }
}

/* Edges from operations that are affected for the first time need be looked at from now on. */
static void producers_note(walker *w, uint32_t number, uint64_t operations)
{
    for (uint64_t rest = operations; rest; rest &= rest - 1) {
        uint32_t producer = w->f->nodes[number].n.base + (unsigned)__builtin_ctzll(rest);
        if (w->affected[producer])
            continue;
        w->affected[producer] = 1;
        for (uint32_t i = w->consumer_of[producer]; i; i = w->consumers[i - 1].next) {
            const consumer *by = &w->consumers[i - 1];
            *(by->control ? &w->nodes[by->node].live_controls : &w->nodes[by->node].live_loads) |= BIT(by->at);
        }
    }
}

static uint64_t close_forward(walker *w, uint32_t number, uint64_t operations, closure **c)
{
    *c = slice_closure(w, number, operations);
    producers_note(w, number, (*c)->closed);
    return (*c)->closed;
}

void slice_step_forward(walker *w, uint32_t number, uint32_t instance, uint32_t time)
{
    const wet_file_node *fn = &w->f->nodes[number];
    node *m = &w->nodes[number];
    uint64_t here = w->marks[m->first + instance];
    closure *c = NULL;
    for (uint32_t i = 0; w->locations & m->reads && i < fn->n.input_count; i++)
        here |= w->locations >> fn->n.inputs[i] & 1 ? m->readers[i] : 0;
    for (uint64_t rest = m->live_controls; rest; rest &= rest - 1) {
        uint32_t i = (unsigned)__builtin_ctzll(rest);
        if (m->under[i] & ~here && is_affected(w, &m->controls[i], number, instance, 0))
            here |= m->under[i];
    }
    if (here)
        here = close_forward(w, number, here, &c);
    /* From the first operation to the last: what is added reaches only later ones. */
    for (uint64_t left = ~UINT64_C(0);;) {
        bool none = wet_bytes_empty(w->bytes);
        uint64_t loads = (m->live_loads | (none ? 0 : m->searching)) & ~here,
                 stores = m->searched & (none ? here : ~UINT64_C(0));
        uint64_t rest = (loads | stores) & left;
        if (!rest)
            break;
        uint32_t o = (unsigned)__builtin_ctzll(rest);
        if (loads >> o & 1 && loads_affected(w, number, instance, o, here))
            here = close_forward(w, number, here | BIT(o), &c);
        if (stores >> o & 1)
            store_note(w, number, o, instance, here >> o & 1);
        left = ~UINT64_C(0) << o << 1;
    }
    w->locations &= ~m->defines;
    m->rank = instance + 1;
    m->last_time = time;
    if (!here)
        return;
    w->locations |= c->locations;
    w->marks[m->first + instance] = here;
    slice_hit(w, number, instance, c);
}
