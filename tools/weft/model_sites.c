/* SPDX-License-Identifier: MIT */
#include "tools/weft/model_sites.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/affine/json.h"
#include "tools/lib/affine/text.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/base/text.h"
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

static modelled model_all(const model_places *places, const site_streams *streams, const many_options *options)
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
        model_site_describe(&all.site[i], places);
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

static void print_site(const model_site *s, bool address)
{
    const model_place *at = &s->place;
    printf(address ? "// 0x%" PRIx32 : "// site %" PRIu32, s->stream->site);
    if (at->function) {
        fputs(", ", stdout);
        text_print(stdout, at->function);
    }
    if (at->line) {
        fputs(", ", stdout);
        text_print(stdout, at->file);
        printf(":%" PRIu32, at->line);
    }
    printf(": %s", s->stream->store ? "store" : "load");
    if (at->text && *at->text) {
        fputs(" `", stdout);
        text_print(stdout, at->text);
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

static void print_nests(const modelled *all, size_t sites, bool addresses)
{
    for (size_t i = 0; i < all->count; i++)
        print_site(&all->site[i], addresses);
    printf("// %" PRIu64 " accesses of %zu sites, %.2f %% affine, %" PRIu64 " nests, %" PRIu64 " bytes, exact: %s\n",
           all->accesses, sites, 100 * share_of(all), all->nests, all->bytes, all->exact ? "yes" : "no");
}

/* ---- as JSON ---- */

static void json_site(json *j, const model_site *s)
{
    json_object(j, NULL);
    json_integer(j, "site", s->stream->site);
    if (s->place.function)
        json_string(j, "function", s->place.function);
    if (s->place.line) {
        json_string(j, "file", s->place.file);
        json_integer(j, "line", s->place.line);
    }
    if (s->place.text)
        json_string(j, "expression", s->place.text);
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

void model_sites(const site_streams *streams, const model_places *places, const model_sites_options *options)
{
    modelled all = model_all(places, streams, &options->models);
    if (options->form == MODEL_JSON)
        print_json(&all, streams);
    else if (options->form == MODEL_NESTS)
        print_nests(&all, streams->count, places->addresses);
    else
        model_summary(places, all.site, all.count, options->top);
    modelled_free(&all);
}
