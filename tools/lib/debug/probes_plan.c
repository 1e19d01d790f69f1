/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/probes_plan.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"

static uint32_t recorded_items(const replay_script *script)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < script->before_count; i++)
        count += replay_is_recorded(&script->items[i]);
    return count;
}

/* Where the items stand: each recorded one at its probe. What is not recorded stands with the recorded one after it, as
 * in the order of events; the rest with the probe that ends the path. False: the code has other probes. */
static bool place_items(probes_plan *p, const track_step *way, const replay_script *script)
{
    uint32_t probes = 0, item = 0;
    for (uint32_t i = 0; i < p->count; i++)
        probes += way[i].probe;
    if (probes != recorded_items(script))
        return false;
    for (uint32_t i = 0; i < p->count; i++) {
        if (way[i].probe) {
            while (!replay_is_recorded(&script->items[item]))
                item++;
            item++;
        }
        p->steps[i] = (probes_step){way[i].pc, i + 1 == p->count ? script->before_count : item};
    }
    return true;
}

static bool plan_by_code(probes_plan *p, tracks *code, const replay_script *script)
{
    track_step *way;
    p->count = (uint32_t)tracks_of(code, script->path, &way);
    p->steps = memory_grow(NULL, p->count + 1, sizeof *p->steps);
    bool good = p->count && place_items(p, way, script);
    for (uint32_t i = 0; good && script->first_reported && !p->lead && i < p->count; i++)
        p->lead = way[i].call ? i + 1 : 0;
    free(way);
    return good;
}

/* ---- by lines ---- */

/* The first instruction of a line in a function; 0: it has none. */
static uint32_t line_pc(const image *im, const descriptor_function *f, const descriptor_line *line)
{
    uint32_t at = f->address & ~1u;
    const image_symbol *symbol = image_function(&im->symbols, at);
    uint32_t end = symbol && symbol->address == at ? at + symbol->size : at;
    const image_line *before = NULL;
    for (; line && line->line && at < end; at += 2) {
        const image_line *here = image_line_at(im, at);
        if (here && here != before && here->file && here->line == line->line &&
            !strcmp(text_base(here->file), text_base(line->file)))
            return at;
        before = here;
    }
    return 0;
}

static uint32_t item_pc(program *app, const descriptor_function *f, const replay_item *item)
{
    const descriptor_line *line = NULL;
    if (item->kind == REPLAY_BLOCK && item->id - f->block_base < f->block_count) {
        const descriptor_block *b = &f->block[item->id - f->block_base];
        line = b->line_count ? b->line : NULL;
    } else if (item->kind == REPLAY_ACCESS && item->id - f->site_base < f->site_count) {
        line = &f->site[item->id - f->site_base].place;
    }
    return item->kind == REPLAY_ENTRY ? f->address & ~1u : line_pc(program_image(app), f, line);
}

static void plan_by_lines(probes_plan *p, program *app, const replay_script *script)
{
    const descriptor_function *f = &program_descriptors(app)->function[script->function];
    p->count = 0;
    p->steps = memory_grow(p->steps, script->before_count + 1, sizeof *p->steps);
    for (uint32_t i = 0; i < script->before_count; i++) {
        uint32_t pc = item_pc(app, f, &script->items[i]);
        if (pc && (!p->count || p->steps[p->count - 1].pc != pc))
            p->steps[p->count++].pc = pc;
        if (p->count)
            p->steps[p->count - 1].items = i + 1;
    }
    if (!p->count)
        p->steps[p->count++].pc = f->address & ~1u;
    p->steps[p->count - 1].items = script->before_count;
    p->lead = script->first_reported && p->count > 1;
}

probes_plan *probes_plan_new(program *app, tracks *code, const replay_script *script)
{
    probes_plan *p = memory_zero(1, sizeof *p);
    p->path = script->path;
    p->function = script->function;
    p->exact = plan_by_code(p, code, script);
    if (!p->exact)
        plan_by_lines(p, app, script);
    return p;
}

void probes_plan_free(probes_plan *p)
{
    if (!p)
        return;
    free(p->steps);
    free(p);
}
