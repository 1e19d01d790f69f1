/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>

#include "tools/lib/recording/streams.h"
#include "tools/weft/command.h"
#include "tools/weft/model_sites.h"
#include "tools/weft/profiled.h"

/* What is taken from a run. An instruction that loads or stores several words is one site. */
typedef struct taking {
    profiled *run;
    site_gathering *sites;
    uint64_t most; /* accesses: more take too much memory */
    bool too_many;
} taking;

static void on_access(void *own, uint32_t function, uint32_t address, uint32_t size, bool store, bool known)
{
    taking *t = own;
    t->too_many |= site_gathering_total(t->sites) >= t->most;
    if (!known || t->too_many || !functions_wanted(t->run->all, function))
        return;
    site_gathering_add(t->sites, (site_stream){.site = execution_pc(t->run->run), .store = store, .size = size},
                       address);
}

static model_place place_of(const void *own, uint32_t pc)
{
    const image *im = own;
    const image_symbol *f = image_function(&im->symbols, pc);
    const image_line *line = image_line_at(im, pc);
    model_place at = {.function = f ? f->name : NULL};
    if (line && line->file) {
        at.file = line->file;
        at.line = line->line;
    }
    return at;
}

static int report(taking *t, const model_sites_options *options)
{
    site_streams *all = site_gathering_end(t->sites);
    const model_places places = {t->run->im, place_of, t->run->im, true};
    if (!t->too_many)
        model_sites(all, &places, options);
    site_streams_free(all);
    return t->too_many ? command_fail("model", EXIT_INPUT,
                                      "%s: more than %" PRIu64 " accesses, which would take more than %" PRIu64
                                      " bytes; give a larger --memory-limit, or a --function",
                                      options->path, t->most, command_memory(options->path))
                       : profiled_warn(t->run);
}

int model_run(const model_sites_options *options)
{
    profiled run;
    taking t = {.run = &run, .most = command_memory(options->path) / (2 * sizeof(int64_t))};
    int status = profiled_open(&run, "model", options->elf, options->path,
                               (profiled_choice){.context = options->choice.context,
                                                 .function = options->choice.function,
                                                 .unit = CLOCKED_INSTRUCTIONS});
    if (status == EXIT_DONE) {
        t.sites = site_gathering_begin();
        functions_listen(run.all, (functions_listener){.own = &t, .access = on_access});
        status = profiled_read(&run);
        if (status == EXIT_DONE)
            status = report(&t, options);
        else
            site_streams_free(site_gathering_end(t.sites));
    }
    profiled_close(&run);
    return status;
}
