/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/window_ahead.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/schedule.h"

static void numbers_add(debug_ahead *a, uint32_t stream, uint32_t from, uint32_t to)
{
    if (stream == WET_NONE)
        return;
    a->all = memory_room(a->all, a->count, &a->max, sizeof *a->all);
    a->all[a->count++] = (wet_numbers){stream, from, to};
}

/* Timestamps and words of a node; of a word that a load's edge names, the edge. */
static void node_add(debug_ahead *a, const wet_file *f, const wet_file_node *n, uint32_t from, uint32_t to)
{
    numbers_add(a, n->times, from, to);
    for (uint32_t slot = 0; slot < n->n.slot_count; slot++) {
        uint16_t load = n->load_of[n->slot_operation[slot]];
        if (f->streams[n->slots[slot]].kind != WET_INFERRED) {
            numbers_add(a, n->slots[slot], from, to);
        } else if (!n->slot[slot]->computed && load != WET_NO_LOAD && n->loads[load].part_count) {
            const wet_edge *edge = &n->loads[load].parts[n->loads[load].part_count - 1].edge;
            numbers_add(a, edge->which, from, to);
            numbers_add(a, edge->when, from, to);
        }
    }
}

void debug_ahead_list(debug_ahead *a, wet_file *f, uint32_t number)
{
    uint32_t from, to;
    wet_schedule_read(f);
    for (uint32_t i = 0; f->shifts && i < f->node_count; i++)
        if (wet_schedule_find(f, i, number, &from, &to))
            node_add(a, f, &f->nodes[i], from, to);
}

bool debug_ahead_go(debug_ahead *a, wet_file *f, uint32_t streams)
{
    bool decoded = false;
    while (streams-- && debug_ahead_left(a) && !decoded)
        decoded = wet_begun_ahead(f, &a->all[a->done++], 1);
    return decoded;
}

void debug_ahead_rest(debug_ahead *a, wet_file *f)
{
    wet_begun_ahead(f, a->all + a->done, debug_ahead_left(a));
    a->done = a->count;
}

void debug_ahead_free(debug_ahead *a)
{
    free(a->all);
    *a = (debug_ahead){0};
}
