/* SPDX-License-Identifier: MIT */
#include "tools/weft/derived.h"

#include <stdio.h>

#include "tools/lib/recording/script.h"

static bool count_all(const container *file, const program *app, derived_counts *counts, char *message,
                      size_t message_size)
{
    const replay_taker nobody = {0};
    replay_totals all;
    scripts *paths = scripts_open(app);
    replay_all(file, (replay_model){paths, scripts_model}, scripts_needs(paths), &nobody, &all);
    scripts_close(paths);
    counts->recorded = all.accesses.recorded;
    counts->derived = all.accesses.derived;
    counts->unknown = all.accesses.unknown;
    if (all.error[0])
        snprintf(message, message_size, "%s: %s", container_path(file), all.error);
    return !all.error[0];
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
