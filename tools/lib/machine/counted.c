/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/counted.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

/* The graph, and R. Tarjan's search for strongly connected components ("Depth-First Search and Linear Graph
 * Algorithms", 1972), with a stack of its own. */
typedef struct search {
    const routine *r;
    uint32_t *visit, *low; /* by step; visit: from 1 on, in order; 0: not yet */
    uint32_t *component;   /* by step, from 1; 0: not known yet */
    uint32_t *open;        /* steps whose component is not known yet */
    uint32_t *way;         /* steps from the root to the one looked at, */
    uint32_t *turn;        /* and how many of its ways were taken */
    uint32_t visits, open_count, depth, components;
} search;

/* One of the ways out of a step; ROUTINE_NONE. What follows a path probe is another path, and what follows a call
 * within a loop begins it again. */
static uint32_t way_out(const routine_step *s, uint32_t i)
{
    if (routine_ends_path(s) || s->within)
        return ROUTINE_NONE;
    return i == 0 ? s->next : i == 1 ? s->target : s->table[i - 2];
}

static void enter(search *t, uint32_t step)
{
    t->visit[step] = t->low[step] = ++t->visits;
    t->open[t->open_count++] = step;
    t->way[t->depth] = step;
    t->turn[t->depth++] = 0;
}

static void leave(search *t, uint32_t step)
{
    t->depth--;
    if (t->depth && t->low[step] < t->low[t->way[t->depth - 1]])
        t->low[t->way[t->depth - 1]] = t->low[step];
    if (t->low[step] != t->visit[step])
        return;
    t->components++;
    uint32_t last;
    do {
        last = t->open[--t->open_count];
        t->component[last] = t->components;
    } while (last != step);
}

static void search_on(search *t)
{
    uint32_t step = t->way[t->depth - 1], turn = t->turn[t->depth - 1]++;
    const routine_step *s = &t->r->steps[step];
    if (turn >= 2 + s->table_count) {
        leave(t, step);
        return;
    }
    uint32_t to = way_out(s, turn);
    if (to == ROUTINE_NONE)
        return;
    if (!t->visit[to])
        enter(t, to);
    else if (!t->component[to] && t->visit[to] < t->low[step])
        t->low[step] = t->visit[to];
}

/* By step: the number of its component if that is a cycle, or 0. */
static uint32_t *find_cycles(const routine *r)
{
    size_t room = r->count + 1;
    search t = {.r = r};
    t.visit = memory_zero(room, sizeof *t.visit);
    t.low = memory_zero(room, sizeof *t.low);
    t.component = memory_zero(room, sizeof *t.component);
    t.open = memory_zero(room, sizeof *t.open);
    t.way = memory_zero(room, sizeof *t.way);
    t.turn = memory_zero(room, sizeof *t.turn);
    for (uint32_t root = 0; root < r->count; root++) {
        if (!t.visit[root])
            enter(&t, root);
        while (t.depth)
            search_on(&t);
    }
    uint8_t *cyclic = memory_zero(t.components + 1, 1);
    for (uint32_t i = 0; i < r->count; i++)
        for (uint32_t k = 0; k < 2 + r->steps[i].table_count; k++) {
            uint32_t to = way_out(&r->steps[i], k);
            cyclic[t.component[i]] |= to != ROUTINE_NONE && t.component[to] == t.component[i];
        }
    for (uint32_t i = 0; i < r->count; i++)
        if (!cyclic[t.component[i]])
            t.component[i] = 0;
    free(cyclic);
    free(t.visit);
    free(t.low);
    free(t.open);
    free(t.way);
    free(t.turn);
    return t.component;
}

static void find_within(routine *r)
{
    uint32_t *cycle = find_cycles(r);
    for (uint32_t i = 0; i < r->count; i++)
        r->steps[i].within = r->steps[i].call == ROUTINE_LOOP && cycle[i];
    free(cycle);
}

/* Marks what leads to a call of __weft_loop without a cycle between, and the cycles that do. Backward along ways. */
/* Whether a step that did not reach a loop's end before does so by one of its ways out. */
static bool reaches_now(const routine *r, const uint32_t *cycle, const uint8_t *reaches, uint32_t step)
{
    for (uint32_t k = 0; k < 2 + r->steps[step].table_count && !reaches[step]; k++) {
        uint32_t to = way_out(&r->steps[step], k);
        if (to != ROUTINE_NONE && reaches[to] && !cycle[to])
            return true;
    }
    return false;
}

static void find_counted(const routine *r, const uint32_t *cycle, uint8_t *reaches, uint8_t *counted)
{
    bool more = true;
    for (uint32_t i = 0; i < r->count; i++)
        reaches[i] = routine_ends_loop(&r->steps[i]);
    while (more) {
        more = false;
        for (uint32_t i = r->count; i-- > 0;)
            if (reaches_now(r, cycle, reaches, i)) {
                counted[cycle[i]] = 1;
                reaches[i] = more = true;
            }
    }
}

static void add_head(routine *r, uint32_t step, uint32_t *head)
{
    if (*head && *head != step + 1)
        r->known = false;
    *head = step + 1;
}

/* Steps outside, and what follows a probe, lead to a loop's head. */
static void find_heads(routine *r, const uint32_t *cycle, const uint8_t *counted, uint32_t *head)
{
    for (uint32_t i = 0; i < r->count; i++) {
        const routine_step *s = &r->steps[i];
        for (uint32_t k = 0; k < 2 + s->table_count; k++) {
            uint32_t to = k == 0 ? s->next : k == 1 ? s->target : s->table[k - 2];
            if (to != ROUTINE_NONE && counted[cycle[to]] && (cycle[i] != cycle[to] || way_out(s, k) != to))
                add_head(r, to, &head[cycle[to]]);
        }
    }
    if (counted[cycle[0]])
        add_head(r, 0, &head[cycle[0]]);
}

void counted_find(routine *r)
{
    bool any = false;
    for (uint32_t i = 0; i < r->count; i++)
        any |= routine_ends_loop(&r->steps[i]);
    if (!any)
        return;
    find_within(r);
    uint32_t *cycle = find_cycles(r), *head = memory_zero(r->count + 1, sizeof *head);
    uint8_t *reaches = memory_zero(r->count, 1), *counted = memory_zero(r->count + 1, 1);
    find_counted(r, cycle, reaches, counted);
    counted[0] = 0; /* no cycle */
    find_heads(r, cycle, counted, head);
    for (uint32_t i = 0; i < r->count; i++) {
        routine_step *s = &r->steps[i];
        if (head[cycle[i]] == i + 1)
            s->counted = ++r->counted;
    }
    free(cycle);
    free(head);
    free(reaches);
    free(counted);
}
