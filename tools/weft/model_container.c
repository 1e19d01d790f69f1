/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>

#include "tools/lib/image/program.h"
#include "tools/lib/recording/script.h"
#include "tools/lib/recording/streams.h"
#include "tools/weft/command.h"
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

int model_container(const model_sites_options *options)
{
    char message[300];
    int status = EXIT_DONE;
    site_streams *all = NULL;
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
                 (all = site_streams_load(file, (replay_model){paths, scripts_model}, REPLAY_ACCESS, &wanted, message,
                                          sizeof message));
    if (right) {
        const model_places places = {program_image(app), place_of, app, false};
        model_sites(all, &places, options);
        if (all->unresolved)
            fprintf(stderr, "weft model: gap: %" PRIu64 " accesses and values of unfinished paths have no known site\n",
                    all->unresolved);
        if (all->unknown)
            fprintf(stderr,
                    "weft model: gap: the addresses of %" PRIu64
                    " accesses are not known: they follow from lost ones, or a longjmp left open which\n",
                    all->unknown);
        container_print_gaps(file, "model");
        status = all->unresolved || all->unknown || container_gap_count(file) ? EXIT_GAPS : EXIT_DONE;
        site_streams_free(all);
    } else {
        status = command_fail("model", EXIT_INPUT, "%s", message);
    }
    event_filter_close(&wanted);
    scripts_close(paths);
    program_close(app);
    container_close(file);
    return status;
}
