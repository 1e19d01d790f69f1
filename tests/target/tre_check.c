/* SPDX-License-Identifier: MIT */
/* Usage: tre_check FILE.weft APP.elf SOURCE: for each site in that source file, the nests of the target's engine over its addresses against
 * the host's single-domain model. A line a site: same, longer (the host has one nest, the engine more) or other (the host
 * has none either); then totals: sites, same, longer, other, bytes of the engine's records, accesses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/tre.h"
#include "tools/lib/model.h"
#include "tools/lib/model_tre.h"
#include "tools/lib/program.h"
#include "tools/lib/streams.h"

typedef struct engine_run {
    uint8_t *bytes;
    size_t size;
    unsigned nests;
    affine_nest first;
    bool lossless;
} engine_run;

/* Compares what the records generate with the stream. */
typedef struct comparison {
    const site_stream *s;
    size_t at;
} comparison;

static bool same_values(void *context, const int64_t *values, size_t count)
{
    comparison *c = context;
    for (size_t i = 0; i < count; i++, c->at++)
        if (c->at >= c->s->count || (uint32_t)values[i] != (uint32_t)c->s->number[c->at])
            return false;
    return true;
}

static void run_engine(engine_run *e, const site_stream *s)
{
    weft_tre tre;
    weft_tre_level level[WEFT_TRE_LEVELS_MAX];
    weft_writer out;
    comparison c = {s, 0};
    memset(e, 0, sizeof *e);
    e->bytes = malloc(8 * s->count + 256);
    weft_writer_init(&out, e->bytes, 8 * s->count + 256);
    weft_tre_init(&tre, level, WEFT_TRE_LEVELS_MAX);
    e->lossless = true;
    for (size_t i = 0; i < s->count; i++)
        e->lossless = e->lossless && weft_tre_push(&tre, (uint32_t)s->number[i], &out) == WEFT_OK;
    e->lossless = e->lossless && weft_tre_flush(&tre, &out) == WEFT_OK;
    e->size = out.size;
    for (size_t at = 0; at < out.size && e->lossless; e->nests++) {
        affine_nest nest;
        e->lossless = tre_decode(&nest, e->bytes, out.size, &at) && affine_generate(&nest, same_values, &c);
        if (e->nests || !e->lossless)
            affine_nest_free(&nest);
        else
            e->first = nest;
    }
    e->lossless = e->lossless && c.at == s->count;
}

/* Same loops: as many levels, with the same coefficients. (Bounds may be written in more than one way.) */
static bool same_nest(const affine_nest *a, const affine_nest *b)
{
    bool same = a->depth == b->depth && a->base == b->base;
    for (unsigned l = 0; same && l < a->depth; l++)
        same = a->level[l].coefficient == b->level[l].coefficient;
    return same;
}

int main(int argc, char **argv)
{
    char message[300];
    unsigned sites = 0, same = 0, longer = 0, other = 0;
    unsigned long long bytes = 0, accesses = 0;
    if (argc != 4)
        return 2;
    container *file = container_open(argv[1], message, sizeof message);
    program *app = file ? program_open(argv[2], message, sizeof message) : NULL;
    site_streams *all = app ? site_streams_load(file, (replay_model){app, program_model}, REPLAY_ACCESS, message, sizeof message)
                            : NULL;
    if (!all) {
        puts(message);
        return 1;
    }
    for (size_t i = 0; i < all->count; i++) {
        const site_stream *s = &all->stream[i];
        const descriptor_function *f = descriptors_of_site(program_descriptors(app), s->site);
        const descriptor_site *site = descriptors_site(program_descriptors(app), s->site);
        if (!f || !strstr(f->file, argv[3]) || !s->count)
            continue;
        engine_run e;
        model m;
        model_options options;
        run_engine(&e, s);
        model_defaults(&options);
        options.single = true;
        options.time_limit = 2;
        options.depth_max = WEFT_TRE_LEVELS_MAX;
        model_find(&m, s->number, s->count, &options);
        bool one = m.nests == 1, equal = one && e.nests == 1 && same_nest(&m.nest[0], &e.first);
        printf("%s: site %u, %s `%s`: host %zu, engine %u nests%s\n", equal ? "same" : one ? "longer" : "other", s->site, f->name,
               site->text, m.nests, e.nests, e.lossless ? "" : ", LOSSY");
        sites++, same += equal, longer += one && !equal, other += !one;
        bytes += e.size, accesses += s->count;
        if (!e.lossless)
            return 1;
        free(e.bytes);
        affine_nest_free(&e.first);
        model_free(&m);
    }
    printf("sites %u same %u longer %u other %u bytes %llu accesses %llu\n", sites, same, longer, other, bytes, accesses);
    site_streams_free(all);
    program_close(app);
    container_close(file);
    return 0;
}
