/* SPDX-License-Identifier: MIT */
/* From searches for single nests to a model of the whole stream:
 *   1. the single-domain search, breadth first, so that a plain nest comes out with the least depth;
 *   2. the piecewise search; if that is not soon done, several parameter sets in parallel (section 4.6). Of those that
 *      solve the stream the first in the list is taken, so that the result does not depend on timing;
 *   3. where no nest explains all, the one that explains most, and the rest of the stream anew. What no nest explains at
 *      a fair price becomes a raw run; after failures, searches are tried ever more rarely. */
#include "tools/lib/model.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/model_search.h"

enum { SETS = 4, RARER = 16, PLAIN_DEPTH = 4, FLATTER = 60 };

void model_defaults(model_options *options)
{
    *options = (model_options){.depth_max = AFFINE_DEPTH, .time_limit = 30, .threads = SETS, .nodes_max = 2000};
}

typedef struct builder {
    const int64_t *values;
    uint64_t count, at;
    const model_options *options;
    double deadline;
    model *out;
    size_t nests_max;
    uint64_t raw;   /* values before `at` that no nest holds yet */
    bool wrong;     /* a nest did not generate its values */
    uint64_t next;  /* no search before this position */
    uint64_t failures; /* searches in vain, less those that were not */
} builder;

static void *enough(void *old, size_t count, size_t size)
{
    void *grown = realloc(old, count * size + 1);
    if (!grown) {
        fputs("weft: out of memory\n", stderr);
        exit(1);
    }
    return grown;
}

static void append(builder *b, affine_nest nest)
{
    if (b->out->nests == b->nests_max) {
        b->nests_max = 2 * b->nests_max + 8;
        b->out->nest = enough(b->out->nest, b->nests_max, sizeof *b->out->nest);
    }
    b->out->nest[b->out->nests++] = nest;
}

static void flush_raw(builder *b)
{
    if (!b->raw)
        return;
    const int64_t *from = b->values + b->at - b->raw;
    affine_nest nest = {.base = *from, .accesses = b->raw, .whole = true};
    if (b->raw > 1) {
        nest.raw = enough(NULL, b->raw, sizeof *from);
        memcpy(nest.raw, from, b->raw * sizeof *from);
    }
    append(b, nest);
    b->raw = 0;
}

/* Takes over a nest that generates the next values: found by a search, which checked that, or checked here. */
static void take(builder *b, affine_nest nest, bool checked)
{
    flush_raw(b);
    if (!checked && affine_match(&nest, b->values + b->at, b->count - b->at) != nest.accesses)
        b->wrong = true;
    append(b, nest);
    b->at += nest.accesses;
}

/* ---- one nest ---- */

typedef struct attempt {
    const builder *builder;
    search_options options;
    affine_nest nest;
    bool found, solved;
    struct attempt *first; /* the array this one is in */
    unsigned number;
    atomic_bool stop;
} attempt;

static bool solves(const affine_nest *nest, const builder *b)
{
    return nest->accesses == b->count - b->at;
}

static void *attempt_run(void *argument)
{
    attempt *a = argument;
    unsigned spent;
    const builder *b = a->builder;
    a->found = search_nest(&a->nest, b->values + b->at, b->count - b->at, &a->options, &spent);
    a->solved = a->found && solves(&a->nest, b);
    for (unsigned i = a->number + 1; a->solved && a->first && i < SETS; i++)
        atomic_store(&a->first[i].stop, true); /* what comes after is not needed */
    return NULL;
}

static search_options plain_options(const builder *b)
{
    return (search_options){.single = true, .depth_max = b->options->depth_max, .growth = 2.718281828,
                            .slopes = FIT_INTEGER, .expand_max = 300, .nodes_max = b->options->nodes_max,
                            .deadline = b->deadline};
}

static search_options piecewise_options(const builder *b, unsigned set)
{
    static const double growth[SETS] = {2.718281828, 2.718281828, 1.5, 6};
    static const fit_slopes slopes[SETS] = {FIT_RATIONAL_LAST, FIT_RATIONAL, FIT_RATIONAL_LAST, FIT_INTEGER};
    search_options o = plain_options(b);
    o.single = false;
    o.growth = growth[set];
    o.slopes = slopes[set];
    o.face_cost = 0.25;
    o.expand_max = 3000;
    return o;
}

/* Keeps the better of two nests in *best: the longer one, then one that ends by itself. */
static void keep(const builder *b, attempt *best, affine_nest *nest, bool found)
{
    if (!found)
        return;
    if (!best->found || nest->accesses > best->nest.accesses ||
        (nest->accesses == best->nest.accesses && nest->whole && !best->nest.whole)) {
        if (best->found)
            affine_nest_free(&best->nest);
        best->nest = *nest;
        best->found = true;
        best->solved = solves(nest, b);
    } else {
        affine_nest_free(nest);
    }
}

static void try_sets(const builder *b, attempt *best)
{
    attempt set[SETS];
    pthread_t thread[SETS];
    unsigned sets = b->options->threads < SETS ? b->options->threads : SETS;
    memset(set, 0, sizeof set);
    for (unsigned i = 0; i < sets; i++) {
        set[i].builder = b;
        set[i].options = piecewise_options(b, i);
        set[i].options.stop = &set[i].stop;
        set[i].first = set;
        set[i].number = i;
        if (pthread_create(&thread[i], NULL, attempt_run, &set[i]))
            attempt_run(&set[i]), thread[i] = pthread_self();
    }
    for (unsigned i = 0; i < sets; i++)
        if (!pthread_equal(thread[i], pthread_self()))
            pthread_join(thread[i], NULL);
    for (unsigned i = 0; i < sets; i++)
        keep(b, best, &set[i].nest, set[i].found);
}

/* A nest of three or more loops was found: a piecewise one may have fewer. */
static void try_flatter(const builder *b, attempt *best)
{
    while (best->solved && best->nest.depth > 2 && !b->options->single) {
        attempt flat = {.builder = b, .options = piecewise_options(b, 0)};
        flat.options.slopes = FIT_INTEGER; /* rounding could fold any two loops into one */
        flat.options.depth_max = best->nest.depth - 1;
        flat.options.expand_max = FLATTER;
        attempt_run(&flat);
        if (!flat.solved || !flat.nest.whole) {
            if (flat.found)
                affine_nest_free(&flat.nest);
            return;
        }
        affine_nest_free(&best->nest);
        best->nest = flat.nest;
    }
}

/* A plain nest that has to be cut: bounds of several faces may end it. */
static void try_whole(const builder *b, attempt *best)
{
    attempt whole = {.builder = b, .options = piecewise_options(b, 0)};
    if (!best->solved || best->nest.whole || b->options->single)
        return;
    whole.options.depth_max = best->nest.depth;
    whole.options.expand_max = FLATTER;
    attempt_run(&whole);
    keep(b, best, &whole.nest, whole.found);
}

static void try_options(const builder *b, attempt *best, search_options options, unsigned depth_max, unsigned expand_max)
{
    attempt next = {.builder = b, .options = options};
    if (best->solved)
        return;
    next.options.depth_max = depth_max < options.depth_max ? depth_max : options.depth_max;
    next.options.expand_max = expand_max;
    attempt_run(&next);
    keep(b, best, &next.nest, next.found);
}

/* The best nest for what is left; not `thorough`: a quick look only. False: none. */
static bool best_nest(const builder *b, affine_nest *nest, bool thorough)
{
    attempt best = {.builder = b};
    if (!thorough) {
        search_options quick = plain_options(b);
        quick.nodes_max = 100;
        try_options(b, &best, quick, AFFINE_DEPTH, 12);
    } else {
        try_options(b, &best, plain_options(b), b->options->single ? AFFINE_DEPTH : PLAIN_DEPTH, 300);
        if (!b->options->single) {
            try_options(b, &best, piecewise_options(b, 0), AFFINE_DEPTH, 400);
            if (!best.solved)
                try_sets(b, &best);
            try_options(b, &best, plain_options(b), AFFINE_DEPTH, 300);
        }
    }
    try_whole(b, &best);
    try_flatter(b, &best);
    *nest = best.nest;
    return best.found;
}

/* ---- the sequence ---- */

/* True if the nest takes fewer bytes than its values would. */
static bool pays(const builder *b, const affine_nest *nest)
{
    affine_bytes affine = {0}, plain = {0};
    affine_nest raw = {.base = b->values[b->at], .accesses = nest->accesses, .whole = true};
    raw.raw = (int64_t *)(uintptr_t)(b->values + b->at);
    if (nest->accesses > 4096)
        return true;
    affine_encode(nest, &affine);
    affine_encode(&raw, &plain);
    bool less = affine.size < plain.size;
    free(affine.bytes);
    free(plain.bytes);
    return less;
}

/* Without a search: a linear run, or a raw value. */
static void plain_step(builder *b)
{
    uint64_t left = b->count - b->at, length = 1;
    int64_t stride = 0;
    if (left > 1 && !__builtin_sub_overflow(b->values[b->at + 1], b->values[b->at], &stride))
        length = affine_match_run(b->values + b->at, left, b->values[b->at], stride);
    affine_level level = {.coefficient = stride, .uppers = 1};
    level.upper[0].divisor = 1;
    level.upper[0].constant = (int64_t)length - 1;
    affine_nest nest = {.depth = 1, .base = b->values[b->at], .accesses = length, .whole = true, .level = &level};
    if (length > 2 && pays(b, &nest)) {
        nest.level = enough(NULL, 1, sizeof level);
        *nest.level = level;
        take(b, nest, false);
    } else {
        b->at++;
        b->raw++;
    }
}

/* Searches at the present position. False: no nest that pays. */
static bool search_step(builder *b)
{
    affine_nest nest;
    bool first = b->at == 0;
    bool found = best_nest(b, &nest, first);
    if (found && !first && pays(b, &nest) && !solves(&nest, b) && nest.accesses >= 64) {
        affine_nest_free(&nest);
        found = best_nest(b, &nest, true);
    }
    if (found && pays(b, &nest)) {
        b->failures /= 2;
        take(b, nest, true);
        return true;
    }
    if (found)
        affine_nest_free(&nest);
    return false;
}

void model_find(model *out, const int64_t *values, uint64_t count, const model_options *options)
{
    builder b = {.values = values, .count = count, .options = options, .out = out};
    memset(out, 0, sizeof *out);
    out->accesses = count;
    b.deadline = search_clock() + options->time_limit;
    while (b.at < count) {
        if (b.at >= b.next && count - b.at > 1 && search_clock() < b.deadline) {
            if (search_step(&b))
                continue;
            b.next = b.at + 1 + ++b.failures / RARER;
        }
        plain_step(&b);
        if (options->progress)
            options->progress(b.at, count);
    }
    flush_raw(&b);
    out->exact = b.at == count && !b.wrong;
}

void model_free(model *m)
{
    for (size_t i = 0; i < m->nests; i++)
        affine_nest_free(&m->nest[i]);
    free(m->nest);
    memset(m, 0, sizeof *m);
}

uint64_t model_affine(const model *m)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < m->nests; i++)
        sum += m->nest[i].depth ? m->nest[i].accesses : 0;
    return sum;
}
