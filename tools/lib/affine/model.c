/* SPDX-License-Identifier: MIT */
/* From searches for single nests to a model of the whole stream: the best nest for what is left (model_best.h), then
 * the rest of the stream again, where its next strides look like rows. What no nest explains at a fair price becomes
 * a raw run. After failures, searches are tried ever more rarely.
 *
 * Searches are bounded by the work they do, so that the result is the same on every machine. */
#include "tools/lib/affine/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/affine/binary.h"
#include "tools/lib/affine/model_best.h"
#include "tools/lib/affine/model_limits.h"
#include "tools/lib/affine/model_rows.h"
#include "tools/lib/affine/model_weight.h"
#include "tools/lib/affine/near.h"
#include "tools/lib/base/clock.h"
#include "tools/lib/base/memory.h"

enum { NODES = 2000 }; /* nodes held : 2 to 10^6 : forgets fewer, finds more nests; more memory */

void model_defaults(model_options *options)
{
    *options = (model_options){.depth_max = AFFINE_DEPTH,
                               .time_limit = HUGE_VAL,
                               .rounds = MODEL_ROUNDS,
                               .threads = MODEL_THREADS,
                               .nodes_max = NODES};
}

typedef struct builder {
    const int64_t *values;
    uint64_t count, at;
    const model_options *options;
    double deadline;
    model *out;
    uint64_t raw;      /* values before `at` that no nest holds yet */
    bool wrong;        /* a nest did not generate its values */
    uint64_t next;     /* no search before this position */
    uint64_t failures; /* searches that found nothing; a success halves them */
    uint64_t work;     /* done by searches after the first nest */
    memo *memory[MODEL_THREADS];
} builder;

/* ---- the sequence ---- */

static void append(builder *b, affine_nest nest)
{
    model *m = b->out;
    m->nest = memory_room(m->nest, m->nests, &m->nests_max, sizeof *m->nest);
    m->nest[m->nests++] = nest;
}

static void flush_raw(builder *b)
{
    if (!b->raw)
        return;
    const int64_t *from = b->values + b->at - b->raw;
    affine_nest nest = {.base = *from, .accesses = b->raw, .whole = true};
    if (b->raw > 1) {
        nest.raw = memory_grow(NULL, b->raw, sizeof *from);
        memcpy(nest.raw, from, b->raw * sizeof *from);
    }
    append(b, nest);
    b->raw = 0;
}

/* Takes over a nest that generates the next values: found by a search, which checked that, or checked here. */
static void take(builder *b, affine_nest nest, bool checked)
{
    flush_raw(b);
    if (!checked && affine_match(&nest, b->values + b->at, b->count - b->at, AFFINE_PATIENCE) != nest.accesses)
        b->wrong = true;
    append(b, nest);
    b->at += nest.accesses;
}

/* True if the nest is worth having. If it is the whole model, it may have no more numbers than the stream. If it is a
 * part, it must take fewer bytes than its values would. */
static bool pays(const builder *b, const affine_nest *nest)
{
    affine_bytes affine = {0}, plain = {0};
    affine_nest raw = {.base = b->values[b->at], .accesses = nest->accesses, .whole = true};
    raw.raw = (int64_t *)(uintptr_t)(b->values + b->at);
    if (nest->accesses > MODEL_PAYS)
        return true;
    if (nest->accesses == b->count)
        return model_parameters(nest) <= b->count;
    affine_encode(nest, &affine);
    affine_encode(&raw, &plain);
    bool less = affine.size < plain.size;
    /* Both sizes hold one number that moves with the stream. If these are the same number, the comparison does not
     * move. */
    uint64_t apart = less ? plain.size - affine.size : affine.size - plain.size;
    if (nest->base != raw.base && apart <= WEFT_VARINT64_MAX)
        b->out->movable = false;
    free(affine.bytes);
    free(plain.bytes);
    return less;
}

/* ---- steps ---- */

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
        nest.level = memory_grow(NULL, 1, sizeof level);
        *nest.level = level;
        take(b, nest, false);
    } else {
        b->at++;
        b->raw++;
    }
}

/* The best nest at the present position, if at most `rounds` rounds of searches find one. */
static bool best_here(builder *b, affine_nest *nest, unsigned rounds)
{
    model_rest rest = {.values = b->values + b->at,
                       .count = b->count - b->at,
                       .all = b->at == 0,
                       .options = b->options,
                       .deadline = b->deadline};
    memcpy(rest.memory, b->memory, sizeof rest.memory);
    bool found = model_best_nest(&rest, nest, rounds);
    b->work += rest.work;
    return found;
}

/* The whole stream gets all rounds. Later ones a quick look first, and one round if that finds something. */
static bool search_here(builder *b, affine_nest *nest)
{
    if (b->at == 0) {
        bool regular = b->options->single || model_has_rows(b->values, b->count);
        bool found = best_here(b, nest, regular ? b->options->rounds : 0);
        b->work = 0; /* the rest has a budget of its own */
        return found;
    }
    bool found = model_may_begin(b->values + b->at, b->count - b->at) && best_here(b, nest, 0);
    if (!found || !pays(b, nest) || nest->accesses == b->count - b->at || nest->accesses < MODEL_GOOD)
        return found;
    affine_nest_free(nest);
    return best_here(b, nest, 1);
}

/* False: no nest that pays begins here. */
static bool search_step(builder *b)
{
    affine_nest nest;
    if (!search_here(b, &nest))
        return false;
    affine_bring_near(&nest, b->values + b->at);
    if (!pays(b, &nest)) {
        affine_nest_free(&nest);
        return false;
    }
    b->failures /= 2;
    take(b, nest, true);
    return true;
}

/* The work that searches after the first nest may do. */
static uint64_t rest_work(const model_options *options)
{
    uint64_t work = (uint64_t)MODEL_WORK_ROUND * MODEL_WORK_REST;
    for (unsigned round = 1; round < options->rounds; round++)
        work *= MODEL_WORK_MORE;
    return work;
}

/* One for each thread of a batch; the first may be the caller's. */
static void get_memories(builder *b)
{
    for (unsigned i = 0; i < MODEL_THREADS && i < b->options->threads; i++)
        b->memory[i] = i == 0 && b->options->memory ? b->options->memory : memo_new();
}

static void free_memories(builder *b)
{
    for (unsigned i = 0; i < MODEL_THREADS; i++)
        if (b->memory[i] != b->options->memory)
            memo_free(b->memory[i]);
}

void model_find(model *out, const int64_t *values, uint64_t count, const model_options *options)
{
    builder b = {.values = values, .count = count, .options = options, .out = out};
    uint64_t work_max = rest_work(options);
    memset(out, 0, sizeof *out);
    out->accesses = count;
    out->movable = true;
    b.deadline = clock_seconds() + options->time_limit;
    get_memories(&b);
    while (b.at < count) {
        if (b.at >= b.next && count - b.at > 1 && b.work < work_max && clock_seconds() < b.deadline) {
            if (search_step(&b))
                continue;
            b.next = b.at + 1 + ++b.failures / MODEL_RARER;
        }
        plain_step(&b);
        if (options->progress)
            options->progress(b.at, count);
    }
    free_memories(&b);
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
