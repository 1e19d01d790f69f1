/* SPDX-License-Identifier: MIT */
#include "tools/weft/command.h"
#include "tools/weft/model_sites.h"
#include "tools/weft/profiled.h"

/* What is taken from a run. An instruction that loads or stores several words is one site. */
typedef struct taking {
    profiled *run;
    model_sites *sites;
} taking;

static void on_access(void *own, uint32_t function, uint32_t address, uint32_t size, bool store, bool known)
{
    taking *t = own;
    if (known && functions_wanted(t->run->all, function))
        model_sites_add(t->sites, (model_access){.site = execution_pc(t->run->run), .size = size, .store = store},
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

int model_run(const model_sites_options *options)
{
    profiled run;
    taking t = {.run = &run};
    int status = profiled_open(&run, "model", options->elf, options->path,
                               (profiled_choice){.context = options->choice.context,
                                                 .function = options->choice.function,
                                                 .unit = CLOCKED_INSTRUCTIONS});
    if (status == EXIT_DONE) {
        t.sites = model_sites_begin(options);
        functions_listen(run.all, (functions_listener){.own = &t, .access = on_access});
        status = profiled_read(&run);
        if (status == EXIT_DONE) {
            const model_places places = {run.im, place_of, run.im, true};
            model_sites_end(t.sites, &places, (model_missing){0});
            status = profiled_warn(&run);
        }
        model_sites_free(t.sites);
    }
    profiled_close(&run);
    return status;
}
