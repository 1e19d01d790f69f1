/* SPDX-License-Identifier: MIT */
/* A line counts how often control came to the nodes that count for it from others, and the turns of loops that lie
 * wholly on it. Nodes that only hold it count where that gives nothing. */
#include "tools/lib/profile/coverage_lines.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/profile/coverage_cycles.h"

/* A line of a node. */
typedef struct line_node {
    descriptor_line place;
    uint32_t node;
    bool counts;
} line_node;

static int by_line(const line_node *a, const line_node *b)
{
    return coverage_by_place(a->place.file, a->place.line, b->place.file, b->place.line);
}

static int compare(const void *a, const void *b)
{
    const line_node *x = a, *y = b;
    int order = by_line(x, y);
    if (order)
        return order;
    return x->node < y->node ? -1 : x->node > y->node;
}

static line_node *list_nodes(const coverage_graph *g)
{
    line_node *all = memory_zero(g->line_count + 1, sizeof *all);
    size_t count = 0;
    for (uint32_t n = 0; n < g->node_count; n++)
        for (size_t i = g->node[n].line; i < g->node[n].line_end; i++)
            all[count++] = (line_node){g->line[i], n, g->counts[i]};
    if (count)
        qsort(all, count, sizeof *all, compare);
    return all;
}

/* How often control came to some nodes from others; mark is false for each node, and is so again. */
static uint64_t entries(const coverage_graph *g, bool *mark, const uint32_t *nodes, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        mark[nodes[i]] = true;
    for (size_t i = 0; i < count; i++)
        for (size_t a = g->node[nodes[i]].in; a < g->node[nodes[i]].in_end; a++)
            if (g->into[a].from == COVERAGE_OUTSIDE || !mark[g->into[a].from])
                sum += g->into[a].count;
    for (size_t i = 0; i < count; i++)
        mark[nodes[i]] = false;
    return sum;
}

void coverage_add_lines(coverage *all, const coverage_graph *g)
{
    line_node *nodes = list_nodes(g);
    uint32_t *counting = memory_zero(g->node_count + 1, sizeof *counting);
    bool *mark = memory_zero(g->node_count + 1, sizeof *mark);
    coverage_cycles *cycles = coverage_cycles_new(g);
    for (size_t i = 0, end; i < g->line_count; i = end) {
        uint64_t runs = 0;
        size_t count = 0;
        for (end = i; end < g->line_count && !by_line(&nodes[i], &nodes[end]); end++) {
            runs += g->node[nodes[end].node].runs;
            if (nodes[end].counts)
                counting[count++] = nodes[end].node;
        }
        uint64_t times = entries(g, mark, counting, count) + coverage_cycles_count(cycles, counting, count);
        coverage_add_line(all, (coverage_line){nodes[i].place.file, nodes[i].place.line, times ? times : runs});
    }
    coverage_cycles_free(cycles);
    free(mark);
    free(counting);
    free(nodes);
}
