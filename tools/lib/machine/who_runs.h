/* SPDX-License-Identifier: MIT */
/* Which context runs after each exception of a run: thread mode (0), an exception's number, a thread (threads.h).
 * Handlers nest, and one may start in place of another; both is followed here, and nowhere else.
 *
 *     who_runs who = {0};
 *     while (full_next(reader, &event) > 0)
 *         if (event.kind == FULL_EXCEPTION)
 *             who_runs_event(&who, &event);        now who.context runs
 *     who_runs_free(&who); */
#ifndef WEFT_TOOLS_LIB_MACHINE_WHO_RUNS_H
#define WEFT_TOOLS_LIB_MACHINE_WHO_RUNS_H

#include "tools/lib/machine/threads.h"
#include "tools/lib/recording/full.h"

enum {
    WHO_NESTED_MAX = 512
}; /* handlers that can be active at once: as many as there are priorities. Later ones are dropped */

typedef struct who_exception {
    uint32_t to; /* the number of the handler that starts, or that goes on; 0: thread mode goes on */
    uint32_t
        frame;    /* where the core stored the registers, or loads them. 0 of a return: `to` is the thread's context */
    bool entry;   /* a handler starts; else the innermost one has ended */
    bool chained; /* of an entry: it starts in place of the innermost one, which has ended */
} who_exception;

/* A handler that runs or is interrupted, and where the core stored the registers for it. */
typedef struct who_handler {
    uint32_t number, frame;
} who_handler;

/* All zero: thread mode runs, from reset. */
typedef struct who_runs {
    uint32_t context;                   /* that runs */
    uint32_t thread;                    /* the context of the thread that runs or is interrupted */
    who_handler active[WHO_NESTED_MAX]; /* the innermost last */
    uint32_t depth;
    threads_known threads;
} who_runs;

/* The frame of the innermost handler; 0: none runs. */
static inline uint32_t who_runs_frame(const who_runs *who)
{
    return who->depth ? who->active[who->depth - 1].frame : 0;
}

/* Whether this event is an entry in place of the innermost handler. */
static inline bool who_runs_is_chained(const who_runs *who, const full_event *event)
{
    return who->depth && full_is_chained(event, who_runs_frame(who));
}

void who_runs_exception(who_runs *who, const who_exception *e);
/* The same of an event of a full recording. */
void who_runs_event(who_runs *who, const full_event *event);
/* It may be used again: thread mode runs. */
void who_runs_free(who_runs *who);

#endif
