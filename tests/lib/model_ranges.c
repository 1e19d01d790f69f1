/* SPDX-License-Identifier: MIT */
#include "tests/lib/model_ranges.h"

#include <stdio.h>
#include <string.h>

#include "tools/lib/base/threads.h"

enum { LEFT_OUT = REPLAY_KIND(REPLAY_BLOCK) | REPLAY_KIND(REPLAY_ACCESS) | REPLAY_KIND(REPLAY_VALUE) };

typedef struct other_side {
    replay *in_order;
    bool same;
} other_side;

static void compare(void *own, const replay_event *event)
{
    other_side *o = own;
    replay_event one;
    o->same = o->same && replay_next(o->in_order, &one) && one.kind == event->kind && one.id == event->id &&
              one.context == event->context && one.time == event->time && one.offset == event->offset &&
              one.recording == event->recording && one.paths == event->paths && one.accesses == event->accesses &&
              one.unwound == event->unwound && one.counted == event->counted;
}

static bool same_totals(const replay_totals *totals, const replay *in_order)
{
    const replay_accesses all = replay_accesses_of(in_order);
    const char *error = replay_error(in_order);
    return !strcmp(totals->error, error ? error : "") && (error || (!memcmp(&totals->accesses, &all, sizeof all) &&
                                                                    totals->unresolved == replay_unresolved(in_order)));
}

bool ranges_agree(const container *file, replay_model model)
{
    other_side other = {replay_open(file, model), true};
    const replay_taker taker = {&other, compare, 0};
    replay_totals totals;
    replay_event rest;
    threads_choose(3);
    replay_leave_out(other.in_order, LEFT_OUT);
    replay_all(file, model, (replay_needs){.memory = true}, &taker, &totals);
    while (replay_next(other.in_order, &rest)) /* an error may come before what the taker got */
        other.same &= totals.error[0] != 0;
    bool same = (other.same || totals.error[0]) && same_totals(&totals, other.in_order);
    replay_close(other.in_order);
    threads_choose(0);
    return same;
}
