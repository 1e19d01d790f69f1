/* SPDX-License-Identifier: MIT */
#include "tools/weft/model_sites.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/affine/json.h"
#include "tools/lib/affine/pieces.h"
#include "tools/lib/affine/text.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/base/text.h"
#include "tools/weft/command.h"
#include "tools/weft/model_summary.h"

/* a number held, and what its model and its search may take : bytes : 24 to 1000 : shorter pieces under a limit */
enum { BYTES_HELD = 64 };

/* All sites that accessed anything, by their first access; at the end by number. */
struct model_sites {
    const model_sites_options *options;
    numbering numbers;
    model_site *site;
    size_t count, max;
    pieces *pieces;
    uint64_t accesses, affine, bytes, nests;
    bool exact;
};

/* ---- the models ---- */

static void show_progress(uint64_t done, uint64_t of)
{
    (void)of;
    progress_show(done, "sites");
}

static void take_nest(void *own, uint32_t stream, const affine_nest *nest)
{
    model_sites *all = own;
    model_site_nest(&all->site[stream], nest, all->options->form != MODEL_SUMMARY);
}

model_sites *model_sites_begin(const model_sites_options *options)
{
    model_sites *all = memory_zero(1, sizeof *all);
    uint64_t most = command_memory(options->path) / BYTES_HELD;
    pieces_options own = {options->models, most && most < PIECES_HELD ? (size_t)most : PIECES_HELD, take_nest, all};
    own.models.model.rounds = 1; /* a recording has many sites, and most are short */
    own.models.progress = show_progress;
    all->options = options;
    all->exact = true;
    all->pieces = pieces_open(&own);
    return all;
}

void model_sites_add(model_sites *all, model_access access, uint32_t address)
{
    uint32_t number = numbering_of(&all->numbers, access.site);
    if (number == all->count) {
        all->site = memory_room(all->site, all->count, &all->max, sizeof *all->site);
        all->site[all->count++] = model_site_begin(access, address);
    }
    model_site_access(&all->site[number], access, address);
    pieces_add(all->pieces, number, address);
}

static int by_site(const void *left, const void *right)
{
    const model_site *a = left, *b = right;
    return a->is.site < b->is.site ? -1 : a->is.site > b->is.site;
}

static void finish(model_sites *all, const model_places *places)
{
    pieces_end(all->pieces);
    progress_end();
    for (uint32_t i = 0; i < all->count; i++) {
        model_site *s = &all->site[i];
        s->exact = pieces_exact(all->pieces, i);
        model_site_describe(s, places);
        all->accesses += s->accesses;
        all->affine += s->affine;
        all->bytes += s->bytes;
        all->nests += s->nests;
        all->exact = all->exact && s->exact;
    }
    if (all->count)
        qsort(all->site, all->count, sizeof *all->site, by_site);
}

/* ---- the nests of a site, one at a time ---- */

typedef struct nest_reader {
    const model_site *of;
    size_t at;
    affine_nest nest;
} nest_reader;

static bool next_nest(nest_reader *r)
{
    affine_nest *nest = &r->nest;
    affine_nest_free(nest);
    *nest = (affine_nest){0};
    if (r->at == r->of->coded.size || !affine_decode(nest, r->of->coded.bytes, r->of->coded.size, &r->at))
        return false;
    if (!nest->depth && nest->accesses == 1) { /* its base alone, as model_find has it */
        free(nest->raw);
        nest->raw = NULL;
    }
    return true;
}

/* ---- as loops ---- */

static void print_site(const model_site *s, bool address)
{
    const model_place *at = &s->place;
    printf(address ? "// 0x%" PRIx32 : "// site %" PRIu32, s->is.site);
    if (at->function) {
        fputs(", ", stdout);
        text_print(stdout, at->function);
    }
    if (at->line) {
        fputs(", ", stdout);
        text_print(stdout, at->file);
        printf(":%" PRIu32, at->line);
    }
    printf(": %s", s->is.store ? "store" : "load");
    if (at->text && *at->text) {
        fputs(" `", stdout);
        text_print(stdout, at->text);
        putchar('`');
    }
    if (s->object) {
        fputs(" in ", stdout);
        text_print(stdout, s->object);
    }
    printf(", %" PRIu64 " accesses", s->accesses);
    if (!s->irregular)
        printf(", stride %" PRId64, model_site_stride(&s->longest));
    printf(", %s", s->irregular ? "irregular" : model_site_shape(&s->longest));
    if (s->nests > 1)
        printf(", %" PRIu64 " nests", s->nests);
    putchar('\n');
    for (nest_reader r = {.of = s}; next_nest(&r);)
        affine_print_addresses(&r.nest, stdout);
}

static double share_of(const model_sites *all)
{
    return all->accesses ? (double)all->affine / (double)all->accesses : 1;
}

static void print_nests(const model_sites *all, bool addresses)
{
    for (size_t i = 0; i < all->count; i++)
        print_site(&all->site[i], addresses);
    printf("// %" PRIu64 " accesses of %zu sites, %.2f %% affine, %" PRIu64 " nests, %" PRIu64 " bytes, exact: %s\n",
           all->accesses, all->count, 100 * share_of(all), all->nests, all->bytes, all->exact ? "yes" : "no");
}

/* ---- as JSON ---- */

static void json_site(json *j, const model_site *s)
{
    json_object(j, NULL);
    json_integer(j, "site", s->is.site);
    json_string(j, "function", s->place.function);
    json_place(j, s->place.line ? s->place.file : NULL, s->place.line);
    json_string(j, "expression", s->place.text);
    json_string(j, "object", s->object);
    json_bool(j, "store", s->is.store);
    json_integer(j, "size", s->is.size);
    json_unsigned(j, "accesses", s->accesses);
    json_unsigned(j, "affine", s->affine);
    json_integer(j, "stride", model_site_stride(&s->longest));
    json_string(j, "shape", s->irregular ? "irregular" : model_site_shape(&s->longest));
    json_array(j, "nests");
    for (nest_reader r = {.of = s}; next_nest(&r);)
        model_json_nest(j, &r.nest);
    json_end_array(j);
    json_unsigned(j, "bytes", s->bytes);
    json_bool(j, "exact", s->exact);
    json_end_object(j);
}

static void print_json(const model_sites *all, model_missing missing)
{
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_array(j, "sites");
    for (size_t i = 0; i < all->count; i++)
        json_site(j, &all->site[i]);
    json_end_array(j);
    json_null(j, "nests"); /* they are those of the sites */
    json_unsigned(j, "accesses", all->accesses);
    json_unsigned(j, "affine", all->affine);
    json_real(j, "affine_share", share_of(all));
    json_unsigned(j, "unresolved", missing.unresolved);
    json_unsigned(j, "unknown", missing.unknown);
    json_unsigned(j, "bytes", all->bytes);
    json_bool(j, "exact", all->exact);
    json_end_object(j);
    json_finish(j);
}

void model_sites_end(model_sites *all, const model_places *places, model_missing missing)
{
    finish(all, places);
    if (all->options->form == MODEL_JSON)
        print_json(all, missing);
    else if (all->options->form == MODEL_NESTS)
        print_nests(all, places->addresses);
    else
        model_summary(places, all->site, all->count, all->options->top);
}

void model_sites_free(model_sites *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < all->count; i++)
        model_site_free(&all->site[i]);
    free(all->site);
    numbering_free(&all->numbers);
    pieces_close(all->pieces);
    free(all);
}
