/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/who_runs.h"

/* Thread mode goes on, or will when the handler has ended that starts now. `stopped`: where the registers of the thread
 * that ran are. */
static void resume(who_runs *who, uint32_t stopped, uint32_t frame)
{
    who->context = who->thread = threads_context(threads_resume(&who->threads, stopped, frame));
}

/* Handlers above the one that goes on have ended too: only a recording that lacks something has them. */
static void leave(who_runs *who, const who_exception *e)
{
    uint32_t stopped = who->depth ? who->active[0].frame : e->frame;
    if (who->depth)
        who->depth--;
    while (who->depth && who->active[who->depth - 1].number != e->to)
        who->depth--;
    if (who->depth)
        who->context = e->to;
    else if (e->frame)
        resume(who, stopped, e->frame);
    else
        who->context = who->thread = e->to;
}

/* Gives the frame of the handler that starts in place of the innermost one. */
static uint32_t replace(who_runs *who, uint32_t frame)
{
    if (--who->depth)
        return frame;
    uint32_t stopped = who->active[0].frame;
    frame = threads_chained(&who->threads, stopped, frame);
    resume(who, stopped, frame);
    return frame;
}

void who_runs_exception(who_runs *who, const who_exception *e)
{
    if (!e->entry) {
        leave(who, e);
        return;
    }
    uint32_t frame = e->chained && who->depth ? replace(who, e->frame) : e->frame;
    if (who->depth < WHO_NESTED_MAX)
        who->active[who->depth++] = (who_handler){e->to, frame};
    who->context = e->to;
}

void who_runs_event(who_runs *who, const full_event *event)
{
    const who_exception e = {event->to, event->frame, event->entry, who_runs_is_chained(who, event)};
    who_runs_exception(who, &e);
}

void who_runs_free(who_runs *who)
{
    threads_free(&who->threads);
    *who = (who_runs){0};
}
