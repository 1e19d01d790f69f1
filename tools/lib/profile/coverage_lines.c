/* SPDX-License-Identifier: MIT */
/* Per line, add up the edges that lead to the blocks which end on it, as gcov does. */
#include "tools/lib/profile/coverage_lines.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

/* A line of a block. As gcov has it, a block ends on the greatest line of the last file that it has lines of. */
typedef struct line_block {
    descriptor_line place;
    uint32_t block;
    bool ends;
} line_block;

/* Where control arrives other than on an edge: a computed goto's target, or a block whose edge was recorded in a
 * gap. */
static uint64_t arrivals(const coverage_ran *r, uint32_t block)
{
    uint64_t edges = 0;
    if (!r->started[block] || r->f->block[block].flags & DESCRIPTOR_BLOCK_TWICE)
        return 0;
    for (uint32_t e = 0; e < r->f->edge_count; e++)
        edges += r->f->graph->edge[e].to == block && r->f->graph->edge[e].cut ? r->edge[e] : 0;
    return r->started[block] > edges ? r->started[block] - edges : 0;
}

/* The only edge that leaves a block of no line, as where ways join; else BALLARUS_NONE. */
static uint32_t edge_onward(const descriptor_function *f, uint32_t block)
{
    const ballarus *g = f->graph;
    uint32_t first = g->first[block];
    bool one = g->first[block + 1] - first == 1 && g->edge[g->out[first]].to != BALLARUS_EXIT;
    return !f->block[block].line_count && one ? g->out[first] : BALLARUS_NONE;
}

/* On the way through a block of no line, control does not leave the line that it came from. */
static void find_targets(coverage_ran *r)
{
    const ballarus *g = r->f->graph;
    for (uint32_t b = 0; b < g->block_count; b++) {
        uint32_t at = b, edge;
        for (uint32_t steps = 0; steps < g->block_count && (edge = edge_onward(r->f, at)) != BALLARUS_NONE; steps++) {
            r->turns[b] |= g->edge[edge].cut;
            at = g->edge[edge].to;
        }
        r->target[b] = at;
    }
}

/* Marks what can be reached from `from` within the set: mark 1 becomes 2. */
static void reach(const coverage_ran *r, uint8_t *mark, uint32_t from)
{
    const ballarus *g = r->f->graph;
    uint32_t *work = r->path;
    size_t count = 0;
    work[count++] = from;
    mark[from] = 2;
    while (count) {
        uint32_t block = work[--count];
        for (uint32_t k = g->first[block]; k < g->first[block + 1]; k++) {
            uint32_t to = g->edge[g->out[k]].to;
            to = to == BALLARUS_EXIT ? to : r->target[to];
            if (to != BALLARUS_EXIT && mark[to] == 1) {
                mark[to] = 2;
                work[count++] = to;
            }
        }
    }
}

/* What an edge adds to the count of the line whose blocks are marked. */
static uint64_t edge_count(const coverage_ran *r, uint8_t *mark, const ballarus_edge *edge, uint64_t taken)
{
    uint32_t to = edge->to == BALLARUS_EXIT ? edge->to : r->target[edge->to];
    bool entry = edge->from == BALLARUS_ENTRY;
    if (!taken || to == BALLARUS_EXIT || !mark[to] || (!entry && r->target[edge->from] != edge->from))
        return 0;
    if (entry || !mark[edge->from])
        return taken;
    if (!edge->cut && !r->turns[edge->to])
        return 0;
    reach(r, mark, to); /* a turn of a loop on this line? */
    return mark[edge->from] == 2 ? taken : 0;
}

/* How often control came to the blocks of a line; mark[block]: 1 for these, else 0. */
static uint64_t line_count(const coverage_ran *r, uint8_t *mark, const line_block *blocks, size_t count)
{
    const ballarus *g = r->f->graph;
    uint64_t sum = 0;
    for (uint32_t b = 0; b < g->block_count; b++)
        sum += r->started[b] && mark[r->target[b]] ? arrivals(r, b) : 0;
    for (uint32_t e = 0; e < g->edge_count; e++) {
        sum += edge_count(r, mark, &g->edge[e], r->edge[e]);
        for (size_t i = 0; i < count; i++)
            mark[blocks[i].block] = 1;
    }
    return sum;
}

/* Of a line that no block ends on. */
static uint64_t blocks_count(const coverage_ran *r, const line_block *blocks, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += arrivals(r, blocks[i].block);
        for (uint32_t e = 0; e < r->f->edge_count; e++)
            sum += r->f->graph->edge[e].to == blocks[i].block ? r->edge[e] : 0;
    }
    return sum;
}

/* Of a line that stands only after calls, which its blocks begin with: how often these returned. A path begins there
 * then. Else UINT64_MAX. */
static uint64_t returns_before(const coverage_ran *r, const line_block *blocks, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const descriptor_block *b = &r->f->block[blocks[i].block];
        bool calls = b->flags & DESCRIPTOR_BLOCK_CALL && !(b->flags & (DESCRIPTOR_BLOCK_TWICE | DESCRIPTOR_BLOCK_TAIL));
        if (!calls || b->line[0].line == blocks[i].place.line)
            return UINT64_MAX;
        sum += r->started[blocks[i].block];
        for (uint32_t e = 0; e < r->f->edge_count; e++)
            sum += r->f->graph->edge[e].to == blocks[i].block && !r->f->graph->edge[e].cut ? r->edge[e] : 0;
    }
    return sum;
}

const descriptor_line *coverage_line_of_end(const descriptor_block *b)
{
    const descriptor_line *end = &b->line[b->line_count - 1];
    for (uint32_t i = b->line_count - 1; i-- > 0 && !strcmp(b->line[i].file, end->file);)
        end = b->line[i].line > end->line ? &b->line[i] : end;
    return end;
}

static int compare_blocks(const void *a, const void *b)
{
    const line_block *x = a, *y = b;
    return coverage_by_place(x->place.file, x->place.line, y->place.file, y->place.line);
}

/* The line that the function begins with runs with each call. Blocks hold it only if there is more on it. */
static void add_head(coverage *all, const coverage_ran *r, const line_block *blocks, size_t count)
{
    line_block head = {{r->f->file, r->f->first_line}, 0, false};
    if (head.place.line && !(count && bsearch(&head, blocks, count, sizeof *blocks, compare_blocks)))
        coverage_add_line(all, (coverage_line){head.place.file, head.place.line, r->calls});
}

void coverage_add_lines(coverage *all, coverage_ran *r)
{
    const descriptor_function *f = r->f;
    size_t count = 0, max = 0;
    line_block *blocks = NULL;
    uint8_t *mark = memory_zero(f->block_count + 1, 1);
    for (uint32_t b = 0; b < f->block_count; b++)
        for (uint32_t i = 0; i < f->block[b].line_count; i++) {
            if (!f->block[b].line[i].line)
                continue;
            blocks = memory_room(blocks, count, &max, sizeof *blocks);
            blocks[count++] =
                (line_block){f->block[b].line[i], b, &f->block[b].line[i] == coverage_line_of_end(&f->block[b])};
        }
    if (count)
        qsort(blocks, count, sizeof *blocks, compare_blocks);
    find_targets(r);
    add_head(all, r, blocks, count);
    for (size_t i = 0, end; i < count; i = end) {
        size_t ending = i;
        for (end = i; end < count && !compare_blocks(&blocks[i], &blocks[end]); end++)
            if (blocks[end].ends) { /* these come first */
                line_block other = blocks[ending];
                mark[blocks[end].block] = 1;
                blocks[ending++] = blocks[end];
                blocks[end] = other;
            }
        uint64_t times = line_count(r, mark, blocks + i, ending - i);
        if (!times) /* optimised code may end on the line in one place, and run it in another */
            times = blocks_count(r, blocks + i, end - i);
        uint64_t returned = returns_before(r, blocks + i, end - i);
        coverage_add_line(
            all, (coverage_line){blocks[i].place.file, blocks[i].place.line, times < returned ? times : returned});
        for (size_t k = i; k < end; k++)
            mark[blocks[k].block] = 0;
    }
    free(blocks);
    free(mark);
}
