/* SPDX-License-Identifier: MIT */
#include "tests/lib/naive_run.h"

#include <stdio.h>

#include "tools/lib/base/memory.h"

naive_event *naive_events;
size_t naive_event_count;
static size_t event_room;

static void keep_event(const full_event *e)
{
    naive_events = memory_room(naive_events, naive_event_count, &event_room, sizeof *naive_events);
    naive_events[naive_event_count++] = (naive_event){.e = *e};
}

bool naive_run_read(const char *full_path)
{
    char message[256];
    full_reader *in = full_open(full_path, message, sizeof message);
    static full_event e;
    if (!in) {
        printf("# %s\n", message);
        return false;
    }
    /* Static instructions live as long as the reader, so it stays open. */
    while (full_next(in, &e) > 0)
        keep_event(&e);
    return full_error(in) == NULL;
}
