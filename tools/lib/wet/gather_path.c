/* SPDX-License-Identifier: MIT */
/* The tree of paths: a state is a prefix; ways lead to longer ones. */
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/gathering.h"

static uint32_t state_add(gather *g)
{
    g->states = memory_room(g->states, g->state_count, &g->state_max, sizeof *g->states);
    g->states[g->state_count] = (gather_state){WET_NONE, 0, WET_NONE};
    return g->state_count++;
}

static uint32_t way_slot(const gather *g, uint64_t key)
{
    uint64_t at = key * UINT64_C(0x9e3779b97f4a7c15) >> 20;
    while (g->ways[at & (g->way_slots - 1)] && g->ways[at & (g->way_slots - 1)] != key)
        at++;
    return (uint32_t)(at & (g->way_slots - 1));
}

static void ways_grow(gather *g)
{
    uint64_t *old = g->ways;
    uint32_t *old_next = g->way_next, old_slots = g->way_slots;
    g->way_slots = old_slots ? old_slots * 2 : 4096;
    g->ways = memory_zero(g->way_slots, sizeof *g->ways);
    g->way_next = memory_zero(g->way_slots, sizeof *g->way_next);
    for (uint32_t i = 0; i < old_slots; i++)
        if (old[i]) {
            uint32_t slot = way_slot(g, old[i]);
            g->ways[slot] = old[i];
            g->way_next[slot] = old_next[i];
        }
    free(old);
    free(old_next);
}

void gather_root(gather *g)
{
    state_add(g);
}

uint32_t gather_way(gather *g, uint32_t state, uint32_t statement)
{
    if (2 * g->way_count >= g->way_slots)
        ways_grow(g);
    uint64_t key = ((uint64_t)state << 32 | statement) + 1;
    uint32_t slot = way_slot(g, key);
    if (!g->ways[slot]) {
        uint32_t next = state_add(g);
        g->ways[slot] = key;
        g->way_next[slot] = next;
        g->way_count++;
    }
    g->states[state].statement = statement;
    return g->states[state].next = g->way_next[slot];
}
