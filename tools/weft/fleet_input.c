/* SPDX-License-Identifier: MIT */
#include "tools/weft/fleet_input.h"

#include <inttypes.h>
#include <stdio.h>

#include "tools/lib/fleet/profile_file.h"
#include "tools/weft/command.h"

int fleet_input(merged **all, uint32_t *number, const char *name, const char *path, const program *app)
{
    char message[400];
    *all = merged_new();
    if (!restore_file(*all, path, message, sizeof message))
        return command_fail(name, EXIT_INPUT, "%s", message);
    if (!restore_image(*all, app, number, message, sizeof message))
        return command_fail(name, EXIT_INPUT, "%s: %s", path, message);
    return EXIT_DONE;
}

int fleet_warn(const merged *all, uint32_t number, const char *name, const char *path)
{
    merged_totals t = restore_totals(all, number);
    if (!t.gapped)
        return EXIT_DONE;
    return command_fail(name, EXIT_GAPS,
                        "%s: gap: %" PRIu64 " of its %" PRIu64 " recordings have %" PRIu64 " gaps; %" PRIu64
                        " paths are lost, as far as they are counted",
                        path, t.gapped, t.recordings, t.gaps, t.lost);
}

int fleet_refuse(const char *name, const char *path)
{
    if (!profile_is(path))
        return EXIT_DONE;
    return command_fail(name, EXIT_INPUT,
                        "'%s' is a merged profile: it has counts, but not the order of events that this wants", path);
}
