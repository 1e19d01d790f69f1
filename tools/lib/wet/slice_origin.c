/* SPDX-License-Identifier: MIT */
/* Where edges lead. */
#include "tools/lib/wet/walker.h"

/* The newest of several, this execution included (forward). */
static uint32_t newest_of(const walker *w, const wet_edge *edge, uint32_t number)
{
    uint32_t best = 0, latest = 0;
    for (uint32_t i = 0; i < edge->producer_count; i++) {
        uint32_t from = w->f->producer_node[edge->producers[i]];
        uint32_t when = !edge->producers[i] ? 0 : from == number ? UINT32_MAX : w->nodes[from].last_time;
        if (when > latest || (!edge->producers[i] && !latest)) {
            latest = when;
            best = i;
        }
    }
    return best;
}

origin slice_origin(walker *w, link *by, uint32_t number, uint32_t instance)
{
    wet_file *f = w->f;
    const wet_edge *edge = by->edge;
    uint32_t choice = edge->which != WET_NOBODY   ? wet_tap_get(f, &by->which, instance)
                      : edge->producer_count == 1 ? 0
                                                  : newest_of(w, edge, number);
    origin o = {choice < edge->producer_count ? edge->producers[choice] : 0, 0, 0, 0};
    f->damaged |= choice >= edge->producer_count;
    if (!o.producer || (w->forward && !w->affected[o.producer]))
        return (origin){0, 0, 0, 0};
    o.node = f->producer_node[o.producer];
    o.operation = BIT(o.producer - w->nodes[o.node].base);
    uint32_t word = edge->when == WET_NOBODY ? 0 : wet_tap_get(f, &by->when, instance);
    uint32_t end = o.node == number ? instance + 1 : w->nodes[o.node].rank;
    if (edge->mode == WET_INSTANCES)
        o.instance = word;
    else if (edge->mode >= WET_IN_STEP)
        o.instance = word + (wet_tap_get(f, &by->address, instance) >> (edge->mode - WET_IN_STEP));
    else
        o.instance = end - 1 - word;
    if (o.instance < end)
        return o;
    f->damaged = true;
    return (origin){0, 0, 0, 0};
}
