/* SPDX-License-Identifier: MIT */
/* Which context each event of a full recording is of: thread mode (0), an exception's number, a thread (threads.h).
 *
 *     who_runs who = {0};
 *     while (full_next(reader, &event) > 0)
 *         if (event.kind == FULL_EXCEPTION)
 *             who_runs_exception(&who, &event);        now who.context runs
 *     who_runs_free(&who); */
#ifndef WEFT_TOOLS_LIB_MACHINE_WHO_RUNS_H
#define WEFT_TOOLS_LIB_MACHINE_WHO_RUNS_H

#include "tools/lib/machine/threads.h"
#include "tools/lib/recording/full.h"

/* A handler that runs or is interrupted, and where the core stored the registers for it. */
typedef struct who_handler {
    uint32_t number, frame;
} who_handler;

/* All zero: thread mode runs, from reset. */
typedef struct who_runs {
    uint32_t context;
    who_handler *active; /* the innermost last */
    size_t depth, max;
    threads_known threads;
} who_runs;

void who_runs_exception(who_runs *who, const full_event *event);
void who_runs_free(who_runs *who);

#endif
