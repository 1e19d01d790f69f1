/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/base/text.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/inspect/part_reading.h"
#include "tools/lib/machine/costs.h"
#include "tools/lib/profile/coverage.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/script.h"

enum { LINES_MAX = 512, HANDLERS = VECTORS_THREAD };

typedef struct path_use {
    uint64_t element, count;
    uint32_t least;
    bool estimated; /* that is an estimate */
    bool entry, exit;
    bool wanted; /* it is of the function that is chosen, or none is */
} path_use;

/* Own time of a handler's activations, in instructions. */
typedef struct handler_use {
    uint32_t depth;
    uint64_t spent, count, sum, most;
} handler_use;

typedef struct reading {
    part_side *s;
    scripts *scripts;
    path_costs *costs;
    numbering numbers;
    path_use *use; /* by number */
    size_t use_count, use_max;
    handler_use handler[HANDLERS];
} reading;

/* A path by what it is in the source. */
static uint64_t path_by_lines(const part_side *s, uint32_t path, const descriptor_function *f)
{
    static descriptor_line lines[LINES_MAX];
    uint64_t hash = part_hash(part_hash_function(s, 1, f->name), text_base(f->file));
    size_t count = program_path_lines(s->app, path, lines, LINES_MAX);
    for (size_t i = 0; i < count && i < LINES_MAX; i++) {
        bool own = lines[i].file == f->file;
        hash = part_hash(hash, own ? "" : text_base(lines[i].file));
        hash = part_hash_number(hash, own ? lines[i].line - f->first_line : lines[i].line);
    }
    return hash;
}

static path_use *use_of(reading *r, uint32_t path)
{
    uint32_t number = numbering_of(&r->numbers, path);
    if (number < r->use_count)
        return &r->use[number];
    const replay_script *script = scripts_path(r->scripts, path);
    if (!script)
        return NULL;
    const descriptor_function *f = &program_descriptors(r->s->app)->function[script->function];
    r->use = memory_room(r->use, r->use_count, &r->use_max, sizeof *r->use);
    path_cost cost = costs_of(r->costs, path);
    r->use[r->use_count++] = (path_use){.element = r->s->by_lines ? path_by_lines(r->s, path, f) : path,
                                        .least = cost.least,
                                        .estimated = cost.estimated,
                                        .wanted = part_wants(r->s, f->name),
                                        .entry = script->entry,
                                        .exit = script->exit};
    return &r->use[number];
}

static void note_handler(handler_use *h, const path_use *use)
{
    if (use->entry && !h->depth++)
        h->spent = 0;
    h->spent += use->least;
    if (!use->exit || !h->depth || --h->depth)
        return;
    h->count++;
    h->sum += h->spent;
    h->most = h->spent > h->most ? h->spent : h->most;
}

/* ---- rows ---- */

static void add_accesses(reading *r, const descriptors *all, uint32_t path, uint64_t count)
{
    const replay_script *script = scripts_path(r->scripts, path);
    for (uint32_t i = 0; i < script->count; i++) {
        const replay_item *item = &script->items[i];
        const descriptor_site *site = item->kind == REPLAY_ACCESS ? descriptors_site(all, item->id) : NULL;
        if (!site)
            continue;
        const descriptor_function *f = &all->function[script->function];
        uint64_t key =
            part_hash(part_hash(part_hash_function(r->s, 2, f->name), site->text), text_base(site->place.file));
        part_row row = {.kind = PART_ACCESS,
                        .key = part_hash_number(key, site->place.line - f->first_line),
                        .name = (char *)(site->text[0] ? site->text : f->name),
                        .file = site->place.file,
                        .line = site->place.line};
        row.value[item->store] = (double)count;
        part_add_row(r->s, row);
    }
}

static void add_functions(reading *r, const descriptors *all)
{
    double(*value)[2] = memory_zero(all->count + 1, sizeof *value);
    for (uint32_t i = 0; i < r->use_count; i++) {
        size_t f = (size_t)(descriptors_of_path(all, r->numbers.values[i]) - all->function);
        value[f][0] += r->use[i].entry ? (double)r->use[i].count : 0;
        value[f][1] += (double)r->use[i].count * r->use[i].least;
        r->s->estimated += r->use[i].estimated ? r->use[i].count * r->use[i].least : 0;
    }
    for (size_t i = 0; i < all->count; i++) {
        const descriptor_function *f = &all->function[i];
        part_add_row(r->s, (part_row){.kind = PART_FUNCTION,
                                      .key = part_hash(part_hash_function(r->s, 3, f->name), text_base(f->file)),
                                      .name = (char *)f->name,
                                      .file = f->file,
                                      .line = f->first_line,
                                      .value = {value[i][0], value[i][1]}});
    }
    free(value);
}

static void add_loops(reading *r)
{
    coverage *all = coverage_new(r->s->app);
    for (uint32_t i = 0; i < r->use_count; i++)
        coverage_add(all, r->numbers.values[i], r->use[i].count);
    coverage_finish(all);
    const descriptors *known = program_descriptors(r->s->app);
    for (size_t i = 0; i < all->loop_count; i++) {
        const coverage_loop *l = &all->loop[i];
        uint32_t first = 0;
        for (size_t f = 0; f < known->count; f++)
            if (known->function[f].name == l->function)
                first = known->function[f].first_line;
        uint64_t key = part_hash(part_hash_function(r->s, 4, l->function), text_base(l->file));
        part_add_row(r->s, (part_row){.kind = PART_LOOP,
                                      .key = part_hash_number(key, l->line - first),
                                      .name = (char *)l->function,
                                      .file = l->file,
                                      .line = l->line,
                                      .value = {(double)l->entered, (double)l->turns}});
    }
    coverage_free(all);
}

static void add_handlers(reading *r)
{
    char name[VECTORS_NAME_MAX];
    for (uint32_t i = 1; i < HANDLERS; i++) {
        const handler_use *h = &r->handler[i];
        if (h->count)
            part_add_row(r->s,
                         (part_row){.kind = PART_LATENCY,
                                    .key = part_hash_number(5, i),
                                    .name = (char *)vectors_name(r->s->im, i, name),
                                    .value = {(double)h->count, (double)h->sum / (double)h->count, (double)h->most}});
    }
}

static void add_paths(reading *r, const descriptors *all)
{
    static descriptor_line lines[LINES_MAX];
    for (uint32_t i = 0; i < r->use_count; i++) {
        uint32_t path = r->numbers.values[i];
        const descriptor_function *f = descriptors_of_path(all, path);
        size_t count = program_path_lines(r->s->app, path, lines, LINES_MAX);
        part_add_row(r->s, (part_row){.kind = PART_PATH,
                                      .key = part_hash_number(6, r->use[i].element),
                                      .name = (char *)f->name,
                                      .file = count ? lines[0].file : f->file,
                                      .line = count ? lines[0].line : f->first_line,
                                      .value = {(double)r->use[i].count, (double)r->use[i].count * r->use[i].least}});
        add_accesses(r, all, path, r->use[i].count);
    }
}

/* ---- reading ---- */

static bool take_path(reading *r, const control_event *event, part_window **windows, size_t count)
{
    part_side *s = r->s;
    path_use *use = use_of(r, event->path);
    if (!use || !use->wanted || (s->one_context && event->context != s->context))
        return use;
    trail *t = trails_of(&s->trails, event->context);
    if (windows) {
        part_step *step = part_collect(windows, count, event->context, t->count++);
        if (step)
            *step = (part_step){.element = use->element, .id = event->path, .time = s->elements};
        s->elements++;
        return true;
    }
    use->count++;
    s->elements++;
    if (!s->lost)
        trail_add(t, use->element);
    if (event->context && event->context < HANDLERS && !s->function)
        note_handler(&r->handler[event->context], use);
    return true;
}

/* Whether something is missing after the last frame of paths. */
static bool ends_early(const container *file)
{
    container_frame frame = {0};
    uint8_t *buffer = NULL;
    bool early = container_end_missing(file);
    for (size_t i = container_frame_count(file); !early && i-- && container_kind(file, i) != WEFT_FRAME_TRACE;) {
        container_read(file, i, &frame, &buffer);
        early = frame.after_gap;
    }
    free(buffer);
    return early;
}

const char *part_read_probes(part_side *s, part_window **windows, size_t count)
{
    reading *r = memory_zero(1, sizeof *r);
    r->s = s;
    r->scripts = scripts_open(s->app);
    r->costs = costs_open(s->app);
    const descriptors *all = program_descriptors(s->app);
    control *events = control_open(s->file);
    uint64_t seen = 0;
    bool good = true;
    for (control_event event; good && control_next(events, &event);) {
        if (event.kind == CONTROL_PATH)
            good = take_path(r, &event, windows, count);
        else if (event.kind == CONTROL_GAP) {
            s->lost += !windows && s->elements && !event.another;
            s->late |= !s->elements && !event.another;
            s->cut |= s->lost > 0;
            for (uint32_t i = 0; i < HANDLERS; i++)
                r->handler[i].depth = 0;
        }
        if (!(++seen & 0xffff))
            progress_show(seen, "paths");
    }
    progress_end();
    if (good && !windows) {
        add_functions(r, all);
        add_paths(r, all);
        add_loops(r);
        add_handlers(r);
    }
    s->unread = control_unread(events);
    s->cut |= ends_early(s->file);
    control_close(events);
    costs_close(r->costs);
    scripts_close(r->scripts);
    numbering_free(&r->numbers);
    free(r->use);
    free(r);
    return good ? NULL : "the recording does not fit the program: no function has one of its paths";
}
