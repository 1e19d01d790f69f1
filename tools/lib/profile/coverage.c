/* SPDX-License-Identifier: MIT */
/* The steps: 1. count each distinct path; 2. walk each path once and add its count to the edges that it takes; 3. per
 * function, count the lines and branches of the blocks that gcov would have. */
#include "tools/lib/profile/coverage.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/profile/coverage_branches.h"
#include "tools/lib/profile/coverage_lines.h"
#include "tools/lib/profile/coverage_loops.h"
#include "tools/lib/recording/control.h"

struct coverage_own {
    const descriptors *known;
    numbering paths;
    uint64_t *counts; /* by number */
    size_t count, max;
};

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
    free(all->jump);
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

/* ---- steps 2 and 3 ---- */

/* Step 2. */
static void add_path(coverage_ran *r, uint32_t number, uint64_t count)
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

static int by_path(const void *a, const void *b)
{
    const uint32_t *x = *(const uint32_t *const *)a, *y = *(const uint32_t *const *)b;
    return *x < *y ? -1 : *x > *y;
}

/* One function, with the paths of it that ran. */
static void add_function(coverage *all, const descriptor_function *f, uint32_t **paths, size_t count)
{
    const struct coverage_own *own = all->own;
    coverage_ran r = {.f = f,
                      .edge = memory_zero(f->edge_count + 1, sizeof *r.edge),
                      .started = memory_zero(f->block_count + 1, sizeof *r.started),
                      .path = memory_zero(f->block_count + 1, sizeof *r.path)};
    bool ran = false;
    for (size_t i = 0; i < count; i++) {
        ran |= own->counts[paths[i] - own->paths.values] > 0;
        add_path(&r, *paths[i] - f->path_base, own->counts[paths[i] - own->paths.values]);
    }
    bool *back = coverage_back_edges(f);
    coverage_jumps jumps = {f, (uint32_t)(f - own->known->function), back};
    coverage_graph counted = coverage_graph_of(&r);
    coverage_add_lines(all, &counted);
    coverage_add_branches(all, &r, &counted, &jumps);
    coverage_graph_free(&counted);
    coverage_add_loops(all, f, back, r.edge);
    coverage_add_function(all, (coverage_function){f->file, f->name, f->first_line, coverage_calls(r.calls, ran)});
    free(back);
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
