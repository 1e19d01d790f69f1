/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/functions_probes.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/machine/costs.h"
#include "tools/lib/profile/timeline.h"
#include "tools/lib/recording/by_context.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/replay_all.h"
#include "tools/lib/recording/script.h"

enum { LINES_MAX = 4096, RARE = 65535 };

/* What a path says each time it is taken. */
typedef struct path_note {
    uint64_t count, cost;
    uint32_t least, more, rare;  /* rare: what one execution in RARE may take more */
    function_place call;         /* the call that it ends with */
    bool estimated, span, stays; /* stays: it ends with a call that does not return */
} path_note;

/* The last path of each activation of a context; FUNCTIONS_NONE: none has ended. */
typedef struct open_paths {
    uint32_t context; /* first: by_context */
    uint32_t *path;
    size_t depth, max;
} open_paths;

typedef struct feeder {
    functions *all;
    program *app;
    functions_choice choice;
    functions_seen *seen;
    scripts *paths;
    path_costs *costs;
    numbering numbers;
    path_note *notes; /* by number */
    size_t note_count, note_max;
    const container *file;
    size_t gap;            /* the first gap of the file that the run has not come to yet */
    timeline *time;        /* NULL: costs are instructions */
    uint64_t took;         /* by it: the last path */
    const path_note *last; /* of the path that was reported last, in any context */
    open_paths *open;
    size_t open_count, open_max, open_last; /* open_last: the one used last */
} feeder;

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

static path_note make_note(feeder *f, uint32_t path)
{
    const descriptors *known = program_descriptors(f->app);
    const replay_script *script = scripts_path(f->paths, path);
    const descriptor_function *of = &known->function[script->function];
    path_cost cost = costs_of(f->costs, path);
    bool probes = f->choice.with_probes && cost.most_all;
    path_note note = {.least = probes ? cost.least_all : cost.least, .estimated = cost.estimated, .span = script->span};
    note.more = (probes ? cost.most_all : cost.most) - note.least;
    note.rare = probes ? cost.rare_all : cost.rare;
    for (uint32_t i = script->before_count; i < script->count; i++) {
        if (script->items[i].kind != REPLAY_BLOCK)
            continue;
        const descriptor_block *block = &of->block[script->items[i].id - of->block_base];
        note.call = place_of(block);
        note.stays = block->flags & DESCRIPTOR_BLOCK_NORETURN;
    }
    return note;
}

static path_note *note_of(feeder *f, uint32_t path)
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

static open_paths *open_of(feeder *f, uint32_t context)
{
    f->open = by_context(f->open, &f->open_count, &f->open_max, sizeof *f->open, context, &f->open_last);
    return &f->open[f->open_last];
}

static void open_push(open_paths *o)
{
    o->path = memory_room(o->path, o->depth, &o->max, sizeof *o->path);
    o->path[o->depth++] = FUNCTIONS_NONE;
}

/* An activation ends. One that a longjmp unwinds has executed instructions after its last path, up to the call. */
static void leave(feeder *f, const replay_event *event)
{
    open_paths *o = open_of(f, event->context);
    uint32_t path = o->depth ? o->path[--o->depth] : FUNCTIONS_NONE;
    uint32_t lead = 0;
    if (event->unwound && path != FUNCTIONS_NONE && !f->time)
        lead = costs_lead(f->costs, path, f->choice.with_probes);
    if (lead) {
        functions_resume(f->all, event->context, event->function);
        functions_spend(f->all, event->context, lead, 0, false);
        note_of(f, path)->cost += lead;
    }
    if (event->unwound || !f->last || !f->last->stays)
        functions_leave(f->all, event->context, event->function);
}

static void add_path(feeder *f, const replay_event *event)
{
    path_note *note = note_of(f, event->id);
    uint64_t cost = f->time ? f->took : note->least, more = f->time ? 0 : note->more;
    bool estimated = f->time ? timeline_shared(f->time) : note->estimated;
    note->count++;
    if (!f->time && note->count % RARE == 0)
        more += note->rare;
    note->cost += cost;
    f->last = note;
    if (note->span) {
        const replay_script *script = scripts_path(f->paths, event->id);
        functions_flat(f->all, event->context, event->function, script->entry, cost, more, estimated);
        return;
    }
    open_paths *o = open_of(f, event->context);
    if (!o->depth)
        open_push(o);
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
        open_push(open_of(f, event->context));
        functions_enter(f->all, event->context, event->function);
    } else if (event->kind == REPLAY_EXIT && !is_span(f, event->function)) {
        leave(f, event);
    }
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

/* ---- which functions ran ---- */

typedef struct searching {
    const feeder *f;
    size_t parts;
    bool **ran; /* by part, then by function */
} searching;

static void search_part(void *own, size_t number)
{
    const searching *s = own;
    const descriptors *known = program_descriptors(s->f->app);
    size_t frames = container_frame_count(s->f->file);
    control *events = control_open_range(s->f->file, threads_first(frames, s->parts, number),
                                         threads_first(frames, s->parts, number + 1));
    for (control_event event; control_next(events, &event);) {
        const descriptor_function *of = event.kind == CONTROL_PATH ? descriptors_of_path(known, event.path) : NULL;
        if (of)
            s->ran[number][of - known->function] = true;
    }
    control_close(events);
}

/* Machine code takes most of the time of short recordings, and one function needs nothing of another. So the code of
 * all that ran is understood first, on all cores. */
static void prepare_costs(const feeder *f)
{
    size_t count = program_descriptors(f->app)->count;
    searching s = {.f = f, .parts = threads_parts(container_frame_count(f->file))};
    if (threads_count() == 1)
        return;
    s.ran = memory_zero(s.parts, sizeof *s.ran);
    for (size_t i = 0; i < s.parts; i++)
        s.ran[i] = memory_zero(count + 1, sizeof **s.ran);
    threads_run(s.parts, search_part, &s);
    for (size_t i = 1; i < s.parts; i++) {
        for (size_t k = 0; k < count; k++)
            s.ran[0][k] |= s.ran[i][k];
        free(s.ran[i]);
    }
    costs_prepare(f->costs, s.ran[0]);
    free(s.ran[0]);
    free(s.ran);
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
    if (to->f->time)
        tell_time(to->f, event);
    if (!is_chosen(to->f, event))
        return;
    add_event(to->f, event);
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
static void replay_for(feeder *f, const functions_watch *watch, replay_totals *totals)
{
    feeding to = {f, watch, 0};
    const replay_taker taker = {&to, take, REPLAY_KIND(REPLAY_CONTEXT)};
    if (watch || functions_listened(f->all) || functions_wants_accesses(f->all))
        replay_each(f, &to, totals);
    else
        replay_all(f->file, (replay_model){f->paths, scripts_model}, scripts_needs(f->paths), &taker, totals);
    progress_end();
}

/* Feeds with what is known of the program. */
static const char *feed(feeder *f, const functions_watch *watch)
{
    static char message[400];
    replay_totals totals;
    prepare_costs(f);
    f->time = f->choice.clocked ? timeline_open(f->file, f->costs) : NULL;
    if (f->time)
        functions_clock(f->all, 0);
    replay_for(f, watch, &totals);
    f->seen->unresolved += totals.unresolved;
    f->seen->unknown += totals.accesses.unknown;
    f->seen->estimated += f->all->estimated;
    snprintf(message, sizeof message, "%s", totals.error);
    for (uint32_t i = 0; i < f->note_count; i++)
        functions_share(f->all, f->app, f->numbers.values[i], f->notes[i].cost);
    f->all->lines_shared = true;
    list_paths(f);
    numbering_free(&f->numbers);
    timeline_close(f->time);
    for (size_t i = 0; i < f->open_count; i++)
        free(f->open[i].path);
    free(f->open);
    free(f->notes);
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
