/* SPDX-License-Identifier: MIT */
#include "tools/weft/derived.h"

#include <limits.h>
#include <stdio.h>

#include "tools/lib/recording/replay.h"
#include "tools/lib/recording/script.h"

static bool count_all(const container *file, const program *app, derived_counts *counts, char *message,
                      size_t message_size)
{
    scripts *paths = scripts_open(app);
    replay *events = replay_open(file, (replay_model){paths, scripts_model});
    replay_event event;
    replay_leave_out(events, UINT_MAX);
    while (replay_next(events, &event))
        continue;
    const replay_accesses all = replay_accesses_of(events);
    counts->recorded = all.recorded;
    counts->derived = all.derived;
    counts->unknown = all.unknown;
    const char *error = replay_error(events);
    if (error)
        snprintf(message, message_size, "%s: %s", container_path(file), error);
    replay_close(events);
    scripts_close(paths);
    return !error;
}

bool derived_count(const container *file, const program *app, derived_counts *counts, char *message,
                   size_t message_size)
{
    *counts = (derived_counts){0};
    const descriptors *all = program_descriptors(app);
    for (size_t i = 0; i < all->count; i++)
        counts->counted_loops |= (all->function[i].flags & DESCRIPTOR_COUNTED) != 0;
    return count_all(file, app, counts, message, message_size);
}
