/* SPDX-License-Identifier: MIT */
#include "tools/weft/derived.h"

#include <stdio.h>

#include "tools/lib/recording/replay.h"
#include "tools/lib/recording/script.h"

static bool count_all(const container *file, program *app, derived_counts *counts, char *message, size_t message_size)
{
    scripts *paths = scripts_open(app);
    replay *events = replay_open(file, (replay_model){paths, scripts_model});
    for (replay_event event; replay_next(events, &event);) {
        if (event.kind != REPLAY_ACCESS)
            continue;
        uint64_t *of = event.unknown ? &counts->unknown : event.derived ? &counts->derived : &counts->recorded;
        ++*of;
    }
    const char *error = replay_error(events);
    if (error)
        snprintf(message, message_size, "%s: %s", container_path(file), error);
    replay_close(events);
    scripts_close(paths);
    return !error;
}

bool derived_count(const container *file, const char *elf, derived_counts *counts, char *message, size_t message_size)
{
    program *app = program_open(elf, message, message_size);
    *counts = (derived_counts){0};
    bool good =
        app && program_fits(app, file, message, message_size) && count_all(file, app, counts, message, message_size);
    const descriptors *all = good ? program_descriptors(app) : NULL;
    for (size_t i = 0; all && i < all->count; i++)
        counts->counted_loops |= (all->function[i].flags & DESCRIPTOR_COUNTED) != 0;
    program_close(app);
    return good;
}
