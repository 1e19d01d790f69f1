/* SPDX-License-Identifier: MIT */
/* The steps: 1. find the first block of each `switch`, which stands for the others; 2. list the ways that leave these
 * blocks; 3. add up those of a switch that lead to one place. */
#include "tools/lib/profile/coverage_branches.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

typedef struct way_out {
    uint32_t root, to; /* blocks */
    uint32_t edge;     /* the first of those that lead there */
    size_t order;
    uint64_t count;
} way_out;

/* Step 1: of each block the first of its switch; itself, if it goes on with none. */
static uint32_t *find_roots(const descriptor_function *f)
{
    const ballarus *g = f->graph;
    uint32_t *root = memory_zero(f->block_count + 1, sizeof *root);
    for (uint32_t b = 0; b < f->block_count; b++)
        root[b] = b;
    for (uint32_t b = 0; b < f->block_count; b++)
        for (uint32_t k = g->first[b]; k < g->first[b + 1]; k++) {
            uint32_t to = g->edge[g->out[k]].to;
            if (to != BALLARUS_EXIT && to > b && f->block[to].flags & DESCRIPTOR_BLOCK_CASES)
                root[to] = root[b];
        }
    return root;
}

static int by_root(const void *a, const void *b)
{
    const way_out *x = a, *y = b;
    if (x->root != y->root)
        return x->root < y->root ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static int by_order(const void *a, const void *b)
{
    const way_out *x = a, *y = b;
    if (x->root != y->root)
        return x->root < y->root ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Step 2. */
static size_t list_ways(const coverage_ran *r, const uint32_t *root, way_out *way)
{
    const ballarus *g = r->f->graph;
    size_t count = 0;
    for (uint32_t e = 0; e < g->edge_count; e++) {
        uint32_t from = g->edge[e].from, to = g->edge[e].to;
        bool inside = to != BALLARUS_EXIT && from != BALLARUS_ENTRY && root[to] != to && root[to] == root[from];
        if (from == BALLARUS_ENTRY || r->f->edge_kind[e] == DESCRIPTOR_EDGE_STOP || inside)
            continue;
        way[count] = (way_out){root[from], to, e, count, r->edge[e]};
        count++;
    }
    return count;
}

/* Step 3. The ways of a block stay in the order of its edges. */
static size_t join_ways(way_out *way, size_t count)
{
    size_t kept = 0;
    if (!count)
        return 0;
    qsort(way, count, sizeof *way, by_root);
    for (size_t i = 0; i < count; i++)
        if (kept && way[kept - 1].root == way[i].root && way[kept - 1].to == way[i].to && way[i].to != BALLARUS_EXIT)
            way[kept - 1].count += way[i].count;
        else
            way[kept++] = way[i];
    qsort(way, kept, sizeof *way, by_order);
    return kept;
}

void coverage_add_branches(coverage *all, const coverage_ran *r, const coverage_graph *g, const coverage_jumps *jumps)
{
    way_out *way = memory_zero(r->f->edge_count + 1, sizeof *way);
    uint32_t *root = find_roots(r->f);
    size_t count = join_ways(way, list_ways(r, root, way));
    for (size_t i = 0, end; i < count; i = end) {
        const descriptor_line *place = g->node[g->last[way[i].root]].ends;
        uint64_t sum = 0;
        for (end = i; end < count && way[end].root == way[i].root; end++)
            sum += way[end].count;
        for (size_t k = i; end - i > 1 && place && k < end; k++)
            coverage_add_branch(all, (coverage_branch){place->file, place->line, r->f->block_base + way[i].root,
                                                       (uint32_t)(k - i), (uint32_t)(end - i), way[k].count,
                                                       sum - way[k].count});
        for (size_t k = i; k < end; k++)
            coverage_add_way(all, jumps, way[k].edge, way[k].root, place, way[k].count, end - i > 1 ? sum : 0);
    }
    free(root);
    free(way);
}
