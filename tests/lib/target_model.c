/* SPDX-License-Identifier: MIT */
#include "tests/lib/target_model.h"

#include <stdlib.h>
#include <string.h>

#include "core/tre.h"
#include "tools/lib/affine/tre.h"

/* Compares what the records generate with the stream. */
typedef struct comparison {
    const int64_t *values;
    size_t count, at;
} comparison;

static bool same_values(void *context, const int64_t *values, size_t count)
{
    comparison *c = context;
    for (size_t i = 0; i < count; i++, c->at++)
        if (c->at >= c->count || (uint32_t)values[i] != (uint32_t)c->values[c->at])
            return false;
    return true;
}

static void *enough(void *old, size_t size)
{
    void *grown = realloc(old, size);
    if (!grown)
        exit(1);
    return grown;
}

/* The record as the host's engine describes nests. False: it is not what core/tre writes. */
static bool read_nest(affine_nest *nest, weft_reader *reader)
{
    tre_record record;
    memset(nest, 0, sizeof *nest);
    if (!tre_read(reader, &record) || (!record.levels && record.accesses > WEFT_TRE_PLAIN_MAX))
        return false;
    nest->accesses = record.accesses;
    nest->depth = record.levels;
    nest->base = record.base;
    nest->whole = record.levels == 0;
    if (record.levels)
        nest->level = enough(NULL, record.levels * sizeof *nest->level);
    else
        nest->raw = enough(NULL, record.accesses * sizeof *nest->raw);
    for (unsigned l = 0; l < record.levels; l++) {
        affine_level *level = &nest->level[l];
        memset(level, 0, sizeof *level);
        level->coefficient = record.coefficient[l];
        level->uppers = 1;
        level->upper[0].divisor = 1;
        level->upper[0].constant = record.constant[l];
        for (unsigned m = 0; m < l; m++)
            level->upper[0].slope[m] = record.slope[l][m];
    }
    for (uint32_t i = 0, address = record.base; nest->raw && i < record.accesses; i++) {
        address += i ? (uint32_t)weft_unzigzag(weft_read_varint(&record.list)) : 0;
        nest->raw[i] = address;
    }
    return true;
}

size_t target_model_find(model *out, const int64_t *values, size_t count, unsigned levels)
{
    weft_tre tre;
    weft_tre_level level[WEFT_TRE_LEVELS_MAX];
    weft_writer to;
    comparison c = {values, count, 0};
    size_t room = 8 * count + 256;
    weft_reader from;
    uint8_t *bytes = enough(NULL, room);
    memset(out, 0, sizeof *out);
    weft_writer_init(&to, bytes, room);
    out->exact = weft_tre_init(&tre, level, levels) == WEFT_OK;
    for (size_t i = 0; i < count && out->exact; i++)
        out->exact = weft_tre_push(&tre, (uint32_t)values[i], &to) == WEFT_OK;
    out->exact = out->exact && weft_tre_flush(&tre, &to) == WEFT_OK;
    weft_reader_init(&from, bytes, to.size);
    while (weft_reader_left(&from) && out->exact) {
        affine_nest nest;
        out->exact = read_nest(&nest, &from);
        if (!out->exact)
            break;
        out->exact = affine_generate(&nest, same_values, &c);
        out->accesses += nest.accesses;
        out->nest = enough(out->nest, (out->nests + 1) * sizeof nest);
        out->nest[out->nests++] = nest;
    }
    out->exact = out->exact && c.at == count;
    free(bytes);
    return to.size;
}

bool same_loops(const affine_nest *a, const affine_nest *b)
{
    affine_cursor x, y;
    if (a->depth != b->depth || (uint32_t)a->base != (uint32_t)b->base || a->accesses != b->accesses)
        return false;
    if (!a->depth)
        return a->accesses == 1;
    for (unsigned l = 0; l < a->depth; l++)
        if ((uint32_t)a->level[l].coefficient != (uint32_t)b->level[l].coefficient)
            return false;
    bool more = affine_first(&x, a->level, a->depth, a->base, AFFINE_PATIENCE) &&
                affine_first(&y, b->level, b->depth, b->base, AFFINE_PATIENCE);
    for (uint64_t at = 0; more && at < a->accesses;) {
        unsigned inner = a->depth - 1;
        uint64_t left = a->accesses - at, row = (uint64_t)(x.upper[inner] - x.index[inner]) + 1;
        uint64_t other = (uint64_t)(y.upper[inner] - y.index[inner]) + 1;
        if (memcmp(x.index, y.index, a->depth * sizeof *x.index) ||
            (row < left ? row : left) != (other < left ? other : left))
            return false;
        at += row;
        more = affine_next_row(&x) && affine_next_row(&y);
    }
    return true;
}

bool target_compare(target_tally *tally, const int64_t *values, size_t count)
{
    model host, target;
    model_options options;
    model_defaults(&options);
    options.single = true;
    options.depth_max = WEFT_TRE_LEVELS_MAX;
    model_find(&host, values, count, &options);
    tally->bytes += target_model_find(&target, values, count, WEFT_TRE_LEVELS_MAX);
    bool one = host.nests == 1 && (host.nest[0].depth || count == 1);
    bool same = one && target.nests == 1 && same_loops(&host.nest[0], &target.nest[0]);
    tally->streams++;
    tally->one += one;
    tally->same += same;
    tally->lossy += !target.exact;
    tally->accesses += count;
    model_free(&host);
    model_free(&target);
    return same || !one;
}
