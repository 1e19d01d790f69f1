/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "tools/lib/image/program.h"
#include "tools/lib/recording/announced.h"
#include "tools/lib/recording/replay.h"
#include "tools/lib/recording/script.h"
#include "tools/weft/command.h"
#include "tools/weft/inspected.h"
#include "tools/weft/model_sites.h"

static model_place place_of(const void *own, uint32_t site)
{
    const descriptors *all = program_descriptors(own);
    const descriptor_function *f = descriptors_of_site(all, site);
    const descriptor_site *s = descriptors_site(all, site);
    model_place at = {.function = f ? f->name : NULL};
    if (s) {
        at.text = s->text;
        at.file = s->place.file;
        at.line = s->place.line;
    }
    return at;
}

/* Adds the wanted accesses of all sites. False, and a message: the container does not fit its program. */
static bool add_all(model_sites *all, const container *file, replay_model how, const event_filter *wanted,
                    model_missing *missing, char *message, size_t message_size)
{
    replay *events = replay_open(file, how);
    for (replay_event event; replay_next(events, &event);)
        if (event.kind == REPLAY_ACCESS && !event.unknown && event_filter_site(wanted, event.context, event.id))
            model_sites_add(all, (model_access){event.id, event.size, event.store}, event.address);
    *missing = (model_missing){replay_unresolved(events), replay_unknown(events)};
    const char *error = replay_error(events);
    if (error)
        snprintf(message, message_size, "%s: %s", container_path(file), error);
    bool good = error == NULL;
    replay_close(events);
    return good;
}

static int report(model_sites *all, const container *file, const program *app, model_missing missing)
{
    const model_places places = {program_image(app), place_of, app, false};
    bool incomplete = inspected_say_silent("model", app);
    model_sites_end(all, &places, missing);
    container_print_gaps(file, "model");
    incomplete |= announced_say_unknown("model", missing.unresolved, missing.unknown);
    return incomplete || container_gap_count(file) ? EXIT_GAPS : EXIT_DONE;
}

int model_container(const model_sites_options *options)
{
    char message[300];
    int status;
    model_sites *all = NULL;
    model_missing missing;
    program *app = NULL;
    scripts *paths = NULL;
    event_filter wanted = {0};
    container *file = container_open(options->path, message, sizeof message);
    const char *why = file ? container_without_paths(file) : NULL;
    if (why)
        snprintf(message, sizeof message, "%s: %s", options->path, why);
    bool right = file && !why && (app = program_open(options->elf, message, sizeof message)) &&
                 program_fits(app, file, message, sizeof message) && (paths = scripts_open(app)) &&
                 event_filter_open(&wanted, options->choice, file, app, message, sizeof message) &&
                 (all = model_sites_begin(options)) &&
                 add_all(all, file, (replay_model){paths, scripts_model}, &wanted, &missing, message, sizeof message);
    if (right)
        status = report(all, file, app, missing);
    else
        status = command_fail("model", EXIT_INPUT, "%s", message);
    model_sites_free(all);
    event_filter_close(&wanted);
    scripts_close(paths);
    program_close(app);
    container_close(file);
    return status;
}
