/* SPDX-License-Identifier: MIT */
/* The steps: 1. count each distinct path; 2. walk each path once and add its count to the edges that it takes; 3. per
 * function and line, add up the edges that lead to the blocks which end on the line, as gcov does. */
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
    uint32_t *target;  /* by block: the block that it only leads on to, else itself */
    bool *turns;       /* by block: on the way to its target an edge ends a path */
    uint64_t calls;
} ran;

/* A line of a block. As gcov has it, a block ends on the greatest line of the last file that it has lines of. */
typedef struct line_block {
    descriptor_line place;
    uint32_t block;
    bool ends;
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

/* The only edge that leaves a block of no line, as where ways join; else BALLARUS_NONE. */
static uint32_t edge_onward(const descriptor_function *f, uint32_t block)
{
    const ballarus *g = f->graph;
    uint32_t first = g->first[block];
    bool one = g->first[block + 1] - first == 1 && g->edge[g->out[first]].to != BALLARUS_EXIT;
    return !f->block[block].line_count && one ? g->out[first] : BALLARUS_NONE;
}

/* On the way through a block of no line, control does not leave the line that it came from. */
static void find_targets(ran *r)
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
static void reach(const ran *r, uint8_t *mark, uint32_t from)
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
static uint64_t edge_count(const ran *r, uint8_t *mark, const ballarus_edge *edge, uint64_t taken)
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
static uint64_t line_count(const ran *r, uint8_t *mark, const line_block *blocks, size_t count)
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
static uint64_t blocks_count(const ran *r, const line_block *blocks, size_t count)
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
static uint64_t returns_before(const ran *r, const line_block *blocks, size_t count)
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

static const descriptor_line *line_of_end(const descriptor_block *b)
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
static void add_head(coverage *all, const ran *r, const line_block *blocks, size_t count)
{
    line_block head = {{r->f->file, r->f->first_line}, 0, false};
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
            blocks[count++] = (line_block){f->block[b].line[i], b, &f->block[b].line[i] == line_of_end(&f->block[b])};
        }
    if (count)
        qsort(blocks, count, sizeof *blocks, compare_blocks);
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
    const descriptor_line *place = line_of_end(b);
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
             .path = memory_zero(f->block_count + 1, sizeof *r.path),
             .target = memory_zero(f->block_count + 1, sizeof *r.target),
             .turns = memory_zero(f->block_count + 1, sizeof *r.turns)};
    find_targets(&r);
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
    free(r.target);
    free(r.turns);
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
