/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/edge.h"

#include "tools/lib/wet/schedule.h"
#include "tools/lib/wet/stream.h"

uint32_t wet_time(wet_file *f, uint32_t node, uint32_t instance)
{
    return wet_stream_get(f, f->nodes[node].times, instance);
}

/* The first execution from `low` to `high` that is later than `time`; all before `low` are not, and `high` is (or is
 * the end). */
static uint32_t rank_between(wet_file *f, uint32_t node, uint32_t time, uint32_t low, uint32_t high)
{
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (wet_time(f, node, middle) <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* In a node of many executions only the block that holds the time is decoded. */
static uint32_t rank_in_block(wet_file *f, uint32_t node, uint32_t time)
{
    const wet_file_node *n = &f->nodes[node];
    uint32_t low = 1, high = ((n->n.count - 1) >> f->block_bits) + 1; /* the first block that begins later */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (n->block_times[middle] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t end = low << f->block_bits < n->n.count ? low << f->block_bits : n->n.count;
    return rank_between(f, node, time, (low - 1) << f->block_bits, end);
}

/* Only timestamps of the window are read, if any. */
static uint32_t rank_in_window(wet_file *f, uint32_t node, uint32_t time)
{
    uint32_t first, end, window = (time - 1) / f->window;
    if (!wet_schedule_find(f, node, window, &first, &end) || time % f->window == 0)
        return end;
    return rank_between(f, node, time, first, end);
}

/* From where the last search ended, with growing steps, then by halves. */
uint32_t wet_rank(wet_file *f, uint32_t node, uint32_t time)
{
    wet_file_node *n = &f->nodes[node];
    if (!time)
        return 0;
    wet_schedule_read(f);
    if (n->shifts)
        return rank_in_window(f, node, time);
    if (n->block_times)
        return rank_in_block(f, node, time);
    uint32_t count = n->n.count, low, high, step = 1, at = n->finger < count ? n->finger : count - 1;
    if (wet_time(f, node, at) <= time) {
        low = high = at + 1;
        for (; high < count && wet_time(f, node, high) <= time; step *= 2) {
            low = high + 1;
            high = count - high > step ? high + step : count;
        }
    } else {
        low = high = at;
        for (; low > 0 && wet_time(f, node, low - 1) > time; step *= 2) {
            high = low - 1;
            low = low > step ? low - step : 0;
        }
    }
    low = rank_between(f, node, time, low, high);
    n->finger = low ? low - 1 : 0;
    return low;
}

/* The place in the list of the producer whose node executed last, and how often it had by then. */
static uint32_t newest_of(wet_file *f, const wet_edge *edge, wet_execution *at, uint32_t *rank)
{
    uint32_t best = 0, latest = 0, time = wet_execution_time(f, at) - (edge->mode == WET_BEFORE);
    for (uint32_t i = 0; i < edge->producer_count; i++) {
        uint32_t from = f->producer_node[edge->producers[i]], before;
        if (!edge->producers[i])
            before = 0;
        else if (from == at->node)
            before = at->instance + (edge->mode != WET_BEFORE);
        else
            before = wet_rank(f, from, time);
        uint32_t when = before ? wet_time(f, from, before - 1) : 0;
        if (when > latest || (!edge->producers[i] && !latest)) {
            latest = when;
            best = i;
            *rank = before;
        }
    }
    return best;
}

/* The place of the producer in the list; *rank is its executions by then where they were counted, else 0. */
static uint32_t choice_of(wet_file *f, const wet_edge *edge, wet_execution *at, uint32_t *rank)
{
    *rank = 0;
    if (edge->which == WET_NONE)
        return newest_of(f, edge, at, rank);
    uint32_t which = wet_stream_get(f, edge->which, at->instance);
    if (which < edge->producer_count)
        return which;
    f->damaged = true;
    return 0;
}

wet_origin wet_edge_choose(wet_file *f, const wet_edge *edge, wet_execution *at, uint32_t address, uint32_t *choice)
{
    uint32_t rank;
    *choice = choice_of(f, edge, at, &rank);
    wet_origin origin = {edge->producers[*choice], 0};
    if (!origin.producer)
        return origin;
    uint32_t from = f->producer_node[origin.producer];
    uint32_t word = edge->when == WET_NONE ? 0 : wet_stream_get(f, edge->when, at->instance);
    if (edge->mode == WET_INSTANCES)
        origin.instance = word;
    else if (wet_edge_wants_address(edge))
        origin.instance = word + (address >> (edge->mode - WET_IN_STEP));
    else if (rank && edge->mode != WET_AGES)
        origin.instance = rank - 1;
    else if (from == at->node)
        origin.instance = at->instance - word - (edge->mode == WET_BEFORE);
    else
        origin.instance = wet_rank(f, from, wet_execution_time(f, at)) - 1 - word;
    if (origin.instance >= f->nodes[from].n.count) {
        f->damaged = true;
        return (wet_origin){0, 0};
    }
    return origin;
}
