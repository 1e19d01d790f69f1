/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/functions_ranges.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/machine/decode.h"
#include "tools/lib/profile/functions_stand.h"

typedef struct range {
    const functions_effect *effect;
    functions_stand begins, ends;
    feeder f; /* after its replay */
    functions_seen seen;
    replay_totals totals;
} range;

typedef struct running {
    feeder *whole;
    range *all;
    size_t count;
    pthread_mutex_t asking;
} running;

static feeder feeder_of(running *all, functions_seen *seen)
{
    const feeder *f = all->whole;
    return (feeder){.all = functions_part_new(f->all),
                    .app = f->app,
                    .choice = f->choice,
                    .seen = seen,
                    .paths = f->paths,
                    .costs = f->costs,
                    .file = f->file,
                    .whole = f,
                    .asking = &all->asking};
}

static void free_feeder(feeder *f)
{
    functions_free(f->all);
    functions_feeder_free(f);
}

/* ---- step 2 ---- */

/* The same as the range does. */
static bool pass(const functions_effect *effect, replay *r, feeder *f)
{
    bool good = true;
    replay_event event;
    if (effect->reset)
        replay_pass_gap(r);
    for (size_t i = 0; i < effect->count; i++) {
        const effect_context *c = &effect->all[i];
        for (size_t k = 0; good && k < c->count; k++) {
            const effect_call *call = &c->calls[k];
            if (call->first != FUNCTIONS_NONE && call->first != call->last)
                good = replay_pass_path(r, c->context, call->first);
            good = good && replay_pass_path(r, c->context, call->last);
            while (replay_pending(r, &event))
                (void)functions_take(f, &event);
        }
    }
    return good;
}

static bool find_begins(running *all)
{
    functions_seen nothing = {0};
    feeder f = feeder_of(all, &nothing);
    const feeder *whole = all->whole;
    replay *r = replay_open_range(whole->file, (replay_model){whole->paths, scripts_model}, 0, 0);
    replay_leave_out(r, REPLAY_KIND(REPLAY_BLOCK) | REPLAY_KIND(REPLAY_CONTEXT));
    f.stacks_only = true;
    bool good = true;
    for (size_t i = 0; good && i < all->count; i++) {
        all->all[i].begins = functions_stand_of(r, &f);
        good = pass(all->all[i].effect, r, &f);
    }
    replay_close(r);
    free_feeder(&f);
    return good;
}

/* ---- step 3 ---- */

static void replay_one(running *all, range *at)
{
    const feeder *whole = all->whole;
    replay *r =
        replay_open_range(whole->file, (replay_model){whole->paths, scripts_model}, at->effect->first, at->effect->end);
    replay_leave_out(r, REPLAY_KIND(REPLAY_BLOCK) | REPLAY_KIND(REPLAY_CONTEXT) | REPLAY_KIND(REPLAY_MARK));
    at->seen = (functions_seen){0};
    at->f = feeder_of(all, &at->seen);
    functions_stand_begin(&at->begins, r, &at->f);
    for (replay_event event; replay_next(r, &event);)
        (void)functions_take(&at->f, &event);
    at->ends = functions_stand_of(r, &at->f);
    at->totals = (replay_totals){.unresolved = replay_unresolved(r), .accesses = replay_accesses_of(r)};
    snprintf(at->totals.error, sizeof at->totals.error, "%s", replay_error(r) ? replay_error(r) : "");
    replay_close(r);
}

static void replay_part(void *own, size_t number)
{
    running *all = own;
    replay_one(all, &all->all[number]);
    if (number)
        thumb_decode_end(); /* costs_lead may have decoded, in a thread that ends soon */
}

/* ---- step 4 ---- */

/* Replays a range again where it did not begin as the one before it ended. */
static void mend(running *all, size_t i)
{
    range *before = &all->all[i - 1], *at = &all->all[i];
    if (functions_stand_equal(&before->ends, &at->begins))
        return;
    free_feeder(&at->f);
    functions_stand_free(&at->begins);
    functions_stand_free(&at->ends);
    at->begins = before->ends;
    before->ends = (functions_stand){0};
    replay_one(all, at);
}

/* False: there is an error, or there are too many chains. */
static bool is_good(running *all)
{
    size_t chains = all->whole->all->node_count;
    for (size_t i = 0; i < all->count; i++) {
        if (i && !all->all[i - 1].totals.error[0])
            mend(all, i);
        if (all->all[i].totals.error[0])
            return false;
        chains += all->all[i].f.all->node_count;
    }
    return chains < FUNCTIONS_CHAINS_MAX;
}

static void add(feeder *to, range *at, replay_totals *totals)
{
    functions_add_part(to->all, at->f.all);
    for (size_t i = 0; i < at->f.note_count; i++) {
        cost_note *note = functions_note_of(to, at->f.numbers.values[i]);
        note->count += at->f.notes[i].count;
        note->cost += at->f.notes[i].cost;
    }
    to->seen->gaps += at->seen.gaps;
    to->seen->lost += at->seen.lost;
    totals->unresolved += at->totals.unresolved;
    totals->accesses.recorded += at->totals.accesses.recorded;
    totals->accesses.derived += at->totals.accesses.derived;
    totals->accesses.unknown += at->totals.accesses.unknown;
}

/* What some executions of a path may take more depends on how many there are. */
static void add_rare(feeder *f)
{
    for (size_t i = 0; i < f->note_count; i++) {
        uint64_t more = f->notes[i].count / FUNCTIONS_RARE * f->notes[i].rare;
        f->all->all[scripts_path(f->paths, f->numbers.values[i])->function].more += more;
        f->all->more += more;
    }
}

static bool run(running *all, replay_totals *totals)
{
    if (!find_begins(all))
        return false;
    threads_run(all->count, replay_part, all);
    bool good = is_good(all);
    *totals = (replay_totals){0};
    for (size_t i = 0; i < all->count; i++) {
        if (good)
            add(all->whole, &all->all[i], totals);
        free_feeder(&all->all[i].f);
    }
    if (good)
        add_rare(all->whole);
    return good;
}

/* In the order in which a replay of all would need them. False: some path is of no function. */
static bool make_notes(feeder *f, const functions_effects *effects)
{
    for (size_t i = 0; i < effects->count; i++) {
        const functions_effect *e = &effects->all[i];
        if (e->wrong)
            return false;
        for (size_t k = 0; k < e->noted_count; k++)
            (void)functions_note_of(f, e->noted[k]);
    }
    return true;
}

bool functions_feed_ranges(feeder *f, const functions_effects *effects, replay_totals *totals)
{
    replay_needs needs = scripts_needs(f->paths);
    if (!effects || effects->count < 2 || f->time || needs.memory || needs.frames || !make_notes(f, effects))
        return false;
    running all = {.whole = f, .count = effects->count, .all = memory_zero(effects->count, sizeof *all.all)};
    pthread_mutex_init(&all.asking, NULL);
    for (size_t i = 0; i < all.count; i++)
        all.all[i].effect = &effects->all[i];
    bool good = run(&all, totals);
    for (size_t i = 0; i < all.count; i++) {
        functions_stand_free(&all.all[i].begins);
        functions_stand_free(&all.all[i].ends);
    }
    free(all.all);
    pthread_mutex_destroy(&all.asking);
    return good;
}
