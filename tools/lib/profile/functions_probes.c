/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/functions_probes.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/profile/functions_feeder.h"
#include "tools/lib/profile/functions_ranges.h"
#include "tools/lib/recording/by_context.h"
#include "tools/lib/recording/replay_all.h"
#include "tools/lib/recording/script.h"

enum { LINES_MAX = 4096 };

void functions_of_program(functions *all, const program *app)
{
    const descriptors *known = program_descriptors(app);
    for (size_t i = 0; i < known->count; i++) {
        const descriptor_function *f = &known->function[i];
        functions_add(all, f->name, (function_place){f->file, f->first_line});
    }
}

static function_place place_of(const descriptor_block *block)
{
    return block->line_count ? (function_place){block->line[0].file, block->line[0].line} : (function_place){0};
}

/* The block that a path ends in; NULL: what it enters at its end is no block. */
static const descriptor_block *last_block(const descriptor_function *of, const replay_script *script)
{
    uint32_t at = script->count;
    while (at > script->before_count && script->items[at - 1].kind != REPLAY_BLOCK)
        at--;
    return at > script->before_count ? &of->block[script->items[at - 1].id - of->block_base] : NULL;
}

bool functions_path_stays(const feeder *f, const replay_script *script)
{
    const descriptor_block *block = last_block(&program_descriptors(f->app)->function[script->function], script);
    return block && block->flags & DESCRIPTOR_BLOCK_NORETURN;
}

static cost_note make_note(const feeder *f, uint32_t path)
{
    if (f->whole) {
        cost_note note = f->whole->notes[numbering_find(&f->whole->numbers, path)];
        note.count = note.cost = 0;
        return note;
    }
    const descriptors *known = program_descriptors(f->app);
    const replay_script *script = scripts_path(f->paths, path);
    const descriptor_function *of = &known->function[script->function];
    path_cost cost = costs_of(f->costs, path);
    bool probes = f->choice.with_probes && cost.most_all;
    cost_note note = {.least = probes ? cost.least_all : cost.least, .estimated = cost.estimated, .span = script->span};
    note.more = (probes ? cost.most_all : cost.most) - note.least;
    note.rare = probes ? cost.rare_all : cost.rare;
    const descriptor_block *block = last_block(of, script);
    note.call = block ? place_of(block) : (function_place){0};
    note.stays = functions_path_stays(f, script);
    return note;
}

cost_note *functions_note_of(feeder *f, uint32_t path)
{
    uint32_t number = numbering_of(&f->numbers, path);
    if (number == f->note_count) {
        f->notes = memory_room(f->notes, f->note_count, &f->note_max, sizeof *f->notes);
        f->notes[f->note_count++] = make_note(f, path);
    }
    return &f->notes[number];
}

static bool is_span(const feeder *f, uint32_t function)
{
    return program_descriptors(f->app)->function[function].flags & DESCRIPTOR_SPAN;
}

open_paths *functions_open_of(feeder *f, uint32_t context)
{
    f->open = by_context(f->open, &f->open_count, &f->open_max, sizeof *f->open, context, &f->open_last);
    return &f->open[f->open_last];
}

void functions_open_push(open_paths *open, uint32_t path)
{
    open->path = memory_room(open->path, open->depth, &open->max, sizeof *open->path);
    open->path[open->depth++] = path;
}

static uint32_t lead_of(feeder *f, uint32_t path)
{
    if (f->stacks_only)
        return 0;
    if (f->asking)
        pthread_mutex_lock(f->asking);
    uint32_t lead = costs_lead(f->costs, path, f->choice.with_probes);
    if (f->asking)
        pthread_mutex_unlock(f->asking);
    return lead;
}

/* An activation ends. One that a longjmp unwinds has executed instructions after its last path, up to the call. */
static void leave(feeder *f, const replay_event *event)
{
    open_paths *o = functions_open_of(f, event->context);
    uint32_t path = o->depth ? o->path[--o->depth] : FUNCTIONS_NONE;
    uint32_t lead = 0;
    if (event->unwound && path != FUNCTIONS_NONE && !f->time)
        lead = lead_of(f, path);
    if (lead) {
        functions_resume(f->all, event->context, event->function);
        functions_spend(f->all, event->context, lead, 0, false);
        functions_note_of(f, path)->cost += lead;
    }
    if (event->unwound || !f->last || !f->last->stays)
        functions_leave(f->all, event->context, event->function);
}

static void add_path(feeder *f, const replay_event *event)
{
    cost_note *note = functions_note_of(f, event->id);
    uint64_t cost = f->time ? f->took : note->least, more = f->time ? 0 : note->more;
    bool estimated = f->time ? timeline_shared(f->time) : note->estimated;
    note->count++;
    if (!f->time && !f->whole && note->count % FUNCTIONS_RARE == 0)
        more += note->rare;
    note->cost += cost;
    f->last = note;
    if (note->span) {
        const replay_script *script = scripts_path(f->paths, event->id);
        functions_flat(f->all, event->context, event->function, script->entry, cost, more, estimated);
        return;
    }
    open_paths *o = functions_open_of(f, event->context);
    if (!o->depth)
        functions_open_push(o, FUNCTIONS_NONE);
    o->path[o->depth - 1] = event->id;
    functions_resume(f->all, event->context, event->function);
    functions_spend(f->all, event->context, cost, more, estimated);
    functions_at(f->all, event->context, note->call);
}

/* Damaged bytes up to a place in the file, since the last such place. */
static uint64_t damaged_before(feeder *f, uint64_t offset)
{
    uint64_t bytes = 0;
    for (; f->gap < container_gap_count(f->file); f->gap++) {
        const container_gap *gap = container_gap_at(f->file, f->gap);
        if (gap->offset > offset)
            break;
        bytes += gap->bytes;
    }
    return bytes;
}

static void add_gap(feeder *f, const replay_event *event)
{
    f->seen->gaps++;
    f->seen->lost += event->counted ? event->paths : 0;
    f->last = NULL;
    for (size_t i = 0; i < f->open_count; i++)
        f->open[i].depth = 0;
    functions_loss loss = {.bytes = damaged_before(f, event->offset)};
    if (event->counted)
        loss = (functions_loss){event->paths, event->accesses, event->values, loss.bytes};
    functions_gap(f->all, loss);
}

static void add_access(feeder *f, const replay_event *event)
{
    const descriptors *known = program_descriptors(f->app);
    const descriptor_function *of = functions_wants_accesses(f->all) ? descriptors_of_site(known, event->id) : NULL;
    if (of)
        functions_access(f->all, (uint32_t)(of - known->function), event->address, event->size, event->store,
                         !event->unknown);
}

static bool is_chosen(const feeder *f, const replay_event *event)
{
    return event->kind == REPLAY_GAP || !f->choice.one_context || event->context == f->choice.context;
}

/* Every path and stamp, those of contexts that were not chosen too. */
static void tell_time(feeder *f, const replay_event *event)
{
    if (event->kind == REPLAY_PATH)
        f->took = timeline_path(f->time, event->id, event->context);
    else if (event->kind == REPLAY_MARK && event->mark->kind == WEFT_MARK_STAMP)
        timeline_stamp(f->time, event->recording, event->time);
    else
        return;
    functions_clock(f->all, timeline_now(f->time));
}

static void add_event(feeder *f, const replay_event *event)
{
    if (event->kind == REPLAY_GAP)
        add_gap(f, event);
    else if (event->kind == REPLAY_ACCESS)
        add_access(f, event);
    else if (event->kind == REPLAY_PATH) {
        add_path(f, event);
    } else if (event->kind == REPLAY_ENTRY && !is_span(f, event->function)) {
        functions_open_push(functions_open_of(f, event->context), FUNCTIONS_NONE);
        functions_enter(f->all, event->context, event->function);
    } else if (event->kind == REPLAY_EXIT && !is_span(f, event->function)) {
        leave(f, event);
    }
}

bool functions_take(feeder *f, const replay_event *event)
{
    if (f->time)
        tell_time(f, event);
    if (!is_chosen(f, event))
        return false;
    add_event(f, event);
    return true;
}

void functions_share(functions *all, program *app, uint32_t path, uint64_t cost)
{
    static descriptor_line lines[LINES_MAX];
    const descriptors *known = program_descriptors(app);
    uint32_t function = (uint32_t)(descriptors_of_path(known, path) - known->function);
    size_t count = program_path_lines(app, path, lines, LINES_MAX);
    count = count < LINES_MAX ? count : LINES_MAX;
    if (!count)
        functions_line(all, function, all->all[function].place, cost);
    for (size_t i = 0; i < count; i++)
        functions_line(all, function, (function_place){lines[i].file, lines[i].line},
                       cost / count + (i < cost % count));
}

static void list_paths(feeder *f)
{
    const descriptors *known = program_descriptors(f->app);
    f->all->path = memory_zero(f->note_count + 1, sizeof *f->all->path);
    for (uint32_t i = 0; i < f->note_count; i++) {
        uint32_t path = f->numbers.values[i];
        uint32_t function = (uint32_t)(descriptors_of_path(known, path) - known->function);
        if (functions_wanted(f->all, function))
            f->all->path[f->all->path_count++] = (path_row){path, function, f->notes[i].count, f->notes[i].cost};
    }
}

/* ---- the feeding ---- */

/* Where a recording's events go. */
typedef struct feeding {
    feeder *f;
    const functions_watch *watch;
    uint64_t events;
} feeding;

static void take(void *own, const replay_event *event)
{
    feeding *to = own;
    if (!functions_take(to->f, event))
        return;
    if (to->watch)
        to->watch->event(to->watch->own, to->f->all, event);
    if (++to->events % 65536 == 0)
        progress_show(to->events, "events");
}

/* One after the other, with addresses and values. */
static void replay_each(const feeder *f, feeding *to, replay_totals *totals)
{
    unsigned of_no_use = REPLAY_KIND(REPLAY_BLOCK) | REPLAY_KIND(REPLAY_VALUE) | REPLAY_KIND(REPLAY_CONTEXT) |
                         (functions_wants_accesses(f->all) ? 0 : REPLAY_KIND(REPLAY_ACCESS));
    replay *r = replay_open(f->file, (replay_model){f->paths, scripts_model});
    replay_leave_out(r, to->watch ? 0 : of_no_use);
    for (replay_event event; replay_next(r, &event);)
        take(to, &event);
    *totals = (replay_totals){.unresolved = replay_unresolved(r), .accesses = replay_accesses_of(r)};
    snprintf(totals->error, sizeof totals->error, "%s", replay_error(r) ? replay_error(r) : "");
    replay_close(r);
}

/* A listener may have written what it heard before an error is found, so it hears no more than comes before that. */
static void replay_for(feeder *f, const functions_effects *effects, const functions_watch *watch, replay_totals *totals)
{
    feeding to = {f, watch, 0};
    const replay_taker taker = {&to, take, REPLAY_KIND(REPLAY_CONTEXT)};
    if (watch || functions_listened(f->all) || functions_wants_accesses(f->all))
        replay_each(f, &to, totals);
    else if (!functions_feed_ranges(f, effects, totals))
        replay_all(f->file, (replay_model){f->paths, scripts_model}, scripts_needs(f->paths), &taker, totals);
    progress_end();
}

void functions_feeder_free(feeder *f)
{
    numbering_free(&f->numbers);
    for (size_t i = 0; i < f->open_count; i++)
        free(f->open[i].path);
    free(f->open);
    free(f->notes);
}

/* Feeds with what is known of the program. */
static const char *feed(feeder *f, const functions_watch *watch)
{
    static char message[400];
    replay_totals totals;
    functions_effects *effects = functions_effects_of(f);
    f->time = f->choice.clocked ? timeline_open(f->file, f->costs) : NULL;
    if (f->time)
        functions_clock(f->all, 0);
    replay_for(f, effects, watch, &totals);
    functions_effects_free(effects);
    f->seen->unresolved += totals.unresolved;
    f->seen->unknown += totals.accesses.unknown;
    f->seen->estimated += f->all->estimated;
    snprintf(message, sizeof message, "%s", totals.error);
    for (uint32_t i = 0; i < f->note_count; i++)
        functions_share(f->all, f->app, f->numbers.values[i], f->notes[i].cost);
    f->all->lines_shared = true;
    list_paths(f);
    timeline_close(f->time);
    functions_feeder_free(f);
    return message[0] ? message : NULL;
}

const char *functions_feed_known(functions *all, const container *file, program *app, scripts *paths, path_costs *costs,
                                 functions_choice choice, functions_seen *seen)
{
    feeder f = {.all = all, .app = app, .file = file, .choice = choice, .seen = seen, .paths = paths, .costs = costs};
    return feed(&f, NULL);
}

const char *functions_feed_watched(functions *all, const container *file, program *app, functions_choice choice,
                                   functions_seen *seen, const functions_watch *watch)
{
    feeder f = {.all = all,
                .app = app,
                .file = file,
                .choice = choice,
                .seen = seen,
                .paths = scripts_open(app),
                .costs = costs_open(app)};
    const char *error = feed(&f, watch);
    costs_close(f.costs);
    scripts_close(f.paths);
    return error;
}

const char *functions_feed(functions *all, const container *file, program *app, functions_choice choice,
                           functions_seen *seen)
{
    return functions_feed_watched(all, file, app, choice, seen, NULL);
}
