/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/coverage_loops.h"

#include <stdlib.h>

#include "tools/lib/profile/back_edges.h"

/* Takes the first line, or the first one that is not of a function that stands above and was inlined. */
static void prefer(const descriptor_function *f, descriptor_line *best, descriptor_line line)
{
    if (!best->line || (best->line < f->first_line && line.line >= f->first_line))
        *best = line;
}

descriptor_line coverage_loop_place(const descriptor_function *f, uint32_t head, const bool *back)
{
    const ballarus *g = f->graph;
    descriptor_line best = {f->file, 0};
    if (f->block[head].line_count)
        return f->block[head].line[0];
    for (uint32_t e = 0; e < g->edge_count; e++)
        if (back[e] && g->edge[e].to == head)
            for (uint32_t i = f->block[g->edge[e].from].line_count; i--;)
                prefer(f, &best, f->block[g->edge[e].from].line[i]);
    for (uint32_t e = 0; e < g->edge_count; e++)
        if (g->edge[e].from == head && g->edge[e].to != BALLARUS_EXIT && f->block[g->edge[e].to].line_count)
            prefer(f, &best, f->block[g->edge[e].to].line[0]);
    return best.line ? best : (descriptor_line){f->file, f->first_line};
}

static void add_loop(coverage *all, const descriptor_function *f, uint32_t head, const bool *back,
                     const uint64_t *taken)
{
    uint64_t entered = 0, turns = 0;
    for (uint32_t e = 0; e < f->graph->edge_count; e++)
        if (f->graph->edge[e].to == head) {
            entered += back[e] ? 0 : taken[e];
            turns += back[e] ? taken[e] : 0;
        }
    descriptor_line place = coverage_loop_place(f, head, back);
    if (turns)
        coverage_add_loop(all, (coverage_loop){place.file, f->name, place.line, entered, turns});
}

bool *coverage_back_edges(const descriptor_function *f)
{
    const ballarus *g = f->graph;
    back_edges *edges = back_edges_open(g->block_count, g->edge_count);
    for (uint32_t b = 0; b < g->block_count; b++)
        for (uint32_t k = g->first[b + 1]; k-- > g->first[b];)
            if (g->edge[g->out[k]].to != BALLARUS_EXIT)
                back_edges_add(edges, g->out[k], b, g->edge[g->out[k]].to);
    for (uint32_t k = g->first[g->block_count]; k < g->first[g->block_count + 1]; k++)
        if (g->edge[g->out[k]].to != BALLARUS_EXIT)
            back_edges_walk(edges, g->edge[g->out[k]].to);
    return back_edges_close(edges); /* computed gotos lead to the rest */
}

void coverage_add_loops(coverage *all, const descriptor_function *f, const bool *back, const uint64_t *taken)
{
    for (uint32_t b = 0; b < f->graph->block_count; b++)
        add_loop(all, f, b, back, taken);
}
