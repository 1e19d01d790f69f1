/* SPDX-License-Identifier: MIT */
#include "tools/lib/report/contexts.h"

uint32_t contexts_find(contexts *c, uint32_t number)
{
    if (c->last < c->count && c->all[c->last].number == number)
        return c->last;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->all[i].number == number)
            return i;
    if (c->count == CONTEXTS_MAX) {
        c->all[CONTEXTS_MAX - 1].others = true;
        return CONTEXTS_MAX - 1;
    }
    c->all[c->count] = (context_line){.number = number};
    return c->count++;
}

void contexts_enter(contexts *c, uint32_t number)
{
    c->all[contexts_find(c, number)].depth++;
}

void contexts_leave(contexts *c, uint32_t number)
{
    context_line *one = &c->all[contexts_find(c, number)];
    one->depth -= one->depth > 0;
}

void contexts_spend(contexts *c, uint32_t index, uint64_t cost, uint32_t node, uint64_t time)
{
    context_line *one = &c->all[index];
    c->last = index;
    one->cost += cost;
    if (one->depth > one->deepest) {
        one->deepest = one->depth;
        one->deepest_node = node;
        one->deepest_at = time;
    }
}

void contexts_gap(contexts *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        c->all[i].depth = 0;
}
