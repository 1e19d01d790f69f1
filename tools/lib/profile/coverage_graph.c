/* SPDX-License-Identifier: MIT */
/* The steps: 1. nodes, a block after the other, each from its steps; 2. arcs, an edge after the other; 3. sort. */
#include "tools/lib/profile/coverage_graph.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/profile/coverage_tables.h"

enum { STEPS_FROM = 5 }; /* version of descriptors that have steps */

/* A line of a node. */
typedef struct step_line {
    uint32_t node;
    size_t order;
    descriptor_line place;
} step_line;

typedef struct building {
    const coverage_ran *r;
    coverage_graph g;
    uint32_t *first;      /* by block: the node that it begins in */
    uint32_t *in, *in_by; /* by block: edges into it, and one of them */
    bool *joined;         /* by block: it begins in the node of the block before it */
    uint32_t end;         /* the node that gcov takes for the exit */
    step_line *step;
    size_t steps, steps_max, nodes_max, arcs_max;
} building;

static uint32_t add_node(building *b)
{
    b->g.node = memory_room(b->g.node, b->g.node_count, &b->nodes_max, sizeof *b->g.node);
    b->g.node[b->g.node_count] = (coverage_node){0};
    return b->g.node_count++;
}

static void add_line(building *b, uint32_t node, const descriptor_line *place)
{
    if (!place->line)
        return;
    b->step = memory_room(b->step, b->steps, &b->steps_max, sizeof *b->step);
    b->step[b->steps] = (step_line){node, b->steps, *place};
    b->steps++;
}

static void add_arc(building *b, uint32_t from, uint32_t to, uint64_t count)
{
    b->g.arc = memory_room(b->g.arc, b->g.arc_count, &b->arcs_max, sizeof *b->g.arc);
    b->g.arc[b->g.arc_count++] = (coverage_arc){from, to, count};
}

/* Of the edges into a block: all, or those that do not end a path. */
static uint64_t came(const building *b, uint32_t block, bool all)
{
    const descriptor_function *f = b->r->f;
    uint64_t sum = 0;
    if (b->in[block] == 1)
        return all || !f->graph->edge[b->in_by[block]].cut ? b->r->edge[b->in_by[block]] : 0;
    for (uint32_t e = 0; b->in[block] && e < f->edge_count; e++)
        if (f->graph->edge[e].to == block && (all || !f->graph->edge[e].cut))
            sum += b->r->edge[e];
    return sum;
}

/* Where control arrives other than on an edge: a computed goto's target, or a block whose edge was recorded in a
 * gap. */
static uint64_t arrivals(const building *b, uint32_t block)
{
    uint64_t started = b->r->started[block];
    if (!started || b->r->f->block[block].flags & DESCRIPTOR_BLOCK_TWICE)
        return 0;
    uint64_t edges = came(b, block, true) - came(b, block, false);
    return started > edges ? started - edges : 0;
}

/* How often control passed a cut in a block: of a call, as often as it returned, where a path begins then. */
static uint64_t passes(const building *b, uint32_t block)
{
    if (b->r->f->block[block].flags & DESCRIPTOR_BLOCK_CALL)
        return b->r->started[block] + came(b, block, false);
    return came(b, block, true) + arrivals(b, block);
}

/* gcov has no block between this one and the one before it. Older descriptors do not say it. */
static bool continues(const building *b, uint32_t block)
{
    const descriptor_function *f = b->r->f;
    const ballarus *g = f->graph;
    uint32_t flags = f->block[block].flags;
    bool one = f->version < STEPS_FROM ? flags & DESCRIPTOR_BLOCK_CALL : flags & DESCRIPTOR_BLOCK_CONTINUES;
    uint32_t before = b->in[block] == 1 ? g->edge[b->in_by[block]].from : BALLARUS_ENTRY;
    return one && before < block && g->first[before + 1] - g->first[before] == 1; /* ENTRY is larger */
}

static uint32_t cut(building *b, uint32_t block, uint32_t node)
{
    uint32_t next = add_node(b);
    add_arc(b, node, next, passes(b, block));
    return next;
}

/* Without steps. A call before version 5 is the first statement of its block, and most are on the line of the next. */
static uint32_t add_plain(building *b, uint32_t block, uint32_t node)
{
    const descriptor_function *f = b->r->f;
    const descriptor_block *d = &f->block[block];
    for (uint32_t i = 0; i < d->line_count; i++) {
        add_line(b, node, &d->line[i]);
        if (i == 0 && f->version < STEPS_FROM && d->flags & DESCRIPTOR_BLOCK_CALL) {
            node = cut(b, block, node);
            add_line(b, node, &d->line[i]);
        }
    }
    return node;
}

/* Step 1. */
static void add_block(building *b, uint32_t block)
{
    const descriptor_function *f = b->r->f;
    const descriptor_block *d = &f->block[block];
    b->joined[block] = continues(b, block);
    uint32_t node = b->joined[block] ? b->g.last[f->graph->edge[b->in_by[block]].from] : add_node(b);
    b->first[block] = node;
    const ballarus_edge *entry = &f->graph->edge[f->graph->out[f->graph->first[f->graph->block_count]]];
    if (entry->to == block)
        add_line(b, node, &(descriptor_line){f->file, f->first_line});
    for (uint32_t i = 0; i < d->step_count; i++)
        if (d->step[i])
            add_line(b, node, &d->line[d->step[i] - 1]);
        else
            node = cut(b, block, node);
    node = d->step_count ? node : add_plain(b, block, node);
    b->g.last[block] = node;
    if (d->flags & DESCRIPTOR_BLOCK_LAST)
        b->end = node;
}

/* Step 2. */
static void add_edge(building *b, uint32_t edge)
{
    const descriptor_function *f = b->r->f;
    const ballarus_edge *e = &f->graph->edge[edge];
    const descriptor_edge_goto *jump = &f->edge_goto[edge];
    uint32_t from = e->from == BALLARUS_ENTRY ? COVERAGE_OUTSIDE : b->g.last[e->from];
    uint32_t to = e->to == BALLARUS_EXIT ? COVERAGE_OUTSIDE : b->first[e->to];
    if (e->to != BALLARUS_EXIT && b->joined[e->to])
        return;
    if (jump->how == DESCRIPTOR_GOTO_WITHIN && from != COVERAGE_OUTSIDE)
        add_line(b, from, &jump->place);
    if (jump->how == DESCRIPTOR_GOTO_ALONE) {
        uint32_t alone = add_node(b);
        add_line(b, alone, &jump->place);
        add_arc(b, from, alone, b->r->edge[edge]);
        from = alone;
    }
    add_arc(b, from, to, b->r->edge[edge]);
}

/* ---- step 3 ---- */

static int by_place(const void *a, const void *b)
{
    const step_line *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    int order = coverage_by_place(x->place.file, x->place.line, y->place.file, y->place.line);
    return order ? order : x->order < y->order ? -1 : x->order > y->order;
}

static int by_node(const void *a, const void *b)
{
    const step_line *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static int compare_arcs(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    if (a != b)
        return a < b ? -1 : 1;
    return c < d ? -1 : c > d;
}

static int by_from(const void *a, const void *b)
{
    const coverage_arc *x = a, *y = b;
    return compare_arcs(x->from, y->from, x->to, y->to);
}

static int by_to(const void *a, const void *b)
{
    const coverage_arc *x = a, *y = b;
    return compare_arcs(x->to, y->to, x->from, y->from);
}

/* Each line of a node once, where it first stands. Then a node's lines are in one piece, in order. */
static void sort_steps(building *b)
{
    size_t kept = 0;
    if (!b->steps)
        return;
    qsort(b->step, b->steps, sizeof *b->step, by_place);
    for (size_t i = 0; i < b->steps; i++) {
        const descriptor_line *place = &b->step[i].place, *before = kept ? &b->step[kept - 1].place : NULL;
        if (before && b->step[kept - 1].node == b->step[i].node &&
            !coverage_by_place(before->file, before->line, place->file, place->line))
            continue;
        b->step[kept++] = b->step[i];
    }
    b->steps = kept;
    qsort(b->step, b->steps, sizeof *b->step, by_node);
}

/* The last node of a function counts for none of its lines: gcov takes the last block for the exit. */
static void find_ends(coverage_graph *g, coverage_node *n, bool last)
{
    for (size_t i = n->line, end; i < n->line_end; i = end) {
        size_t greatest = i;
        for (end = i + 1; end < n->line_end && !strcmp(g->line[i].file, g->line[end].file); end++)
            greatest = g->line[end].line > g->line[greatest].line ? end : greatest;
        g->counts[greatest] = !last;
        n->ends = &g->line[greatest];
    }
}

static void sort_lines(building *b)
{
    coverage_graph *g = &b->g;
    sort_steps(b);
    g->line = memory_zero(b->steps + 1, sizeof *g->line);
    g->counts = memory_zero(b->steps + 1, sizeof *g->counts);
    for (; g->line_count < b->steps; g->line_count++) {
        const step_line *step = &b->step[g->line_count];
        coverage_node *n = &g->node[step->node];
        if (!n->line_end)
            n->line = g->line_count;
        g->line[g->line_count] = step->place;
        n->line_end = g->line_count + 1;
    }
    for (uint32_t i = 0; i < g->node_count; i++)
        find_ends(g, &g->node[i], i == b->end);
}

/* A function has an arc at least, that of its entry. */
static void sort_arcs(coverage_graph *g)
{
    g->into = memory_zero(g->arc_count + 1, sizeof *g->into);
    if (!g->arc_count)
        return;
    memcpy(g->into, g->arc, g->arc_count * sizeof *g->arc);
    qsort(g->arc, g->arc_count, sizeof *g->arc, by_from);
    qsort(g->into, g->arc_count, sizeof *g->into, by_to);
    for (size_t i = g->arc_count; i-- > 0;) {
        if (g->arc[i].from != COVERAGE_OUTSIDE)
            g->node[g->arc[i].from].out = i;
        if (g->into[i].to != COVERAGE_OUTSIDE)
            g->node[g->into[i].to].in = i;
    }
    for (size_t i = 0; i < g->arc_count; i++) {
        if (g->arc[i].from != COVERAGE_OUTSIDE)
            g->node[g->arc[i].from].out_end = i + 1;
        if (g->into[i].to == COVERAGE_OUTSIDE)
            continue;
        g->node[g->into[i].to].in_end = i + 1;
        g->node[g->into[i].to].runs += g->into[i].count;
    }
}

static void count_ways_in(building *b)
{
    const ballarus *g = b->r->f->graph;
    for (uint32_t e = 0; e < g->edge_count; e++)
        if (g->edge[e].to != BALLARUS_EXIT) {
            b->in[g->edge[e].to]++;
            b->in_by[g->edge[e].to] = e;
        }
}

coverage_graph coverage_graph_of(const coverage_ran *r)
{
    const descriptor_function *f = r->f;
    building b = {.r = r,
                  .end = COVERAGE_OUTSIDE,
                  .g = {.last = memory_zero(f->block_count + 1, sizeof *b.g.last)},
                  .first = memory_zero(f->block_count + 1, sizeof *b.first),
                  .in = memory_zero(f->block_count + 1, sizeof *b.in),
                  .in_by = memory_zero(f->block_count + 1, sizeof *b.in_by),
                  .joined = memory_zero(f->block_count + 1, sizeof *b.joined)};
    count_ways_in(&b);
    for (uint32_t i = 0; i < f->block_count; i++)
        add_block(&b, i);
    for (uint32_t i = 0; i < f->block_count; i++)
        if (r->started[i] && arrivals(&b, i))
            add_arc(&b, COVERAGE_OUTSIDE, b.first[i], arrivals(&b, i));
    for (uint32_t e = 0; e < f->edge_count; e++)
        if (f->edge_kind[e] != DESCRIPTOR_EDGE_STOP)
            add_edge(&b, e);
    sort_lines(&b);
    sort_arcs(&b.g);
    free(b.first);
    free(b.in);
    free(b.in_by);
    free(b.joined);
    free(b.step);
    return b.g;
}

void coverage_graph_free(coverage_graph *g)
{
    free(g->node);
    free(g->arc);
    free(g->into);
    free(g->counts);
    free(g->line);
    free(g->last);
}
