/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/timeline.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/recording/by_context.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/times.h"

#define NO_FRAME UINT64_MAX
__extension__ typedef unsigned __int128 wide;

/* Time that a context has run without ending a path. */
typedef struct debt {
    uint32_t context; /* first: by_context */
    uint64_t time;
} debt;

typedef struct path_weight {
    uint32_t weight;
    bool estimated;
} path_weight;

struct timeline {
    path_costs *costs;
    numbering numbers;
    path_weight *weights; /* by number of the path */
    size_t weight_count, weight_max;
    control *ahead;
    control_event event; /* the next one, if `held` */
    bool held;
    times_base base;
    uint64_t frame, closed;    /* where the reading ahead is, and when that one was closed, in ticks */
    bool closing;              /* it has ended */
    uint32_t context, running; /* of the last event; of the fixed point that the segment begins with */
    uint64_t from, to;         /* the segment's fixed points */
    uint64_t paths, weight;    /* that end in it: not reported yet; of all of them */
    uint64_t told, at;         /* of the weight; when the last path ended, or the segment began */
    bool guessed;              /* part of the weight is an estimate */
    bool estimated;            /* so is `now`, of the last path */
    bool shared;               /* or when it began */
    uint64_t now;
    debt *debts;
    size_t debt_count, debt_max, debt_last; /* debt_last: the one used last */
};

timeline *timeline_open(const container *file, path_costs *costs)
{
    times_base base = times_base_of(file);
    if (!base.hz)
        return NULL;
    timeline *t = memory_zero(1, sizeof *t);
    t->costs = costs;
    t->base = base;
    t->frame = NO_FRAME;
    t->ahead = control_open(file);
    return t;
}

void timeline_close(timeline *t)
{
    if (!t)
        return;
    control_close(t->ahead);
    numbering_free(&t->numbers);
    free(t->weights);
    free(t->debts);
    free(t);
}

uint64_t timeline_now(const timeline *t)
{
    return t->now;
}

bool timeline_estimated(const timeline *t)
{
    return t->estimated;
}

bool timeline_shared(const timeline *t)
{
    return t->shared;
}

/* Instructions of a path, with those of its probes: all of them take time. */
static path_weight weight_of(timeline *t, uint32_t path)
{
    uint32_t number = numbering_of(&t->numbers, path);
    if (number == t->weight_count) {
        path_cost cost = costs_of(t->costs, path);
        t->weights = memory_room(t->weights, t->weight_count, &t->weight_max, sizeof *t->weights);
        t->weights[t->weight_count++] =
            (path_weight){(cost.most_all ? cost.least_all : cost.least) + 1, cost.estimated};
    }
    return t->weights[number];
}

static uint64_t *debt_of(timeline *t, uint32_t context)
{
    t->debts = by_context(t->debts, &t->debt_count, &t->debt_max, sizeof *t->debts, context, &t->debt_last);
    return &t->debts[t->debt_last].time;
}

/* No path ended in the segment, which ends in `context`: a thread that a handler interrupted, or that goes on after it,
 * has run. */
static void note_debt(timeline *t, uint32_t context)
{
    uint64_t time = t->to - t->from;
    if (t->running == context || (vectors_is_handler(context) && !vectors_is_handler(t->running)))
        *debt_of(t, t->running) += time;
    else if (vectors_is_handler(t->running) && !vectors_is_handler(context))
        *debt_of(t, context) += time;
}

/* A fixed point ends the segment. False: no path ended in it, and the next one has begun. */
static bool fix(timeline *t, uint64_t ticks)
{
    uint64_t time = times_of(&t->base, ticks);
    t->to = time > t->from ? time : t->from;
    if (t->paths)
        return true;
    note_debt(t, t->context);
    t->from = t->at = t->to;
    t->running = t->context;
    return false;
}

static void begin_frame(timeline *t, uint64_t frame, const control_frame_times *times)
{
    t->frame = frame;
    t->closed = times->closed;
    t->closing = false;
    times_join(&t->base, t->event.recording, times->begun, t->to);
    uint64_t time = times_of(&t->base, times->begun);
    t->from = t->at = time > t->to ? time : t->to;
    t->context = t->running = t->event.context;
}

/* The event that was read begins another frame. True: a segment ends with the one before. */
static bool cross(timeline *t)
{
    control_frame_times times;
    uint64_t frame = control_frame(t->ahead, &times);
    if (frame == t->frame)
        return false;
    bool first = t->frame == NO_FRAME || t->closing;
    t->closing = true;
    if (!first && fix(t, t->closed))
        return true;
    begin_frame(t, frame, &times);
    return false;
}

/* Reads ahead to the next fixed point before which a path ended. */
static bool next_segment(timeline *t)
{
    t->from = t->at = t->to;
    t->running = t->context;
    t->weight = t->told = 0;
    t->guessed = false;
    while (t->held || control_next(t->ahead, &t->event)) {
        t->held = true;
        if (cross(t))
            return true;
        t->held = false;
        t->context = t->event.context;
        if (t->event.kind == CONTROL_PATH) {
            t->paths++;
            path_weight its = weight_of(t, t->event.path);
            t->weight += its.weight;
            t->guessed |= its.estimated;
        } else if (t->event.kind == CONTROL_MARK && t->event.mark->kind == WEFT_MARK_STAMP && fix(t, t->event.time)) {
            return true;
        }
    }
    return fix(t, t->closed);
}

/* The segment's time, in proportion to a part of its weight. */
static uint64_t part_of(const timeline *t, uint64_t weight)
{
    return (uint64_t)((wide)(t->to - t->from) * weight / t->weight);
}

uint64_t timeline_path(timeline *t, uint32_t path, uint32_t context)
{
    if (!t->paths && !next_segment(t))
        return 0;
    t->paths--;
    t->told += weight_of(t, path).weight;
    if (t->told > t->weight)
        t->told = t->weight; /* a file whose paths are not read in the same order */
    t->shared = t->estimated;
    t->estimated = t->guessed && t->paths;
    t->shared |= t->estimated;
    uint64_t end = t->paths ? t->from + part_of(t, t->told) : t->to;
    uint64_t *owed = debt_of(t, context), time = end - t->at + *owed;
    *owed = 0;
    t->at = end;
    if (end > t->now)
        t->now = end;
    return time;
}

void timeline_stamp(timeline *t, uint32_t recording, uint64_t ticks)
{
    uint64_t time = recording == t->base.recording ? times_of(&t->base, ticks) : 0;
    if (time > t->now)
        t->now = time;
}
