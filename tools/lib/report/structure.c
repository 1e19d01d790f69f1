/* SPDX-License-Identifier: MIT */
#include "tools/lib/report/structure.h"

#include <stdlib.h>

#include "core/loopnest.h"
#include "tools/lib/base/memory.h"

enum { WINDOW = 256, HOT_LENGTH_MIN = 2, HOT_LENGTH_MAX = 16 };

void structure_begin(structure *s)
{
    *s =
        (structure){.window = nest_window_open(WINDOW, WEFT_LOOPNEST_DEPTH_MAX), .builder = grammar_builder_new(false)};
}

static void stop_loops(structure *s)
{
    s->nest = nest_window_finish(s->window);
    s->window = NULL;
}

static void stop_rules(structure *s)
{
    s->grammar = grammar_finish(s->builder);
    s->builder = NULL;
}

static void give(structure *s)
{
    if (s->window) {
        nest_window_push(s->window, s->waiting, s->count);
        s->looped += s->count;
        if (nest_window_bytes(s->window) > STRUCTURE_BYTES)
            stop_loops(s);
    }
    if (s->builder) {
        grammar_push(s->builder, s->waiting, s->count);
        s->ruled += s->count;
        if (grammar_builder_bytes(s->builder) > STRUCTURE_BYTES)
            stop_rules(s);
    }
    s->count = 0;
}

/* Its number. */
static uint32_t add(structure *s, uint32_t path, uint64_t cost)
{
    size_t known = s->numbers.count;
    uint32_t number = numbering_of(&s->numbers, path);
    if (number == known) {
        s->cost = memory_room(s->cost, number, &s->cost_max, sizeof *s->cost);
        s->cost[number] = cost;
    }
    s->paths++;
    s->waiting[s->count++] = path;
    if (s->count == sizeof s->waiting / sizeof *s->waiting)
        give(s);
    return number;
}

void structure_path(structure *s, uint32_t path, uint64_t cost)
{
    (void)add(s, path, cost);
}

void structure_block(structure *s, uint32_t block, uint32_t end, uint64_t cost)
{
    size_t known = s->numbers.count;
    uint32_t number = add(s, block, cost);
    if (number == known) {
        s->end = memory_room(s->end, number, &s->end_max, sizeof *s->end);
        s->end[number] = end;
    } else if (end > s->end[number]) { /* it was interrupted the first time */
        s->end[number] = end;
        s->cost[number] = cost;
    }
}

uint32_t structure_block_end(structure *s, uint32_t block)
{
    return s->end[numbering_of(&s->numbers, block)];
}

void structure_end(structure *s)
{
    give(s);
    if (s->window)
        stop_loops(s);
    if (s->builder)
        stop_rules(s);
}

void structure_free(structure *s)
{
    nest_free(s->window ? nest_window_finish(s->window) : s->nest);
    grammar_free(s->builder ? grammar_finish(s->builder) : s->grammar);
    numbering_free(&s->numbers);
    free(s->cost);
    free(s->end);
}

bool structure_hot(structure *s, size_t most, hot_paths *found, uint64_t *cost_of_all)
{
    const grammar *g = s->grammar;
    uint64_t *costs = memory_zero(g->terminal_count + 1, sizeof *costs);
    for (size_t i = 0; i < g->terminal_count; i++)
        costs[i] = s->cost[numbering_of(&s->numbers, g->terminals[i])];
    uint64_t all = hot_stream_cost(g, costs);
    hot_options find = {.levels = HOT_LEVELS,
                        .min_length = HOT_LENGTH_MIN,
                        .max_length = HOT_LENGTH_MAX,
                        .costs = costs,
                        .min_cost = all / 100 + (all % 100 != 0),
                        .memory = 2 * (uint64_t)STRUCTURE_BYTES};
    bool done = hot_find(g, &find, found) == HOT_FOUND;
    while (!done && (find.max_length /= 2) >= HOT_LENGTH_MIN)
        done = hot_find(g, &find, found) == HOT_FOUND;
    if (done)
        hot_cover(g, costs, found->all, found->count < most ? found->count : most);
    for (size_t i = 0; done && i < found->count; i++)
        for (size_t k = 0; k < found->all[i].length; k++)
            found->all[i].symbols[k] = g->terminals[found->all[i].symbols[k]];
    free(costs);
    *cost_of_all = all;
    return done;
}
