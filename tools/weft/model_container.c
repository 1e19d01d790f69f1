/* SPDX-License-Identifier: MIT */
/* `weft model FILE.weft --elf APP.elf`: one model for each memory site, beside its place in the source. */
#include "tools/weft/model_container.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/affine/json.h"
#include "tools/lib/affine/text.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/base/text.h"
#include "tools/lib/recording/script.h"
#include "tools/lib/recording/streams.h"
#include "tools/weft/command.h"
#include "tools/weft/model_site.h"
#include "tools/weft/model_summary.h"

/* All sites of a recording that accessed anything, by number, and their models. */
typedef struct modelled {
    model_site *site;
    size_t count;
    uint64_t accesses, affine, bytes, nests;
    bool exact;
} modelled;

static size_t bytes_of(const model *m)
{
    affine_bytes bytes = model_encode(m);
    free(bytes.bytes);
    return bytes.size;
}

/* ---- the models ---- */

static void show_progress(uint64_t done, uint64_t of)
{
    (void)of;
    progress_show(done, "sites");
}

static void add_up(modelled *all, const model_site *s)
{
    all->accesses += s->stream->count;
    all->affine += model_affine(&s->model);
    all->bytes += bytes_of(&s->model);
    all->nests += s->model.nests;
    all->exact = all->exact && s->model.exact;
}

static modelled model_sites(const program *app, const site_streams *streams, const many_options *options)
{
    modelled all = {.exact = true};
    many_stream *stream = memory_zero(streams->count, sizeof *stream);
    model *models = memory_zero(streams->count, sizeof *models);
    all.site = memory_zero(streams->count, sizeof *all.site);
    for (size_t i = 0; i < streams->count; i++) {
        const site_stream *s = &streams->stream[i];
        if (!s->count)
            continue;
        all.site[all.count].stream = s;
        stream[all.count++] = (many_stream){s->number, s->count};
    }
    many_options own = *options;
    own.model.rounds = 1; /* a recording has many sites, and most are short */
    own.progress = show_progress;
    many_find(models, stream, all.count, &own);
    progress_end();
    for (size_t i = 0; i < all.count; i++) {
        all.site[i].model = models[i];
        model_site_describe(&all.site[i], app);
        add_up(&all, &all.site[i]);
    }
    free(models);
    free(stream);
    return all;
}

static void modelled_free(modelled *all)
{
    for (size_t i = 0; i < all->count; i++)
        model_free(&all->site[i].model);
    free(all->site);
}

/* ---- as loops ---- */

static void print_site(const model_site *s)
{
    printf("// site %" PRIu32, s->stream->site);
    if (s->function) {
        fputs(", ", stdout);
        text_print(stdout, s->function->name);
    }
    if (s->site && s->site->place.line) {
        fputs(", ", stdout);
        text_print(stdout, s->site->place.file);
        printf(":%" PRIu32, s->site->place.line);
    }
    printf(": %s", s->stream->store ? "store" : "load");
    if (s->site && s->site->text && *s->site->text) {
        fputs(" `", stdout);
        text_print(stdout, s->site->text);
        putchar('`');
    }
    if (s->object) {
        fputs(" in ", stdout);
        text_print(stdout, s->object);
    }
    printf(", %zu accesses", s->stream->count);
    if (!s->longest->raw)
        printf(", stride %" PRId64, model_site_stride(s->longest));
    printf(", %s", model_site_shape(s->longest));
    if (s->model.nests > 1)
        printf(", %zu nests", s->model.nests);
    putchar('\n');
    for (size_t i = 0; i < s->model.nests; i++)
        affine_print_addresses(&s->model.nest[i], stdout);
}

static double share_of(const modelled *all)
{
    return all->accesses ? (double)all->affine / (double)all->accesses : 1;
}

static void print_nests(const modelled *all, size_t sites)
{
    for (size_t i = 0; i < all->count; i++)
        print_site(&all->site[i]);
    printf("// %" PRIu64 " accesses of %zu sites, %.2f %% affine, %" PRIu64 " nests, %" PRIu64 " bytes, exact: %s\n",
           all->accesses, sites, 100 * share_of(all), all->nests, all->bytes, all->exact ? "yes" : "no");
}

/* ---- as JSON ---- */

static void json_site(json *j, const model_site *s)
{
    json_object(j, NULL);
    json_integer(j, "site", s->stream->site);
    if (s->function)
        json_string(j, "function", s->function->name);
    if (s->site && s->site->place.line) {
        json_string(j, "file", s->site->place.file);
        json_integer(j, "line", s->site->place.line);
    }
    if (s->site && s->site->text)
        json_string(j, "expression", s->site->text);
    if (s->object)
        json_string(j, "object", s->object);
    json_bool(j, "store", s->stream->store);
    json_integer(j, "size", s->stream->size);
    json_unsigned(j, "accesses", s->stream->count);
    json_unsigned(j, "affine", model_affine(&s->model));
    json_integer(j, "stride", model_site_stride(s->longest));
    json_string(j, "shape", model_site_shape(s->longest));
    model_json_nests(j, &s->model);
    json_unsigned(j, "bytes", bytes_of(&s->model));
    json_bool(j, "exact", s->model.exact);
    json_end_object(j);
}

static void print_json(const modelled *all, const site_streams *streams)
{
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_array(j, "sites");
    for (size_t i = 0; i < all->count; i++)
        json_site(j, &all->site[i]);
    json_end_array(j);
    json_unsigned(j, "accesses", all->accesses);
    json_unsigned(j, "affine", all->affine);
    json_real(j, "affine_share", share_of(all));
    json_unsigned(j, "unresolved", streams->unresolved);
    json_unsigned(j, "unknown", streams->unknown);
    json_unsigned(j, "bytes", all->bytes);
    json_bool(j, "exact", all->exact);
    json_end_object(j);
    json_finish(j);
}

static void report(const program *app, const site_streams *streams, const model_container_options *options)
{
    modelled all = model_sites(app, streams, &options->models);
    if (options->form == MODEL_JSON)
        print_json(&all, streams);
    else if (options->form == MODEL_NESTS)
        print_nests(&all, streams->count);
    else
        model_summary(app, all.site, all.count, options->top);
    modelled_free(&all);
}

int model_container(const model_container_options *options)
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
        report(app, all, options);
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
