/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/execution_full.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/recording/full.h"

typedef struct feeder {
    execution *run;
    uint32_t *number; /* in the execution, by the recording's number of the static instruction */
    size_t count, max;
} feeder;

/* False: the image has another instruction there. */
static bool add_static(feeder *f, const full_instruction *i)
{
    uint32_t number = execution_instruction(f->run, i->pc, i->bytes, i->size, i->condition);
    f->number = memory_room(f->number, f->count, &f->max, sizeof *f->number);
    f->number[f->count++] = number;
    return number != EXECUTION_NONE;
}

static void add_exception(feeder *f, const full_event *event)
{
    const execution_exception exception = {event->to, event->entry, full_is_chained(event, execution_frame(f->run)),
                                           event->frame, event->registers[13]};
    execution_exception_at(f->run, &exception);
}

/* The stack pointer is written: values stand in the order of the mask's bits. */
static void add_stack(feeder *f, const full_event *event)
{
    unsigned before = (unsigned)__builtin_popcountll(event->written & (FULL_REGISTER(13) - 1));
    execution_stack(f->run, event->values[before]);
}

static bool add_event(feeder *f, const full_event *event)
{
    if (event->kind == FULL_EXCEPTION) {
        add_exception(f, event);
        return true;
    }
    const full_instruction *i = event->instruction;
    if (i->number >= f->count && !add_static(f, i))
        return false;
    execution_step(f->run, f->number[i->number], event->passed);
    if (event->written & FULL_REGISTER(13))
        add_stack(f, event);
    for (uint32_t a = 0; a < event->access_count; a++)
        execution_access(f->run, event->accesses[a].address, event->accesses[a].size, event->accesses[a].store);
    return true;
}

bool execution_full(execution *run, const char *path, bool *cut, char *message, size_t message_size)
{
    static full_event event;
    feeder f = {.run = run};
    bool good = true;
    full_reader *reader = full_open(path, message, message_size);
    if (!reader)
        return false;
    execution_restart(run);
    while (good && full_next(reader, &event) > 0) {
        good = add_event(&f, &event);
        if (!good)
            snprintf(message, message_size,
                     "'%s' is not the program that was recorded: that had another instruction at 0x%08x", run->im->path,
                     (unsigned)event.instruction->pc);
        if (event.time % 1048576 == 0)
            progress_show(event.time, "instructions");
    }
    progress_end();
    *cut = good && full_error(reader);
    if (*cut)
        snprintf(message, message_size, "%s", full_error(reader));
    full_close(reader);
    free(f.number);
    return good;
}
