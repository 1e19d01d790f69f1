/* SPDX-License-Identifier: MIT */
/* In rounds, on batches of ranges of frames. In each round,
 *   1  part 0 walks over the control stream of the next batch: a *light* replay, which reads no address and no value.
 *      It gives the events to the taker, and notes where each range begins: the open activations of each context, and
 *      how far each is in its path
 *   2  the other parts replay the ranges of the batch that was walked over in the round before, whole. That checks the
 *      ranges, and counts their accesses. The order of these is that of the paths, so a range needs to know of earlier
 *      ones only how its paths begin, and which bases of open activations are known
 *   3  after the round, its ranges are put together in order. Where a range began with a guess of what is known, and
 *      that was wrong, it is replayed again
 *
 * Where a program has paths alone, the light replay checks as much as the other. So if events are wanted, there is no
 * other one. If none are, no range needs to know of another, and step 1 only divides the frames.
 *
 * Which activation goes on after a longjmp may depend on a recorded address (replay_script's `frames`): then, and with
 * one thread, there is one replay of all. */
#include "tools/lib/recording/replay_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/recording/replay_parts.h"

enum {
    LIGHT = REPLAY_KIND(REPLAY_BLOCK) | REPLAY_KIND(REPLAY_ACCESS) | REPLAY_KIND(REPLAY_VALUE),
    RANGE = 32, /* frames : 1 to 10^6 : fewer: ranges cost more to begin; more: threads wait longer for each other */
    PER_THREAD = 4, /* ranges of a batch : 1 to 1000 : likewise */
};

typedef struct range {
    size_t first, end; /* frames */
    /* where it begins: */
    uint32_t recording, restarts, context_reported;
    bool fresh, context_any;
    weft_counts expected;
    context_list contexts;
    /* after it was replayed: */
    context_list after;
    report_guess *guess;
    size_t guess_count;
    replay_totals totals;
} range;

typedef struct batch {
    range *all;
    size_t count;
} batch;

typedef struct running {
    const container *file;
    replay_model model;
    const replay_taker *taker;
    replay *light; /* stands where `next` begins */
    bool alone;    /* ranges need nothing of others */
    batch *next, *now;
    size_t frames, most; /* of a range; ranges of a batch */
    context_list before; /* where the batch `now` begins, with all bases */
    replay_totals *totals;
} running;

/* ---- step 1 ---- */

static void note_begin(range *at, const replay *r)
{
    *at = (range){.first = r->next_frame,
                  .recording = r->recording,
                  .restarts = r->restarts,
                  .context_reported = r->context_reported,
                  .fresh = r->report.fresh,
                  .context_any = r->context_any,
                  .expected = r->expected};
    contexts_copy(&at->contexts, &r->contexts);
}

static void walk(running *all)
{
    replay *r = all->light;
    size_t count = container_frame_count(all->file);
    contexts_keep(&r->contexts);
    for (all->next->count = 0; all->next->count < all->most && r->next_frame < count && !r->error[0];) {
        range *at = &all->next->all[all->next->count++];
        note_begin(at, r);
        r->end = at->end = count - r->next_frame < all->frames ? count : r->next_frame + all->frames;
        for (replay_event event; !all->alone && replay_next(r, &event);)
            if (all->taker->take)
                all->taker->take(all->taker->own, &event);
        r->next_frame = at->end;
    }
}

/* ---- step 2 ---- */

/* `exact`: the range before it ended at `before`. Else that is where an earlier range ended, before its batch. */
static void replay_range(const running *all, range *at, bool exact)
{
    replay *r = replay_open(all->file, all->model);
    replay_leave_out(r, UINT32_MAX);
    r->next_frame = at->first;
    r->end = at->end;
    r->recording = at->recording;
    r->restarts = at->restarts;
    r->context_reported = at->context_reported;
    r->context_any = at->context_any;
    r->report.fresh = at->fresh;
    r->expected = at->expected;
    contexts_copy(&r->contexts, &at->contexts);
    (exact ? contexts_carry : contexts_guess)(&r->contexts, &all->before);
    for (replay_event event; replay_next(r, &event);)
        continue;
    at->after = r->contexts;
    at->guess = r->report.guess;
    at->guess_count = r->report.guess_count;
    r->contexts = (context_list){0};
    r->report.guess = NULL;
    at->totals = (replay_totals){.accesses = r->report.accesses, .unresolved = r->unresolved};
    memcpy(at->totals.error, r->error, sizeof at->totals.error);
    replay_close(r);
}

static void work(void *own, size_t part)
{
    running *all = own;
    if (part)
        replay_range(all, &all->now->all[part - 1], part == 1);
    else
        walk(all);
}

/* ---- step 3 ---- */

static void forget_result(range *at)
{
    contexts_free(&at->after);
    free(at->guess);
    at->after = (context_list){0};
    at->guess = NULL;
    at->guess_count = 0;
}

static bool guessed_right(const range *at, const context_list *before)
{
    bool right = true;
    for (size_t i = 0; right && i < at->guess_count; i++) {
        const report_guess *g = &at->guess[i];
        right = contexts_known(before, g->context, g->depth, g->group) == g->known;
    }
    return right;
}

static void fail(replay_totals *totals, const char *why)
{
    snprintf(totals->error, sizeof totals->error, "%s", why);
}

/* `next`: the range after it; NULL: there is none. False: there is an error. */
static bool put_together(running *all, range *at, const range *next)
{
    replay_totals *totals = all->totals;
    if (!all->alone && !guessed_right(at, &all->before)) {
        forget_result(at);
        replay_range(all, at, true);
    }
    contexts_settle(&at->after, &all->before);
    totals->unresolved += at->totals.unresolved;
    totals->accesses.recorded += at->totals.accesses.recorded;
    totals->accesses.derived += at->totals.accesses.derived;
    totals->accesses.unknown += at->totals.accesses.unknown;
    if (at->totals.error[0])
        fail(totals, at->totals.error);
    else if (next && !all->alone && !contexts_equal(&at->after, &next->contexts))
        fail(totals, "ranges of the recording do not fit together; try --threads 1");
    else if (!next)
        fail(totals, all->light->error);
    contexts_free(&all->before);
    all->before = at->after;
    at->after = (context_list){0};
    return !totals->error[0];
}

static bool put_all_together(running *all)
{
    bool good = true;
    batch *now = all->now, *next = all->next;
    for (size_t i = 0; i < now->count; i++) {
        const range *after = i + 1 < now->count ? &now->all[i + 1] : next->count ? next->all : NULL;
        good = good && put_together(all, &now->all[i], after);
        forget_result(&now->all[i]);
        contexts_free(&now->all[i].contexts);
    }
    now->count = 0;
    return good;
}

static void run(running *all)
{
    bool good;
    do {
        threads_run(1 + all->now->count, work, all);
        good = put_all_together(all);
        batch *done = all->now;
        all->now = all->next;
        all->next = done;
    } while (good && all->now->count);
    for (size_t i = 0; i < all->now->count; i++)
        contexts_free(&all->now->all[i].contexts);
}

static void run_in_ranges(running *all)
{
    batch one = {0}, other = {0};
    size_t count = container_frame_count(all->file);
    all->most = PER_THREAD * threads_count();
    all->frames = count / (2 * all->most) + 1;
    all->frames = all->frames < RANGE ? all->frames : RANGE;
    one.all = memory_zero(all->most, sizeof *one.all);
    other.all = memory_zero(all->most, sizeof *other.all);
    all->now = &one;
    all->next = &other;
    all->light->report.light = true;
    run(all);
    contexts_free(&all->before);
    free(one.all);
    free(other.all);
}

static void run_as_one(running *all)
{
    replay *r = all->light;
    for (replay_event event; replay_next(r, &event);)
        if (all->taker->take)
            all->taker->take(all->taker->own, &event);
    *all->totals = (replay_totals){.unresolved = r->unresolved, .accesses = r->report.accesses};
    fail(all->totals, r->error);
}

static void open_light(running *all)
{
    const replay_taker *taker = all->taker;
    replay_close(all->light);
    all->light = replay_open(all->file, all->model);
    replay_leave_out(all->light, taker->take ? taker->left_out | LIGHT : UINT32_MAX);
}

void replay_all(const container *file, replay_model model, replay_needs needs, const replay_taker *taker,
                replay_totals *totals)
{
    running all = {.file = file, .model = model, .taker = taker, .totals = totals, .alone = !needs.memory};
    bool one = threads_count() == 1 || needs.frames || (all.alone && taker->take);
    *totals = (replay_totals){0};
    open_light(&all);
    if (!one)
        run_in_ranges(&all);
    if (!one && all.alone && totals->error[0]) {
        /* Replays all from the start: the message names the first thing that does not fit, and may need what came
         * before. */
        open_light(&all);
        one = true;
    }
    if (one)
        run_as_one(&all);
    replay_close(all.light);
}
