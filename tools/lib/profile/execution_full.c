/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/execution_full.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/recording/full.h"

enum { EVENTS = 4096 }; /* added at a time */

struct execution_full {
    execution *run;
    full_reader *reader;
    full_event event;
    uint32_t *number; /* in the execution, by the recording's number of the static instruction */
    size_t count, max;
};

/* False: the image has another instruction there. */
static bool add_static(execution_full *f, const full_instruction *i)
{
    uint32_t number = execution_instruction(f->run, i->pc, i->bytes, i->size, i->condition);
    f->number = memory_room(f->number, f->count, &f->max, sizeof *f->number);
    f->number[f->count++] = number;
    return number != EXECUTION_NONE;
}

static void add_exception(execution_full *f, const full_event *event)
{
    const who_exception exception = {event->to, event->frame, event->entry,
                                     full_is_chained(event, execution_frame(f->run))};
    execution_exception(f->run, &exception, event->registers[13]);
}

/* The stack pointer is written: values stand in the order of the mask's bits. */
static void add_stack(execution_full *f, const full_event *event)
{
    unsigned before = (unsigned)__builtin_popcountll(event->written & (FULL_REGISTER(13) - 1));
    execution_stack(f->run, event->values[before]);
}

static bool add_event(execution_full *f, const full_event *event)
{
    if (event->kind == FULL_EXCEPTION) {
        add_exception(f, event);
        return true;
    }
    const full_instruction *i = event->instruction;
    if (i->number >= f->count) {
        full_compare(execution_compared(f->run), event);
        if (!add_static(f, i))
            return false;
    }
    execution_step(f->run, f->number[i->number], event->passed);
    if (event->written & FULL_REGISTER(13))
        add_stack(f, event);
    for (uint32_t a = 0; a < event->access_count; a++)
        execution_access(f->run, event->accesses[a].address, event->accesses[a].size, event->accesses[a].store);
    return true;
}

execution_full *execution_full_open(execution *run, const char *path, char *message, size_t message_size)
{
    full_reader *reader = full_open(path, message, message_size);
    if (!reader)
        return NULL;
    execution_full *f = memory_zero(1, sizeof *f);
    f->run = run;
    f->reader = reader;
    execution_restart(run);
    return f;
}

execution_fed execution_full_next(execution_full *f, char *message, size_t message_size)
{
    for (unsigned i = 0; i < EVENTS; i++) {
        if (full_next(f->reader, &f->event) <= 0) {
            const char *error = full_error(f->reader);
            if (!execution_fits(f->run, message, message_size))
                return EXECUTION_WRONG;
            if (error)
                snprintf(message, message_size, "%s", error);
            return error ? EXECUTION_CUT : EXECUTION_END;
        }
        if (!add_event(f, &f->event)) {
            execution_fits(f->run, message, message_size);
            return EXECUTION_WRONG;
        }
    }
    progress_show(f->event.time, "instructions");
    return EXECUTION_MORE;
}

void execution_full_close(execution_full *f)
{
    if (!f)
        return;
    progress_end();
    full_close(f->reader);
    free(f->number);
    free(f);
}
