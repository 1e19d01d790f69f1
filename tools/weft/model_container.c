/* SPDX-License-Identifier: MIT */
/* `weft model FILE.weft --elf APP.elf`: one model for each memory site, beside its place in the source. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/affine/json.h"
#include "tools/lib/affine/text.h"
#include "tools/lib/base/clock.h"
#include "tools/lib/recording/script.h"
#include "tools/lib/recording/streams.h"
#include "tools/weft/command.h"
#include "tools/weft/model.h"

typedef struct totals {
    uint64_t accesses, affine, bytes, nests;
    bool exact;
} totals;

/* What the loops walk over: by the bounds of the longest nest. */
static const char *shape_of(const affine_nest *nest)
{
    bool leans = false, several = false;
    for (unsigned l = 0; l < nest->depth; l++) {
        const affine_level *level = &nest->level[l];
        several = several || level->uppers > 1 || level->lowers > 1;
        for (unsigned m = 0; m < l; m++)
            leans = leans || (level->uppers && level->upper[0].slope[m]) || (level->lowers && level->lower[0].slope[m]);
    }
    if (!nest->depth)
        return nest->raw ? "irregular" : "plain";
    return several ? "piecewise" : nest->depth == 1 ? "linear" : leans ? "triangular" : "rectangular";
}

static const affine_nest *longest(const model *m)
{
    const affine_nest *best = &m->nest[0];
    for (size_t i = 1; i < m->nests; i++)
        if (m->nest[i].accesses > best->accesses)
            best = &m->nest[i];
    return best;
}

static int64_t stride_of(const affine_nest *nest)
{
    return nest->depth ? nest->level[nest->depth - 1].coefficient : 0;
}

static void print_site(program *app, const site_stream *s, const model *m)
{
    const descriptor_site *site = descriptors_site(program_descriptors(app), s->site);
    const descriptor_function *f = descriptors_of_site(program_descriptors(app), s->site);
    uint32_t offset = 0;
    const char *object = program_symbol(app, (uint32_t)s->number[0], &offset);
    const affine_nest *main = longest(m);
    printf("// site %" PRIu32, s->site);
    if (f)
        printf(", %s", f->name);
    if (site && site->place.line)
        printf(", %s:%" PRIu32, site->place.file, site->place.line);
    printf(": %s", s->store ? "store" : "load");
    if (site && site->text && *site->text)
        printf(" `%s`", site->text);
    if (object)
        printf(" in %s", object);
    printf(", %zu accesses", s->count);
    if (!main->raw)
        printf(", stride %" PRId64, stride_of(main));
    printf(", %s", shape_of(main));
    if (m->nests > 1)
        printf(", %zu nests", m->nests);
    putchar('\n');
    for (size_t i = 0; i < m->nests; i++)
        affine_print(&m->nest[i], stdout);
}

static void json_site(json *j, program *app, const site_stream *s, const model *m, size_t bytes)
{
    const descriptor_site *site = descriptors_site(program_descriptors(app), s->site);
    const descriptor_function *f = descriptors_of_site(program_descriptors(app), s->site);
    uint32_t offset = 0;
    const char *object = program_symbol(app, (uint32_t)s->number[0], &offset);
    json_object(j, NULL);
    json_integer(j, "site", s->site);
    if (f)
        json_string(j, "function", f->name);
    if (site && site->place.line) {
        json_string(j, "file", site->place.file);
        json_integer(j, "line", site->place.line);
    }
    if (site && site->text)
        json_string(j, "expression", site->text);
    if (object)
        json_string(j, "object", object);
    json_bool(j, "store", s->store);
    json_integer(j, "size", s->size);
    json_integer(j, "accesses", (int64_t)s->count);
    json_integer(j, "affine", (int64_t)model_affine(m));
    json_integer(j, "stride", stride_of(longest(m)));
    json_string(j, "shape", shape_of(longest(m)));
    model_json_nests(j, m);
    json_integer(j, "bytes", (int64_t)bytes);
    json_bool(j, "exact", m->exact);
    json_end_object(j);
}

/* All sites share the time: a site that no nest explains may not take it all. */
static void model_sites(program *app, const site_streams *all, const model_options *options, json *j, totals *t)
{
    double deadline = clock_seconds() + options->time_limit;
    for (size_t i = 0; i < all->count; i++) {
        const site_stream *s = &all->stream[i];
        model_options own = *options;
        model m;
        double left = deadline - clock_seconds();
        own.time_limit = left > 0 ? left / 4 : 0;
        own.rounds = 1;
        if (!s->count)
            continue;
        model_find(&m, s->number, s->count, &own);
        affine_bytes bytes = model_encode(&m);
        free(bytes.bytes);
        if (j)
            json_site(j, app, s, &m, bytes.size);
        else
            print_site(app, s, &m);
        t->accesses += s->count;
        t->affine += model_affine(&m);
        t->bytes += bytes.size;
        t->nests += m.nests;
        t->exact = t->exact && m.exact;
        model_free(&m);
    }
}

static void report(program *app, const site_streams *all, const model_options *options, bool as_json)
{
    totals t = {.exact = true};
    json *j = as_json ? json_begin(stdout) : NULL;
    if (j) {
        json_object(j, NULL);
        json_array(j, "sites");
    }
    model_sites(app, all, options, j, &t);
    double share = t.accesses ? (double)t.affine / (double)t.accesses : 1;
    if (j) {
        json_end_array(j);
        json_integer(j, "accesses", (int64_t)t.accesses);
        json_integer(j, "affine", (int64_t)t.affine);
        json_real(j, "affine_share", share);
        json_integer(j, "unresolved", (int64_t)all->unresolved);
        json_integer(j, "unknown", (int64_t)all->unknown);
        json_integer(j, "bytes", (int64_t)t.bytes);
        json_bool(j, "exact", t.exact);
        json_end_object(j);
        json_finish(j);
    } else {
        printf("// %" PRIu64 " accesses of %zu sites, %.2f %% affine, %" PRIu64 " nests, %" PRIu64
               " bytes, exact: %s\n",
               t.accesses, all->count, 100 * share, t.nests, t.bytes, t.exact ? "yes" : "no");
    }
}

int model_container(const char *path, const char *elf, const model_options *options, bool as_json)
{
    char message[300];
    int status = EXIT_DONE;
    site_streams *all = NULL;
    program *app = NULL;
    scripts *paths = NULL;
    container *file = container_open(path, message, sizeof message);
    bool right =
        file && (app = program_open(elf, message, sizeof message)) &&
        program_fits(app, file, message, sizeof message) && (paths = scripts_open(app)) &&
        (all = site_streams_load(file, (replay_model){paths, scripts_model}, REPLAY_ACCESS, message, sizeof message));
    if (right) {
        report(app, all, options, as_json);
        if (all->unresolved)
            fprintf(stderr, "weft model: gap: %" PRIu64 " accesses and values of unfinished paths have no known site\n",
                    all->unresolved);
        if (all->unknown)
            fprintf(stderr,
                    "weft model: gap: the addresses of %" PRIu64
                    " accesses are not known: they follow from lost ones\n",
                    all->unknown);
        container_print_gaps(file, "model");
        status = all->unresolved || all->unknown || container_gap_count(file) ? EXIT_GAPS : EXIT_DONE;
        site_streams_free(all);
    } else {
        status = command_fail("model", EXIT_INPUT, "%s", message);
    }
    scripts_close(paths);
    program_close(app);
    container_close(file);
    return status;
}
