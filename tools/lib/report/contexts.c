/* SPDX-License-Identifier: MIT */
#include "tools/lib/report/contexts.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

uint32_t contexts_find(contexts *c, uint32_t number)
{
    if (c->last < c->count && c->all[c->last].number == number)
        return c->now = c->last;
    uint32_t known = c->every.count, index = c->now = numbering_of(&c->every, number);
    if (index == known) {
        c->depth = memory_room(c->depth, known, &c->depth_max, sizeof *c->depth);
        c->depth[index] = 0;
    }
    if (index >= CONTEXTS_MAX) {
        c->all[CONTEXTS_MAX - 1].others = true;
        return CONTEXTS_MAX - 1;
    }
    if (index == c->count)
        c->all[c->count++] = (context_line){.number = number};
    return index;
}

void contexts_enter(contexts *c, uint32_t number)
{
    (void)contexts_find(c, number);
    c->depth[c->now]++;
}

void contexts_leave(contexts *c, uint32_t number)
{
    (void)contexts_find(c, number);
    c->depth[c->now] -= c->depth[c->now] > 0;
}

void contexts_spend(contexts *c, uint32_t index, uint64_t cost, uint32_t node, uint64_t time)
{
    context_line *one = &c->all[index];
    c->last = index;
    one->cost += cost;
    if (c->depth[c->now] > one->deepest) {
        one->deepest = c->depth[c->now];
        one->deepest_node = node;
        one->deepest_at = time;
    }
}

void contexts_gap(contexts *c)
{
    for (uint32_t i = 0; i < c->every.count; i++)
        c->depth[i] = 0;
}

void contexts_end(contexts *c)
{
    numbering_free(&c->every);
    free(c->depth);
}
