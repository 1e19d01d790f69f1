/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/order.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/schedule.h"
#include "tools/lib/wet/stream.h"

#define PART 4096u /* timestamps kept at once : 256 to 65536. More: more memory, rarer and longer pauses */

struct debug_order {
    wet_file *f;
    uint32_t begun;       /* nodes, in the order of their first executions, that have begun by the end of the part */
    uint32_t part;        /* WET_NONE: none yet */
    uint32_t *low, *high; /* of each node: executions before the part, and up to its end */
    uint32_t *before, *after; /* timestamps of the last one before and the first one after it; 0, UINT32_MAX: none */
    uint32_t nodes[PART], instances[PART];
};

debug_order *debug_order_new(wet_file *f)
{
    debug_order *o = memory_zero(1, sizeof *o);
    o->f = f;
    o->part = WET_NONE;
    o->low = memory_zero(f->node_count + 1, sizeof *o->low);
    o->high = memory_zero(f->node_count + 1, sizeof *o->high);
    o->before = memory_zero(f->node_count + 1, sizeof *o->before);
    o->after = memory_zero(f->node_count + 1, sizeof *o->after);
    return o;
}

void debug_order_free(debug_order *o)
{
    free(o->low);
    free(o->high);
    free(o->before);
    free(o->after);
    free(o);
}

static uint32_t time_or(debug_order *o, uint32_t node, uint32_t instance, uint32_t none)
{
    return instance < o->f->nodes[node].n.count ? wet_time(o->f, node, instance) : none;
}

static void put(debug_order *o, uint32_t node, uint32_t instance, uint32_t time)
{
    o->nodes[(time - 1) % PART] = node;
    o->instances[(time - 1) % PART] = instance;
}

/* A node's executions from number `from` on, up to `last`. */
static void fill_up(debug_order *o, uint32_t node, uint32_t from, uint32_t last)
{
    uint32_t at = from, time = time_or(o, node, at, UINT32_MAX);
    for (; time <= last; time = time_or(o, node, ++at, UINT32_MAX))
        put(o, node, at, time);
    o->high[node] = at;
    o->after[node] = time;
}

/* Those before number `end`, down to `first`. */
static void fill_down(debug_order *o, uint32_t node, uint32_t end, uint32_t first)
{
    uint32_t at = end, time = 0;
    while (at && (time = wet_time(o->f, node, at - 1)) >= first)
        put(o, node, --at, time);
    o->low[node] = at;
    o->before[node] = at ? time : 0;
}

/* How many nodes have begun by a time. */
static uint32_t begun_by(debug_order *o, uint32_t time)
{
    uint32_t low = 0, high = o->f->node_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (wet_time(o->f, middle, 0) <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Only the nodes that execute in the part, which is a window. */
static void part_scheduled(debug_order *o, uint32_t first, uint32_t last)
{
    uint32_t times[PART];
    for (uint32_t i = 0; i < o->f->node_count; i++) {
        uint32_t at, end;
        if (!wet_schedule_find(o->f, i, (first - 1) / o->f->window, &at, &end) || end - at > PART)
            continue;
        wet_stream_read(o->f, o->f->nodes[i].times, at, end - at, times);
        for (uint32_t k = 0; k < end - at; k++)
            if (times[k] >= first && times[k] <= last)
                put(o, i, at + k, times[k]);
    }
}

static void part_anywhere(debug_order *o, uint32_t first, uint32_t last)
{
    o->begun = begun_by(o, last);
    for (uint32_t i = 0; i < o->begun; i++) {
        o->low[i] = first > 1 ? wet_rank(o->f, i, first - 1) : 0;
        o->before[i] = o->low[i] ? wet_time(o->f, i, o->low[i] - 1) : 0;
        fill_up(o, i, o->low[i], last);
    }
}

static void part_after(debug_order *o, uint32_t first, uint32_t last)
{
    for (uint32_t i = 0; i < o->begun; i++) {
        if (o->high[i] != o->low[i])
            o->before[i] = wet_time(o->f, i, o->high[i] - 1);
        o->low[i] = o->high[i];
        if (o->after[i] >= first && o->after[i] <= last)
            fill_up(o, i, o->low[i], last);
    }
    for (; o->begun < o->f->node_count && wet_time(o->f, o->begun, 0) <= last; o->begun++) {
        o->low[o->begun] = o->before[o->begun] = 0;
        fill_up(o, o->begun, 0, last);
    }
}

static void part_before(debug_order *o, uint32_t first, uint32_t last)
{
    for (uint32_t i = 0; i < o->begun; i++) {
        if (o->high[i] != o->low[i])
            o->after[i] = wet_time(o->f, i, o->low[i]);
        o->high[i] = o->low[i];
        if (o->before[i] >= first && o->before[i] <= last)
            fill_down(o, i, o->high[i], first);
    }
}

wet_execution debug_order_at(debug_order *o, uint32_t time)
{
    wet_schedule_read(o->f);
    bool scheduled = o->f->shifts && o->f->window <= PART;
    uint32_t size = scheduled ? o->f->window : PART, part = (time - 1) / size, first = part * size + 1,
             last = first + size - 1;
    if (part != o->part) {
        memset(o->nodes, 0xff, sizeof o->nodes);
        if (scheduled)
            part_scheduled(o, first, last);
        else if (o->part != WET_NONE && part == o->part + 1)
            part_after(o, first, last);
        else if (o->part != WET_NONE && part + 1 == o->part)
            part_before(o, first, last);
        else
            part_anywhere(o, first, last);
        o->part = part;
    }
    uint32_t at = (time - 1) % PART;
    return (wet_execution){o->nodes[at], o->instances[at], time};
}
