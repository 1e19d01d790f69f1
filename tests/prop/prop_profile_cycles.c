/* SPDX-License-Identifier: MIT */
/* The turns of loops on one line, against a search of all elementary cycles, on random graphs of a few nodes. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tools/lib/profile/coverage_cycles.h"

enum { NODES = 6, ARCS = NODES * NODES };

typedef struct world {
    coverage_node node[NODES];
    coverage_arc arc[ARCS];
    uint64_t left[ARCS];
    bool on_line[NODES], passed[NODES];
    size_t way[NODES], depth;
    uint32_t start;
    coverage_graph graph;
} world;

static void take_cycle(world *w, uint64_t *sum)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < w->depth; i++)
        least = w->left[w->way[i]] < least ? w->left[w->way[i]] : least;
    for (size_t i = 0; i < w->depth; i++)
        w->left[w->way[i]] -= least;
    *sum += least;
}

/* Every cycle through `start` and nodes after it, in the order of arcs. */
static void search(world *w, uint32_t at, uint64_t *sum)
{
    w->passed[at] = true;
    for (size_t a = w->node[at].out; a < w->node[at].out_end; a++) {
        uint32_t to = w->arc[a].to;
        if (to == COVERAGE_OUTSIDE || !w->on_line[to] || to < w->start)
            continue;
        w->way[w->depth++] = a;
        if (to == w->start)
            take_cycle(w, sum);
        else if (!w->passed[to])
            search(w, to, sum);
        w->depth--;
    }
    w->passed[at] = false;
}

static void make(world *w, check_random *rng)
{
    size_t count = 0;
    memset(w, 0, sizeof *w);
    for (uint32_t from = 0; from < NODES; from++) {
        w->node[from].out = count;
        for (uint32_t to = 0; to < NODES; to++)
            if (check_random_below(rng, 5) < 2)
                w->arc[count++] = (coverage_arc){from, check_random_below(rng, 9) ? to : COVERAGE_OUTSIDE,
                                                 check_random_below(rng, 5)};
        w->node[from].out_end = count;
        w->on_line[from] = check_random_below(rng, 5) != 0;
    }
    for (size_t a = 0; a < count; a++)
        w->left[a] = w->arc[a].count;
    w->graph = (coverage_graph){.node = w->node, .node_count = NODES, .arc = w->arc, .arc_count = count};
}

static void cycles_are_those_of_a_search_of_all(void)
{
    check_random rng = {2718};
    uint64_t turns = 0;
    for (uint64_t i = 0; i < check_amount(2000, 20000, 400000); i++) {
        world w;
        uint32_t nodes[NODES];
        size_t count = 0;
        uint64_t want = 0;
        make(&w, &rng);
        for (uint32_t n = 0; n < NODES; n++)
            if (w.on_line[n])
                nodes[count++] = n;
        coverage_cycles *cycles = coverage_cycles_new(&w.graph);
        uint64_t got = coverage_cycles_count(cycles, nodes, count);
        CHECK_EQ(coverage_cycles_count(cycles, nodes, count), got); /* it leaves nothing marked */
        coverage_cycles_free(cycles);
        for (w.start = 0; w.start < NODES; w.start++)
            if (w.on_line[w.start])
                search(&w, w.start, &want);
        CHECK_EQ(got, want);
        turns += got;
    }
    CHECK(turns > 1000);
}

int main(void)
{
    RUN(cycles_are_those_of_a_search_of_all);
    return check_failed();
}
