/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/costs.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/image/image.h"
#include "tools/lib/machine/build.h"
#include "tools/lib/machine/decode.h"
#include "tools/lib/machine/tracks.h"
#include "tools/lib/machine/walk.h"
#include "tools/lib/recording/script.h"

/* A function; its parts are made when asked for. */
typedef struct priced {
    routine *code;
    walk *walk;
    double *blocks; /* estimates */
} priced;

struct path_costs {
    program *app;
    scripts *paths;
    const image *im;
    priced *routines;
    tracks *tracks; /* made when they are asked for */
};

path_costs *costs_open(program *app)
{
    path_costs *all = memory_zero(1, sizeof *all);
    *all = (path_costs){app, scripts_open(app), program_image(app),
                        memory_zero(program_descriptors(app)->count, sizeof *all->routines), NULL};
    return all;
}

void costs_close(path_costs *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < program_descriptors(all->app)->count; i++) {
        routine_free(all->routines[i].code);
        walk_free(all->routines[i].walk);
        free(all->routines[i].blocks);
    }
    scripts_close(all->paths);
    tracks_close(all->tracks);
    free(all->routines);
    free(all);
}

static priced *priced_of(path_costs *all, const descriptor_function *f)
{
    const descriptors *known = program_descriptors(all->app);
    priced *r = &all->routines[f - known->function];
    uint32_t start = f->address & ~1u;
    bool gotos = false;
    if (r->code)
        return r;
    for (uint32_t b = 0; b < f->block_count; b++)
        gotos |= f->block[b].flags & DESCRIPTOR_BLOCK_LANDING;
    const image_symbol *symbol = image_function(&all->im->symbols, start);
    r->code = routine_build(all->im, start, symbol && symbol->address == start ? start + symbol->size : start, gotos);
    r->walk = walk_new(r->code, known, f, false);
    return r;
}

typedef struct preparing {
    path_costs *all;
    const bool *wanted;
    atomic_size_t next; /* function to take */
} preparing;

static void prepare_some(void *own, size_t part)
{
    preparing *p = own;
    const descriptors *known = program_descriptors(p->all->app);
    for (size_t i; (i = atomic_fetch_add(&p->next, 1)) < known->count;)
        if (p->wanted[i])
            priced_of(p->all, &known->function[i]);
    if (part)
        thumb_decode_end();
}

void costs_prepare(path_costs *all, const bool *wanted)
{
    static const uint8_t nop[] = {0, 0xbf};
    preparing p = {.all = all, .wanted = wanted};
    thumb_insn insn;
    (void)thumb_decode(&insn, 0, nop, sizeof nop, THUMB_ALWAYS); /* what capstone makes once for all threads */
    threads_run(threads_parts(program_descriptors(all->app)->count), prepare_some, &p);
}

static bool holds(const descriptor_block *b, const image_line *line)
{
    for (uint32_t i = 0; i < b->line_count; i++)
        if (b->line[i].line == line->line && !strcmp(b->line[i].file, line->file))
            return true;
    return false;
}

/* Shares an instruction of a line among the blocks that hold it, or among all. */
static void share(const descriptor_function *f, double *blocks, const image_line *line)
{
    uint32_t count = 0;
    for (uint32_t b = 0; line && b < f->block_count; b++)
        count += holds(&f->block[b], line);
    for (uint32_t b = 0; b < f->block_count; b++)
        if (!count || holds(&f->block[b], line))
            blocks[b] += 1.0 / (count ? count : f->block_count);
}

static path_cost estimate(path_costs *all, const descriptor_function *f, priced *r, uint32_t path)
{
    const replay_script *script = scripts_path(all->paths, path);
    double sum = 0;
    if (!r->blocks) {
        r->blocks = memory_zero(f->block_count, sizeof *r->blocks);
        for (uint32_t i = 0; i < r->code->count; i++)
            if (!r->code->steps[i].own)
                share(f, r->blocks, image_line_at(all->im, r->code->steps[i].insn.pc));
    }
    for (uint32_t i = 0; script && i < script->before_count; i++)
        if (script->items[i].kind == REPLAY_BLOCK && script->items[i].id - f->block_base < f->block_count)
            sum += r->blocks[script->items[i].id - f->block_base];
    uint32_t cost = sum < 1 ? 1 : (uint32_t)(sum + 0.5);
    return (path_cost){.least = cost, .most = cost, .estimated = true};
}

path_cost costs_of(path_costs *all, uint32_t path)
{
    const descriptor_function *f = descriptors_of_path(program_descriptors(all->app), path);
    walk_cost found;
    if (!f)
        return (path_cost){.least = 1, .most = 1, .estimated = true};
    priced *r = priced_of(all, f);
    if (!walk_find(r->walk, path - f->path_base, &found))
        return estimate(all, f, r, path);
    return (path_cost){found.least, found.most,     found.least_all, found.most_all,
                       found.rare,  found.rare_all, found.loops};
}

/* The step that calls the probe which ends a path; ROUTINE_NONE: not known. */
static uint32_t last_step(path_costs *all, const routine *code, uint32_t path)
{
    track_step *steps;
    if (!all->tracks)
        all->tracks = tracks_open(all->app);
    size_t count = tracks_of(all->tracks, path, &steps);
    uint32_t from = count ? steps[count - 1].pc - code->start : 0;
    free(steps);
    return count && from < code->end - code->start ? code->index[from / 2] - 1 : ROUTINE_NONE;
}

uint32_t costs_lead(path_costs *all, uint32_t path, bool probes)
{
    const descriptor_function *f = descriptors_of_path(program_descriptors(all->app), path);
    const routine *code = f ? priced_of(all, f)->code : NULL;
    if (!code || !code->known)
        return 0;
    uint32_t at = last_step(all, code, path), count = 0;
    at = at == ROUTINE_NONE ? at : code->steps[at].next;
    for (uint32_t steps = 0; at != ROUTINE_NONE && steps < code->count; steps++) {
        const routine_step *s = &code->steps[at];
        bool branches = s->insn.flow == THUMB_BRANCH;
        count += probes || !s->own;
        if (s->call == ROUTINE_CALL)
            return count;
        if (s->leaves || s->table_count || (branches && s->insn.falls))
            return 0;
        at = branches ? s->target : s->next;
    }
    return 0;
}
