/* SPDX-License-Identifier: MIT */
/* Step 1, searches: how far a reader goes back to find a load's store by its address (search.h). It looks at the
 * executions of the stores' nodes, in the window of the load only: the snapshots say which window before wrote the
 * word. */
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/packing.h"

#define SAMPLES 256u /* executions of the load that are looked at. More: slower building */

/* A node that stores: and its executions up to the time that was asked for last. */
typedef struct storing {
    const wet_node *node;
    wet_cells times;
    uint32_t rank;
} storing;

typedef struct storings {
    storing *all;
    uint32_t count;
    size_t max;
} storings;

static storing *storing_of(const pack_work *w, storings *s, uint32_t producer)
{
    const wet_node *node = &w->t->nodes[w->t->producer_node[producer]];
    for (uint32_t i = 0; i < s->count; i++)
        if (s->all[i].node == node)
            return &s->all[i];
    s->all = memory_room(s->all, s->count, &s->max, sizeof *s->all);
    s->all[s->count] = (storing){node, wet_cells_open(node->rows, 0), 0};
    return &s->all[s->count++];
}

/* How many executions have a timestamp of at most `time`, mostly little more than in the call before. */
static uint32_t rank_of(const pack_work *w, storing *s, uint32_t time)
{
    if (s->rank && wet_cells_get(w->reader, &s->times, s->rank - 1) > time)
        s->rank = 0;
    uint32_t low = s->rank, step = 1, high = low;
    while (high < s->node->count && wet_cells_get(w->reader, &s->times, high) <= time) {
        low = high + 1;
        high = s->node->count - high > step ? high + step : s->node->count;
        step *= 2;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (wet_cells_get(w->reader, &s->times, middle) <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return s->rank = low;
}

/* The executions in a window, up to `time`. */
static uint32_t executions_in(const pack_work *w, storings *s, uint32_t begin, uint32_t time)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t before = rank_of(w, &s->all[i], begin - 1);
        count += rank_of(w, &s->all[i], time) - before;
    }
    return count;
}

/* Of those in the window, the part after the store. */
static uint64_t steps_at(const pack_work *w, storings *s, uint32_t time, uint32_t stored)
{
    uint32_t begin = (time - 1) / WET_WINDOW * WET_WINDOW + 1, count = executions_in(w, s, begin, time);
    return stored < begin ? 1 : 1 + (uint64_t)count * (time - stored) / (time - begin + 1);
}

uint8_t pack_search_steps(const pack_work *w, uint32_t load)
{
    const wet_node *node = w->node;
    const packed_node *out = w->out;
    uint32_t at = wet_row_loads(node) + 3 * load, samples = node->count < SAMPLES ? node->count : SAMPLES, part = 0;
    uint64_t steps = 0;
    storings s = {0};
    while (out->parts[part].load != load || out->parts[part].byte != 0)
        part++;
    for (uint32_t i = 0; i < out->parts[part].edge.producer_count; i++)
        storing_of(w, &s, out->parts[part].edge.producers[i]);
    wet_cells producers = wet_cells_open(node->rows, at), instances = wet_cells_open(node->rows, at + 1);
    for (uint32_t i = 0; i < samples; i++) {
        uint32_t row = (uint32_t)((uint64_t)i * node->count / samples);
        storing *from = storing_of(w, &s, wet_cells_get(w->reader, &producers, row));
        uint32_t stored = wet_cells_get(w->reader, &from->times, wet_cells_get(w->reader, &instances, row));
        steps += steps_at(w, &s, w->times[row], stored);
    }
    wet_cells_close(&producers);
    wet_cells_close(&instances);
    for (uint32_t i = 0; i < s.count; i++)
        wet_cells_close(&s.all[i].times);
    free(s.all);
    uint64_t mean = (steps + samples - 1) / samples;
    return mean <= PACK_STEPS_MAX ? (uint8_t)mean : 0;
}
