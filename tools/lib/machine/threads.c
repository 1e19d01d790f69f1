/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/threads.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/vectors.h"

/* Takes the thread that waits at a frame off the list; a new one if none does. */
static uint32_t take(threads_known *t, uint32_t frame)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->waiting[i].frame == frame) {
            uint32_t found = t->waiting[i].thread;
            t->waiting[i] = t->waiting[--t->count];
            return found;
        }
    return ++t->begun;
}

/* The thread that runs waits at a frame. Another that waited there has ended: its stack was given to this one. */
static void leave_waiting(threads_known *t, uint32_t frame)
{
    size_t at = 0;
    while (at < t->count && t->waiting[at].frame != frame)
        at++;
    if (at == t->count)
        t->waiting = memory_room(t->waiting, t->count++, &t->max, sizeof *t->waiting);
    t->waiting[at].thread = t->running;
    t->waiting[at].frame = frame;
}

uint32_t threads_chained(const threads_known *t, uint32_t stopped, uint32_t frame)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->waiting[i].frame == frame)
            return frame;
    return stopped;
}

uint32_t threads_resume(threads_known *t, uint32_t stopped, uint32_t frame)
{
    if (stopped == frame)
        return t->running;
    uint32_t next = take(t, frame);
    leave_waiting(t, stopped);
    return t->running = next;
}

uint32_t threads_context(uint32_t thread)
{
    return thread ? VECTORS_THREAD + thread - 1 : 0;
}

void threads_free(threads_known *t)
{
    free(t->waiting);
    *t = (threads_known){0};
}
