/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/window_ahead.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/begun.h"
#include "tools/lib/wet/schedule.h"

typedef struct reading {
    wet_numbers *all;
    uint32_t count;
    size_t max;
} reading;

static void reading_add(reading *r, uint32_t stream, uint32_t from, uint32_t to)
{
    if (stream == WET_NONE)
        return;
    r->all = memory_room(r->all, r->count, &r->max, sizeof *r->all);
    r->all[r->count++] = (wet_numbers){stream, from, to};
}

/* Timestamps and words of a node; of a word that a load's edge names, the edge. */
static void reading_node(reading *r, const wet_file *f, const wet_file_node *n, uint32_t from, uint32_t to)
{
    reading_add(r, n->times, from, to);
    for (uint32_t slot = 0; slot < n->n.slot_count; slot++) {
        uint16_t load = n->load_of[n->slot_operation[slot]];
        if (f->streams[n->slots[slot]].kind != WET_INFERRED) {
            reading_add(r, n->slots[slot], from, to);
        } else if (!n->slot[slot]->computed && load != WET_NO_LOAD && n->loads[load].part_count) {
            const wet_edge *edge = &n->loads[load].parts[n->loads[load].part_count - 1].edge;
            reading_add(r, edge->which, from, to);
            reading_add(r, edge->when, from, to);
        }
    }
}

void debug_window_ahead(wet_file *f, uint32_t number)
{
    reading r = {0};
    uint32_t from, to;
    wet_schedule_read(f);
    for (uint32_t i = 0; f->shifts && i < f->node_count; i++)
        if (wet_schedule_find(f, i, number, &from, &to))
            reading_node(&r, f, &f->nodes[i], from, to);
    wet_begun_ahead(f, r.all, r.count);
    free(r.all);
}
