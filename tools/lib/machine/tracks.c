/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/tracks.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/machine/build.h"
#include "tools/lib/machine/walk.h"

/* A function; made when asked for. */
typedef struct walked {
    routine *code;
    walk *walk;
} walked;

struct tracks {
    program *app;
    walked *functions;
};

tracks *tracks_open(program *app)
{
    tracks *all = memory_zero(1, sizeof *all);
    *all = (tracks){app, memory_zero(program_descriptors(app)->count + 1, sizeof *all->functions)};
    return all;
}

void tracks_close(tracks *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < program_descriptors(all->app)->count; i++) {
        routine_free(all->functions[i].code);
        walk_free(all->functions[i].walk);
    }
    free(all->functions);
    free(all);
}

static walked *walked_of(tracks *all, const descriptor_function *f)
{
    const descriptors *known = program_descriptors(all->app);
    const image *im = program_image(all->app);
    walked *w = &all->functions[f - known->function];
    uint32_t start = f->address & ~1u;
    bool gotos = false;
    if (w->code)
        return w;
    for (uint32_t b = 0; b < f->block_count; b++)
        gotos |= f->block[b].flags & DESCRIPTOR_BLOCK_LANDING;
    const image_symbol *symbol = image_function(&im->symbols, start);
    w->code = routine_build(im, start, symbol && symbol->address == start ? start + symbol->size : start, gotos);
    w->walk = walk_new(w->code, known, f, true);
    return w;
}

size_t tracks_of(tracks *all, uint32_t path, track_step **steps)
{
    const descriptor_function *f = descriptors_of_path(program_descriptors(all->app), path);
    uint32_t *way = NULL;
    *steps = NULL;
    if (!f)
        return 0;
    const walked *w = walked_of(all, f);
    size_t count = walk_way(w->walk, path - f->path_base, &way);
    *steps = count ? memory_zero(count, sizeof **steps) : NULL;
    for (size_t i = 0; i < count; i++) {
        const routine_step *s = &w->code->steps[way[i]];
        (*steps)[i] = (track_step){s->insn.pc, s->call == ROUTINE_CALL, s->call == ROUTINE_PROBE, s->insn.condition};
    }
    free(way);
    return count;
}
