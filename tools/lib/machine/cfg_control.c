/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/cfg_control.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

static void before_find(cfg *g)
{
    uint32_t total = 0;
    free(g->before_first);
    free(g->before);
    g->before_first = memory_zero(g->count + 2, sizeof *g->before_first);
    for (uint32_t v = 0; v < g->count; v++)
        for (uint32_t i = 0; i < g->vertices[v].way_count; i++, total++)
            g->before_first[g->vertices[v].ways[i] + 1]++;
    for (uint32_t v = 0; v <= g->count; v++)
        g->before_first[v + 1] += g->before_first[v];
    uint32_t *fill = memory_zero(g->count + 1, sizeof *fill);
    g->before = memory_zero(total + 1, sizeof *g->before);
    for (uint32_t v = 0; v < g->count; v++)
        for (uint32_t i = 0; i < g->vertices[v].way_count; i++) {
            uint32_t to = g->vertices[v].ways[i];
            g->before[g->before_first[to] + fill[to]++] = v;
        }
    free(fill);
}

/* Postorder from the exit backward into `order` (exit last); how many were reached. */
static uint32_t postorder(cfg *g, uint32_t *order)
{
    uint32_t *stack = memory_zero(g->count + 1, sizeof *stack), *next = memory_zero(g->count + 1, sizeof *next);
    uint8_t *seen = memory_zero(g->count + 1, 1);
    uint32_t depth = 0, done = 0;
    stack[depth++] = g->count;
    seen[g->count] = 1;
    while (depth) {
        uint32_t v = stack[depth - 1];
        if (g->before_first[v] + next[v] == g->before_first[v + 1]) {
            order[done++] = v;
            depth--;
            continue;
        }
        uint32_t u = g->before[g->before_first[v] + next[v]++];
        if (!seen[u]) {
            seen[u] = 1;
            stack[depth++] = u;
        }
    }
    for (uint32_t v = 0; v < g->count; v++)
        g->vertices[v].order = CFG_NONE;
    for (uint32_t i = 0; i < done; i++)
        if (order[i] < g->count)
            g->vertices[order[i]].order = i;
    free(stack);
    free(next);
    free(seen);
    return done;
}

/* Endless loops: the highest vertex that cannot reach the exit gets an edge to it, until all can. The edge makes no
 * branch of it: the number of real ways was counted before. */
static uint32_t exits_complete(cfg *g, uint32_t *order)
{
    for (;;) {
        before_find(g);
        uint32_t reached = postorder(g, order), highest = CFG_NONE;
        if (reached == g->count + 1)
            return reached;
        for (uint32_t v = 0; v < g->count; v++)
            if (g->vertices[v].order == CFG_NONE &&
                (highest == CFG_NONE || g->vertices[v].insn.pc > g->vertices[highest].insn.pc))
                highest = v;
        cfg_way_push(g, &g->vertices[highest], UINT32_MAX);
    }
}

static uint32_t common(const cfg *g, uint32_t a, uint32_t b)
{
    while (a != b) {
        uint32_t x = a == g->count ? CFG_NONE : g->vertices[a].order,
                 y = b == g->count ? CFG_NONE : g->vertices[b].order;
        if (x < y)
            a = g->vertices[a].dominator;
        else
            b = g->vertices[b].dominator;
    }
    return a;
}

/* By those of where a vertex's ways lead to, as far as they are known. */
static uint32_t dominator_of(const cfg *g, const cfg_vertex *v)
{
    uint32_t best = CFG_NONE;
    for (uint32_t k = 0; k < v->way_count; k++) {
        uint32_t to = v->ways[k];
        if (to == g->count || g->vertices[to].dominator != CFG_NONE)
            best = best == CFG_NONE ? to : common(g, best, to);
    }
    return best;
}

void cfg_dominators_find(cfg *g)
{
    uint32_t *order = memory_zero(g->count + 1, sizeof *order);
    uint32_t reached = exits_complete(g, order);
    for (uint32_t v = 0; v < g->count; v++)
        g->vertices[v].dominator = CFG_NONE;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = reached - 1; i-- > 0;) {
            cfg_vertex *v = &g->vertices[order[i]];
            uint32_t best = dominator_of(g, v);
            changed |= best != v->dominator;
            v->dominator = best;
        }
    }
    free(order);
}

/* ---- control dependence ---- */

static void control_add(cfg_vertex *v, uint32_t branch)
{
    for (uint32_t i = 0; i < v->control_count; i++)
        if (v->controls[i] == branch)
            return;
    v->controls = memory_grow(v->controls, v->control_count + 1, sizeof *v->controls);
    v->controls[v->control_count++] = branch;
}

void cfg_controls_find(cfg *g)
{
    for (uint32_t v = 0; v < g->count; v++) {
        const cfg_vertex *b = &g->vertices[v];
        if (b->branch == CFG_NO_BRANCH)
            continue;
        for (uint32_t i = 0; i < b->way_count; i++)
            for (uint32_t x = b->ways[i]; x != b->dominator && x != g->count; x = g->vertices[x].dominator)
                control_add(&g->vertices[x], b->branch);
    }
    for (uint32_t v = 0; v < g->count; v++)
        if (g->vertices[v].control_count)
            qsort(g->vertices[v].controls, g->vertices[v].control_count, sizeof(uint32_t), cfg_number_order);
}
