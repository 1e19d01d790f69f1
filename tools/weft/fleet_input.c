/* SPDX-License-Identifier: MIT */
#include "tools/weft/fleet_input.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/json.h"
#include "tools/lib/fleet/held.h"
#include "tools/lib/fleet/labels.h"
#include "tools/lib/fleet/profile_file.h"
#include "tools/weft/command.h"

static const char *chosen;
static digests met; /* the recordings in the profiles that were added up so far */

int fleet_labels(const char *name, const char *option, const char *text)
{
    char message[200];
    labels l;
    bool good = labels_parse(&l, text, message, sizeof message), device = l.device != NULL;
    labels_free(&l);
    if (good && !device)
        return EXIT_DONE;
    return command_fail(name, EXIT_USAGE, "%s '%s': %s", option, text,
                        device ? "recordings are not kept apart by device" : message);
}

int fleet_choose(const char *name, const char *text, char *const *paths)
{
    chosen = text;
    if (!text)
        return EXIT_DONE;
    for (; *paths; paths++)
        if (!profile_is(*paths))
            return command_fail(name, EXIT_USAGE, "--label goes with merged profiles, and '%s' is none", *paths);
    return fleet_labels(name, "--label", text);
}

static bool has_group(const merged *all, uint32_t number)
{
    for (size_t g = 0; g < all->group_count; g++)
        if (all->group[g]->image == number)
            return true;
    return false;
}

int fleet_input(merged **all, uint32_t *number, const char *name, const char *path, const program *app)
{
    char message[400];
    *all = merged_new();
    if (!restore_file(*all, path, message, sizeof message))
        return command_fail(name, EXIT_INPUT, "%s", message);
    if (!restore_image(*all, app, number, message, sizeof message))
        return command_fail(name, EXIT_INPUT, "%s: %s", path, message);
    if (chosen)
        merged_keep_labels(*all, chosen);
    if (chosen && !has_group(*all, *number))
        return command_fail(name, EXIT_INPUT, "%s: no recording of this image has the labels '%s'", path, chosen);
    fleet_remark(restore_totals(*all, *number));
    return EXIT_DONE;
}

int fleet_once(const merged *all, const char *name, const char *path)
{
    uint64_t *recordings = digests_sorted(&all->recordings);
    size_t added = 0;
    while (added < all->recordings.count && digests_add(&met, recordings[added]))
        added++;
    free(recordings);
    return added == all->recordings.count ? EXIT_DONE : command_fail(name, EXIT_INPUT, "%s: %s", path, PROFILE_REPEATS);
}

int fleet_disjoint(const char *name, char *const *paths)
{
    char message[400];
    int status = EXIT_DONE;
    for (char *const *profile = paths; *profile && status == EXIT_DONE; profile++) {
        if (!profile_is(*profile))
            continue;
        merged *all = merged_new();
        bool read = restore_file(all, *profile, message, sizeof message);
        for (char *const *other = paths; *other && read && status == EXIT_DONE; other++)
            if (!profile_is(*other) && held_in(all, *other))
                status = command_fail(name, EXIT_INPUT, "%s: '%s' holds this recording", *other, *profile);
        merged_free(all);
    }
    return status;
}

void fleet_remark(merged_totals t)
{
    if (t.gapped)
        json_remark("lost_is", "at least");
}

int fleet_warn(const merged *all, uint32_t number, const char *name, const char *path)
{
    merged_totals t = restore_totals(all, number);
    if (!t.gapped)
        return EXIT_DONE;
    return command_fail(name, EXIT_GAPS,
                        "%s: gap: %" PRIu64 " of its %" PRIu64 " recordings have %" PRIu64 " gaps; at least %" PRIu64
                        " paths are lost",
                        path, t.gapped, t.recordings, t.gaps, t.lost);
}

int fleet_refuse(const char *name, const char *path)
{
    if (!profile_is(path))
        return EXIT_DONE;
    return command_fail(name, EXIT_INPUT,
                        "'%s' is a merged profile: it has counts, but not the order of events that this needs", path);
}
