/* SPDX-License-Identifier: MIT */
/* The steps: 1. count each distinct path; 2. walk each path once and add its count to the edges that it takes; 3. per
 * function and line, add up the edges that lead to the line's blocks. */
#include "tools/lib/profile/coverage.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/profile/coverage_loops.h"
#include "tools/lib/recording/control.h"

struct coverage_own {
    const descriptors *known;
    numbering paths;
    uint64_t *counts; /* by number */
    size_t count, max;
};

/* What ran in one function. */
typedef struct ran {
    const descriptor_function *f;
    uint64_t *edge;    /* by edge */
    uint64_t *started; /* paths that begin with a block, not at the entry, by block */
    uint32_t *path;    /* blocks of a path */
    uint64_t calls;
} ran;

/* A line of a block. */
typedef struct line_block {
    descriptor_line place;
    uint32_t block;
} line_block;

coverage *coverage_new(program *app)
{
    return coverage_new_of(app ? program_descriptors(app) : NULL);
}

coverage *coverage_new_of(const descriptors *known)
{
    coverage *all = memory_zero(1, sizeof *all);
    if (!known)
        return all;
    all->own = memory_zero(1, sizeof *all->own);
    all->own->known = known;
    return all;
}

void coverage_free(coverage *all)
{
    if (!all)
        return;
    if (all->own) {
        numbering_free(&all->own->paths);
        free(all->own->counts);
        free(all->own);
    }
    free(all->loop);
    free(all->line);
    free(all->branch);
    free(all->function);
    free(all);
}

/* Step 1. */
bool coverage_add(coverage *all, uint32_t path, uint64_t count)
{
    struct coverage_own *own = all->own;
    uint32_t number = numbering_of(&own->paths, path);
    bool good = true;
    if (number == own->count) {
        own->counts = memory_room(own->counts, own->count, &own->max, sizeof *own->counts);
        own->counts[own->count++] = 0;
        good = descriptors_of_path(own->known, path) != NULL;
    }
    own->counts[number] += count;
    all->paths += count;
    return good;
}

/* A part of the frames, and what ran in it. */
typedef struct part {
    coverage *all;
    uint64_t unread;
    bool good;
} part;

typedef struct feeding {
    const container *file;
    const event_filter *wanted; /* NULL: all paths are */
    size_t parts;
    part *part;
} feeding;

static void feed_part(void *own, size_t number)
{
    const feeding *f = own;
    part *p = &f->part[number];
    size_t frames = container_frame_count(f->file);
    control *events = control_open_range(f->file, threads_first(frames, f->parts, number),
                                         threads_first(frames, f->parts, number + 1));
    p->good = true;
    for (control_event event; p->good && control_next(events, &event);) {
        if (event.kind != CONTROL_PATH || (f->wanted && !event_filter_path(f->wanted, event.context, event.path)))
            continue;
        p->good = coverage_add(p->all, event.path, 1);
        if (number == 0 && p->all->paths % 65536 == 0)
            progress_show(p->all->paths * f->parts, "paths");
    }
    p->unread = control_unread(events);
    control_close(events);
}

static void add_part(coverage *all, const coverage *from)
{
    const struct coverage_own *own = from->own;
    for (size_t i = 0; i < own->count; i++)
        (void)coverage_add(all, own->paths.values[i], own->counts[i]);
}

bool coverage_feed(coverage *all, const container *file, const event_filter *wanted, uint64_t *unread)
{
    feeding f = {.file = file, .wanted = wanted, .parts = threads_parts(container_frame_count(file))};
    bool good = true;
    f.part = memory_zero(f.parts, sizeof *f.part);
    for (size_t i = 0; i < f.parts; i++)
        f.part[i].all = coverage_new_of(all->own->known);
    threads_run(f.parts, feed_part, &f);
    progress_end();
    *unread = 0;
    for (size_t i = 0; i < f.parts; i++) {
        if (good)
            add_part(all, f.part[i].all);
        good = good && f.part[i].good;
        *unread += f.part[i].unread;
        coverage_free(f.part[i].all);
    }
    free(f.part);
    return good;
}

/* ---- step 2 ---- */

static void add_path(ran *r, uint32_t number, uint64_t count)
{
    const ballarus *g = r->f->graph;
    ballarus_ends ends;
    size_t blocks = ballarus_expand(g, number, r->path, r->f->block_count, &ends);
    if (blocks == SIZE_MAX)
        return;
    uint32_t from = g->block_count; /* ENTRY's place in the lists */
    r->calls += ends.from_entry ? count : 0;
    for (size_t i = 0; i < blocks; from = r->path[i++]) {
        if (i == 0 && !ends.from_entry) {
            r->started[r->path[0]] += count;
            continue;
        }
        for (uint32_t k = g->first[from]; k < g->first[from + 1]; k++)
            if (g->edge[g->out[k]].to == r->path[i]) {
                r->edge[g->out[k]] += count;
                break;
            }
    }
    if (ends.edge != BALLARUS_NONE)
        r->edge[ends.edge] += count;
}

/* Where control arrives other than on an edge: a computed goto's target, or a block whose edge was recorded in a
 * gap. */
static uint64_t arrivals(const ran *r, uint32_t block)
{
    uint64_t edges = 0;
    if (!r->started[block] || r->f->block[block].flags & DESCRIPTOR_BLOCK_TWICE)
        return 0;
    for (uint32_t e = 0; e < r->f->edge_count; e++)
        edges += r->f->graph->edge[e].to == block && r->f->graph->edge[e].cut ? r->edge[e] : 0;
    return r->started[block] > edges ? r->started[block] - edges : 0;
}

/* ---- step 3 ---- */

/* Marks what can be reached from `from` within the set: mark 1 becomes 2. */
static void reach(const ballarus *g, uint8_t *mark, uint32_t *work, uint32_t from)
{
    size_t count = 0;
    work[count++] = from;
    mark[from] = 2;
    while (count) {
        uint32_t block = work[--count];
        for (uint32_t k = g->first[block]; k < g->first[block + 1]; k++) {
            uint32_t to = g->edge[g->out[k]].to;
            if (to != BALLARUS_EXIT && mark[to] == 1) {
                mark[to] = 2;
                work[count++] = to;
            }
        }
    }
}

/* How often control came to the blocks of a line; mark[block]: 1 for these, else 0. */
static uint64_t line_count(const ran *r, uint8_t *mark, const line_block *blocks, size_t count)
{
    const ballarus *g = r->f->graph;
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += arrivals(r, blocks[i].block);
    for (uint32_t e = 0; e < g->edge_count; e++) {
        const ballarus_edge *edge = &g->edge[e];
        if (!r->edge[e] || edge->to == BALLARUS_EXIT || !mark[edge->to])
            continue;
        if (edge->from == BALLARUS_ENTRY || !mark[edge->from]) {
            sum += r->edge[e];
        } else if (edge->cut) { /* a turn of a loop on this line? */
            reach(g, mark, r->path, edge->to);
            sum += mark[edge->from] == 2 ? r->edge[e] : 0;
            for (size_t i = 0; i < count; i++)
                mark[blocks[i].block] = 1;
        }
    }
    return sum;
}

static int compare_blocks(const void *a, const void *b)
{
    const line_block *x = a, *y = b;
    return coverage_by_place(x->place.file, x->place.line, y->place.file, y->place.line);
}

/* The line that the function begins with runs with each call. Blocks hold it only if there is more on it. */
static void add_head(coverage *all, const ran *r, const line_block *blocks, size_t count)
{
    line_block head = {{r->f->file, r->f->first_line}, 0};
    if (head.place.line && !(count && bsearch(&head, blocks, count, sizeof *blocks, compare_blocks)))
        coverage_add_line(all, (coverage_line){head.place.file, head.place.line, r->calls});
}

static void add_lines(coverage *all, const ran *r)
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
            blocks[count++] = (line_block){f->block[b].line[i], b};
        }
    if (count)
        qsort(blocks, count, sizeof *blocks, compare_blocks);
    add_head(all, r, blocks, count);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && !compare_blocks(&blocks[i], &blocks[end]); end++)
            mark[blocks[end].block] = 1;
        coverage_add_line(
            all, (coverage_line){blocks[i].place.file, blocks[i].place.line, line_count(r, mark, blocks + i, end - i)});
        for (size_t k = i; k < end; k++)
            mark[blocks[k].block] = 0;
    }
    free(blocks);
    free(mark);
}

static void add_branches(coverage *all, const ran *r, uint32_t block)
{
    const ballarus *g = r->f->graph;
    const descriptor_block *b = &r->f->block[block];
    uint32_t ways = 0, way = 0;
    uint64_t sum = 0;
    for (uint32_t k = g->first[block]; k < g->first[block + 1]; k++) {
        ways += r->f->edge_kind[g->out[k]] != DESCRIPTOR_EDGE_STOP;
        sum += r->edge[g->out[k]];
    }
    if (ways < 2 || !b->line_count)
        return;
    const descriptor_line *place = &b->line[b->line_count - 1];
    for (uint32_t k = g->first[block]; k < g->first[block + 1]; k++) {
        if (r->f->edge_kind[g->out[k]] == DESCRIPTOR_EDGE_STOP)
            continue;
        uint64_t count = r->edge[g->out[k]];
        coverage_add_branch(all, (coverage_branch){place->file, place->line, r->f->block_base + block, way++, ways,
                                                   count, sum - count});
    }
}

static int by_path(const void *a, const void *b)
{
    const uint32_t *x = *(const uint32_t *const *)a, *y = *(const uint32_t *const *)b;
    return *x < *y ? -1 : *x > *y;
}

/* One function, with the paths of it that ran. */
static void add_function(coverage *all, const descriptor_function *f, uint32_t **paths, size_t count)
{
    const struct coverage_own *own = all->own;
    ran r = {.f = f,
             .edge = memory_zero(f->edge_count + 1, sizeof *r.edge),
             .started = memory_zero(f->block_count + 1, sizeof *r.started),
             .path = memory_zero(f->block_count + 1, sizeof *r.path)};
    for (size_t i = 0; i < count; i++)
        add_path(&r, *paths[i] - f->path_base, own->counts[paths[i] - own->paths.values]);
    add_lines(all, &r);
    for (uint32_t b = 0; b < f->block_count; b++)
        add_branches(all, &r, b);
    coverage_add_loops(all, f, r.edge);
    coverage_add_function(all, (coverage_function){f->file, f->name, f->first_line, r.calls});
    free(r.edge);
    free(r.started);
    free(r.path);
}

void coverage_finish(coverage *all)
{
    const struct coverage_own *own = all->own;
    const descriptors *known = own->known;
    uint32_t **paths = memory_zero(own->count + 1, sizeof *paths);
    for (size_t i = 0; i < own->count; i++)
        paths[i] = &own->paths.values[i];
    qsort(paths, own->count, sizeof *paths, by_path);
    for (size_t i = 0, from = 0, to; i < known->count; i++, from = to) {
        const descriptor_function *f = &known->function[i];
        for (to = from; to < own->count && *paths[to] - f->path_base < f->path_count; to++)
            ;
        if (coverage_wants(all, f->name))
            add_function(all, f, paths + from, to - from);
    }
    free(paths);
    coverage_sort(all);
}
