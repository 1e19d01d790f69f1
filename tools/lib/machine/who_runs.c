/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/who_runs.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

/* The innermost handler ends; `frame` is loaded by it, or by the one that takes its place. */
static void leave(who_runs *who, uint32_t frame)
{
    if (!who->depth)
        return;
    uint32_t stopped = who->active[--who->depth].frame;
    who->context = who->depth ? who->active[who->depth - 1].number
                              : threads_context(threads_resume(&who->threads, stopped, frame));
}

void who_runs_exception(who_runs *who, const full_event *event)
{
    uint32_t frame = event->frame;
    bool chained = who->depth && full_is_chained(event, who->active[who->depth - 1].frame);
    if (chained && who->depth == 1)
        frame = threads_chained(&who->threads, who->active[0].frame, frame);
    if (!event->entry || chained)
        leave(who, frame);
    if (!event->entry)
        return;
    who->active = memory_room(who->active, who->depth, &who->max, sizeof *who->active);
    who->active[who->depth++] = (who_handler){event->to, frame};
    who->context = event->to;
}

void who_runs_free(who_runs *who)
{
    threads_free(&who->threads);
    free(who->active);
}
