/* SPDX-License-Identifier: MIT */
/* The graph is walked in depth first; an edge to a block that the walk is still in leads back to the head of a loop. */
#include "tools/lib/profile/coverage_loops.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

enum { NEW, WITHIN, DONE };

typedef struct walk_step {
    uint32_t block, next; /* next: place in graph->out of the edge to look at */
} walk_step;

typedef struct loop_walk {
    const ballarus *g;
    uint8_t *state; /* of blocks */
    bool *back;     /* by edge */
    walk_step *stack;
    size_t depth;
} loop_walk;

static void enter(loop_walk *w, uint32_t block)
{
    w->state[block] = WITHIN;
    w->stack[w->depth++] = (walk_step){block, w->g->first[block]};
}

static void walk_from(loop_walk *w, uint32_t root)
{
    if (w->state[root] != NEW)
        return;
    enter(w, root);
    while (w->depth) {
        walk_step *top = &w->stack[w->depth - 1];
        if (top->next == w->g->first[top->block + 1]) {
            w->state[top->block] = DONE;
            w->depth--;
            continue;
        }
        uint32_t edge = w->g->out[top->next++], to = w->g->edge[edge].to;
        if (to == BALLARUS_EXIT)
            continue;
        if (w->state[to] == WITHIN)
            w->back[edge] = true;
        else if (w->state[to] == NEW)
            enter(w, to);
    }
}

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
    loop_walk w = {.g = g,
                   .state = memory_zero(g->block_count + 1, 1),
                   .back = memory_zero(g->edge_count + 1, sizeof *w.back),
                   .stack = memory_zero(g->block_count + 1, sizeof *w.stack)};
    for (uint32_t k = g->first[g->block_count]; k < g->first[g->block_count + 1]; k++)
        if (g->edge[g->out[k]].to != BALLARUS_EXIT)
            walk_from(&w, g->edge[g->out[k]].to);
    for (uint32_t b = 0; b < g->block_count; b++)
        walk_from(&w, b); /* computed gotos lead to them */
    free(w.state);
    free(w.stack);
    return w.back;
}

void coverage_add_loops(coverage *all, const descriptor_function *f, const bool *back, const uint64_t *taken)
{
    for (uint32_t b = 0; b < f->graph->block_count; b++)
        add_loop(all, f, b, back, taken);
}
