/* SPDX-License-Identifier: MIT */
/* Nodes that no cycle can pass are taken away first; of most lines nothing is left. Then the cycles through the
 * smallest node are searched depth first, and those through the next one among the nodes after it, and so on. */
#include "tools/lib/profile/coverage_cycles.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

/* States of nodes: of no interest; of the line; met by the search. */
enum { APART, ON_LINE, MET };

struct coverage_cycles {
    const coverage_graph *g;
    uint8_t *state;
    uint32_t *in, *work; /* by node: arcs into it from the line; a list of nodes */
    uint64_t *left;      /* by arc: how often it was taken beyond the cycles found */
    size_t *way;         /* arcs of the search's path, by depth: where to go on */
    size_t depth;
};

coverage_cycles *coverage_cycles_new(const coverage_graph *g)
{
    coverage_cycles *c = memory_zero(1, sizeof *c);
    c->g = g;
    c->state = memory_zero(g->node_count + 1, sizeof *c->state);
    c->in = memory_zero(g->node_count + 1, sizeof *c->in);
    c->work = memory_zero(g->node_count + 1, sizeof *c->work);
    c->left = memory_zero(g->arc_count + 1, sizeof *c->left);
    c->way = memory_zero(g->node_count + 1, sizeof *c->way);
    return c;
}

void coverage_cycles_free(coverage_cycles *c)
{
    free(c->state);
    free(c->in);
    free(c->work);
    free(c->left);
    free(c->way);
    free(c);
}

static bool leads_on(const coverage_cycles *c, size_t arc)
{
    uint32_t to = c->g->arc[arc].to;
    return c->left[arc] && to != COVERAGE_OUTSIDE && c->state[to] == ON_LINE;
}

/* Takes away what is on no cycle at its head: nodes without an arc into them, again and again. Returns how many nodes
 * are left. */
static size_t peel(coverage_cycles *c, const uint32_t *nodes, size_t count)
{
    const coverage_graph *g = c->g;
    size_t work = 0, left = count;
    for (size_t i = 0; i < count; i++)
        for (size_t a = g->node[nodes[i]].out; a < g->node[nodes[i]].out_end; a++)
            if (leads_on(c, a))
                c->in[g->arc[a].to]++;
    for (size_t i = 0; i < count; i++)
        if (!c->in[nodes[i]])
            c->work[work++] = nodes[i];
    while (work) {
        uint32_t node = c->work[--work];
        c->state[node] = APART;
        left--;
        for (size_t a = g->node[node].out; a < g->node[node].out_end; a++)
            if (leads_on(c, a) && --c->in[g->arc[a].to] == 0)
                c->work[work++] = g->arc[a].to;
    }
    return left;
}

/* A path of arcs with something left from `start` back to it, through nodes of the line; the first in the order of
 * arcs. It is in c->way then, and all nodes met are in c->work. */
static bool find_cycle(coverage_cycles *c, uint32_t start, size_t *met)
{
    const coverage_graph *g = c->g;
    c->depth = 0;
    *met = 0;
    c->way[c->depth++] = g->node[start].out;
    c->work[(*met)++] = start;
    for (uint32_t at = start; c->depth;) {
        size_t *arc = &c->way[c->depth - 1];
        while (*arc < g->node[at].out_end && !(c->left[*arc] && g->arc[*arc].to == start) && !leads_on(c, *arc))
            ++*arc;
        if (*arc < g->node[at].out_end && g->arc[*arc].to == start)
            return true;
        if (*arc < g->node[at].out_end) {
            at = g->arc[*arc].to;
            c->state[at] = MET;
            c->work[(*met)++] = at;
            c->way[c->depth++] = g->node[at].out;
            continue;
        }
        if (--c->depth) {
            at = g->arc[c->way[c->depth - 1]].from;
            c->way[c->depth - 1]++;
        }
    }
    return false;
}

static uint64_t take_cycle(coverage_cycles *c)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < c->depth; i++)
        least = c->left[c->way[i]] < least ? c->left[c->way[i]] : least;
    for (size_t i = 0; i < c->depth; i++)
        c->left[c->way[i]] -= least;
    return least;
}

static uint64_t cycles_through(coverage_cycles *c, uint32_t start)
{
    uint64_t sum = 0;
    size_t met;
    for (bool more = true; more;) {
        more = find_cycle(c, start, &met);
        if (more)
            sum += take_cycle(c);
        for (size_t i = 0; i < met; i++)
            c->state[c->work[i]] = ON_LINE;
    }
    return sum;
}

uint64_t coverage_cycles_count(coverage_cycles *c, const uint32_t *nodes, size_t count)
{
    const coverage_graph *g = c->g;
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        c->state[nodes[i]] = ON_LINE;
        for (size_t a = g->node[nodes[i]].out; a < g->node[nodes[i]].out_end; a++)
            c->left[a] = g->arc[a].count;
    }
    size_t left = peel(c, nodes, count);
    for (size_t i = 0; left && i < count; i++) {
        if (c->state[nodes[i]] != ON_LINE)
            continue;
        sum += cycles_through(c, nodes[i]);
        c->state[nodes[i]] = APART;
    }
    for (size_t i = 0; i < count; i++) {
        c->state[nodes[i]] = APART;
        c->in[nodes[i]] = 0;
    }
    return sum;
}
