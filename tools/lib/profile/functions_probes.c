/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/functions_probes.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/profile/functions_feeder.h"
#include "tools/lib/profile/functions_ranges.h"
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
