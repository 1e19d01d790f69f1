/* SPDX-License-Identifier: MIT */
/* The steps:
 *  1. The function at the instruction, and the blocks of it that have code of the instruction's line.
 *  2. From the newest path back, completed activations are skipped. What is left first belongs to the activation that
 *     was open, or to its caller: it says where the open path starts.
 *  3. Where paths are recorded after they ended, the open one may also start where such a path did end.
 *  4. All ways without a cut edge from there to the blocks, depth first. */
#include "tools/lib/recording/open_path.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"

/* Steps of the search at most: a function may have 2^24 paths. */
enum { STEPS_MAX = 1 << 20 };

typedef struct search {
    open_path *open;
    const descriptor_function *f;
    bool *target;           /* by block */
    bool *leads;            /* by block: a target can be reached */
    const uint32_t *number; /* local; NULL: not known */
    uint32_t *stack;        /* blocks of the way so far */
    size_t depth, steps;
    bool entry;
} search;

/* ---- step 1 ---- */

const descriptor_function *open_path_function(const descriptors *all, const image *im, uint32_t pc)
{
    const image_symbol *symbol = image_function(&im->symbols, pc);
    for (size_t i = 0; symbol && i < all->count; i++)
        if ((all->function[i].address & ~1u) == symbol->address)
            return &all->function[i];
    return NULL;
}

/* The compiler and its debug information may give the folder of a file differently. */
static bool same_file(const char *a, const char *b)
{
    return !strcmp(text_base(a), text_base(b));
}

static bool has_line(const descriptor_block *block, const image_line *line)
{
    for (uint32_t i = 0; i < block->line_count; i++)
        if (block->line[i].line == line->line && same_file(block->line[i].file, line->file))
            return true;
    return false;
}

/* Blocks that have code of the line; all blocks, if none says so. */
static void find_targets(const descriptor_function *f, const image_line *line, bool *target)
{
    bool any = false;
    for (uint32_t b = 0; b < f->block_count; b++)
        any |= target[b] = line && line->file && f->graph->reached[b] && has_line(&f->block[b], line);
    for (uint32_t b = 0; !any && b < f->block_count; b++)
        target[b] = f->graph->reached[b];
}

/* ---- step 2 ---- */

/* The path ended before a call that does not return, or a trap: it is the activation's last, and no path left the
 * activation. */
static bool stays(const descriptor_path *path)
{
    return path->enters != BALLARUS_NONE && path->function->block[path->enters].flags & DESCRIPTOR_BLOCK_NORETURN;
}

/* The newest path of an activation that had not been left. False: none is known. */
bool open_path_newest(const descriptors *all, const uint32_t *recent, size_t count, descriptor_path *path)
{
    size_t left = 0; /* activations that ended, and whose beginning is further back */
    while (count-- > 0) {
        if (!descriptor_expand(all, recent[count], NULL, 0, path))
            return false;
        if (left == 0 && (!path->exit || stays(path)))
            return true;
        left += path->exit;
        left -= path->entry && left > 0;
    }
    return false;
}

/* ---- step 3 ---- */

/* Whether there is a way from a block to another without a cut edge. `visited` is all false, before and afterwards. */
static bool leads_to(const ballarus *g, uint32_t from, uint32_t to, uint32_t *stack, bool *visited)
{
    size_t all = 1;
    stack[0] = from;
    visited[from] = true;
    for (size_t i = 0; i < all; i++)
        for (uint32_t k = g->first[stack[i]]; k < g->first[stack[i] + 1]; k++) {
            const ballarus_edge *e = &g->edge[g->out[k]];
            if (!e->cut && e->to != BALLARUS_EXIT && !visited[e->to]) {
                visited[e->to] = true;
                stack[all++] = e->to;
            }
        }
    bool found = visited[to];
    for (size_t i = 0; i < all; i++)
        visited[stack[i]] = false;
    return found;
}

/* A path that ends on this cut edge may not be recorded yet when the next one begins: where one record holds several,
 * or passes of a loop. */
static bool late(const descriptor_function *f, const ballarus_edge *e, uint32_t *stack, bool *visited)
{
    if (f->block[e->to].flags & (DESCRIPTOR_BLOCK_CALL | DESCRIPTOR_BLOCK_LANDING))
        return false;
    return f->flags & DESCRIPTOR_PACKED || (f->flags & DESCRIPTOR_COUNTED && e->from != BALLARUS_ENTRY &&
                                            leads_to(f->graph, e->to, e->from, stack, visited));
}

/* From blocks that a path may start at, all others that the open one may: `starts` grows. `entry`: from the entry
 * too. */
static void find_starts(const descriptor_function *f, bool *starts, bool entry)
{
    const ballarus *g = f->graph;
    size_t n = (size_t)g->block_count + 1, count = 0;
    uint32_t *list = memory_zero(n, sizeof *list), *stack = memory_zero(n, sizeof *stack);
    bool *seen = memory_zero(n, 1), *visited = memory_zero(n, 1);
    for (uint32_t b = 0; b < n; b++)
        if ((seen[b] = b < g->block_count ? starts[b] : entry))
            list[count++] = b;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = g->first[list[i]]; k < g->first[list[i] + 1]; k++) {
            const ballarus_edge *e = &g->edge[g->out[k]];
            if (e->to == BALLARUS_EXIT || (e->cut && !late(f, e, stack, visited)))
                continue;
            starts[e->to] |= e->cut;
            if (!seen[e->to])
                list[count++] = e->to;
            seen[e->to] = true;
        }
    free(list);
    free(stack);
    free(seen);
    free(visited);
}

/* ---- step 4 ---- */

static void keep(search *s)
{
    open_path *open = s->open;
    if (open->ways < OPEN_PATH_WAYS) {
        open_way *way = &open->way[open->ways];
        way->entry = s->entry;
        way->count = s->depth;
        way->block = memory_zero(s->depth ? s->depth : 1, sizeof *way->block);
        memcpy(way->block, s->stack, s->depth * sizeof *way->block);
    }
    open->ways++;
}

/* Backwards over uncut edges: order lists what a block leads to before it. */
static void find_leads(search *s)
{
    const ballarus *g = s->f->graph;
    for (uint32_t k = 0; k < g->order_count; k++) {
        uint32_t b = g->order[k];
        s->leads[b] = s->target[b];
        for (uint32_t i = g->first[b]; i < g->first[b + 1]; i++) {
            const ballarus_edge *e = &g->edge[g->out[i]];
            s->leads[b] |= !e->cut && e->to != BALLARUS_EXIT && s->leads[e->to];
        }
    }
}

/* All ways from a block on, whose values sum up to `sum` there. Without recursion: a cursor per block of the way. */
static void walk(search *s, uint32_t start, uint32_t sum)
{
    const ballarus *g = s->f->graph;
    uint32_t *cursor = memory_zero(s->f->block_count + 1, sizeof *cursor);
    uint32_t *sums = memory_zero(s->f->block_count + 1, sizeof *sums);
    s->stack[0] = start;
    sums[0] = sum;
    cursor[0] = g->first[start];
    s->depth = s->leads[start] ? 1 : 0;
    bool arrived = s->depth > 0;
    while (s->depth > 0 && s->steps++ < STEPS_MAX) {
        uint32_t b = s->stack[s->depth - 1], i = cursor[s->depth - 1];
        if (arrived && s->target[b] && (!s->number || sums[s->depth - 1] == *s->number))
            keep(s);
        arrived = false;
        if (i == g->first[b + 1]) {
            s->depth--;
            continue;
        }
        cursor[s->depth - 1]++;
        const ballarus_edge *e = &g->edge[g->out[i]];
        if (e->cut || e->to == BALLARUS_EXIT || !s->leads[e->to])
            continue;
        sums[s->depth] = sums[s->depth - 1] + e->value;
        s->stack[s->depth] = e->to;
        cursor[s->depth] = g->first[e->to];
        s->depth++;
        arrived = true;
    }
    free(cursor);
    free(sums);
}

static void walk_from_entry(search *s)
{
    const ballarus *g = s->f->graph;
    s->entry = true;
    for (uint32_t i = g->first[g->block_count]; i < g->first[g->block_count + 1]; i++) {
        const ballarus_edge *e = &g->edge[g->out[i]];
        if (!e->cut && e->to != BALLARUS_EXIT)
            walk(s, e->to, e->value);
    }
}

static void walk_from(search *s, uint32_t start)
{
    s->entry = false;
    walk(s, start, s->f->graph->start_value[start]);
}

/* An edge out of ENTRY may be cut too: the path that it ends has no block. */
static void search_ways(search *s, const descriptor_path *before)
{
    const ballarus *g = s->f->graph;
    bool same = before && before->function == s->f && before->enters != BALLARUS_NONE;
    bool calls = same && s->f->block[before->enters].flags & DESCRIPTOR_BLOCK_CALL;
    bool entry = !same || calls; /* the call may be one of the function itself */
    bool *starts = memory_zero((size_t)g->block_count + 1, 1);
    for (uint32_t b = 0; b < g->block_count; b++)
        starts[b] = before ? same && b == before->enters : g->start[b];
    if (before)
        find_starts(s->f, starts, entry);
    if (same)
        walk_from(s, before->enters);
    if (entry)
        walk_from_entry(s);
    for (uint32_t b = 0; b < g->block_count; b++)
        if (starts[b] && !(same && b == before->enters))
            walk_from(s, b);
    free(starts);
}

void open_path_find(open_path *open, program *app, const uint32_t *pc, const uint32_t *recent, size_t count,
                    const uint32_t *number)
{
    const descriptors *all = program_descriptors(app);
    const image *im = program_image(app);
    descriptor_path before = {.enters = BALLARUS_NONE};
    bool known = open_path_newest(all, recent, count, &before);
    if (!known)
        before.function = NULL;
    const descriptor_function *at = pc ? open_path_function(all, im, *pc) : NULL, *f = at ? at : before.function;
    *open = (open_path){.function = f, .called = !at && known};
    if (!f || (!at && before.enters == BALLARUS_NONE))
        return;
    uint32_t local = number ? *number - f->path_base : 0;
    search s = {.open = open,
                .f = f,
                .target = memory_zero(f->block_count + 1, 1),
                .leads = memory_zero(f->block_count + 1, 1),
                .number = number && !open->called ? &local : NULL,
                .stack = memory_zero(f->block_count + 1, sizeof *s.stack)};
    if (open->called)
        s.target[before.enters] = true;
    else
        find_targets(f, image_line_at(im, *pc), s.target);
    find_leads(&s);
    if (open->called)
        walk_from(&s, before.enters);
    else
        search_ways(&s, known ? &before : NULL);
    free(s.target);
    free(s.leads);
    free(s.stack);
}

void open_path_free(open_path *open)
{
    for (size_t i = 0; i < OPEN_PATH_WAYS && i < open->ways; i++)
        free(open->way[i].block);
}
