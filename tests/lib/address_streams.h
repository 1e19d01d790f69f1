/* SPDX-License-Identifier: MIT */
/* One stream of addresses, of random nests too, and whether a model gives it back. For tests of one file. */
#ifndef WEFT_TESTS_LIB_ADDRESS_STREAMS_H
#define WEFT_TESTS_LIB_ADDRESS_STREAMS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tools/lib/affine/binary.h"
#include "tools/lib/affine/json.h"
#include "tools/lib/affine/model.h"
#include "tools/lib/affine/text.h"

enum { STREAM_MAX = 40000, LOOPS_MAX = 4 };

static int64_t stream[STREAM_MAX];
static size_t length;

/* A random nest: upper bounds are one or two affine functions of the outer indices. */
typedef struct nest {
    unsigned loops;
    int64_t coefficient[LOOPS_MAX], constant[LOOPS_MAX][2], slope[LOOPS_MAX][2][LOOPS_MAX];
    bool capped[LOOPS_MAX];
} nest;

static inline void run_nest(const nest *n, unsigned l, int64_t *index, int64_t address)
{
    if (l == n->loops) {
        if (length < STREAM_MAX)
            stream[length++] = address;
        return;
    }
    int64_t end = INT64_MAX;
    for (unsigned f = 0; f < 1u + n->capped[l]; f++) {
        int64_t bound = n->constant[l][f];
        for (unsigned m = 0; m < l; m++)
            bound += n->slope[l][f][m] * index[m];
        end = bound < end ? bound : end;
    }
    for (index[l] = 0; index[l] <= end; index[l]++)
        run_nest(n, l + 1, index, address + n->coefficient[l] * index[l]);
}

static inline void random_nest(nest *n, check_random *random, bool capped)
{
    static const int64_t factors[] = {0, 1, 4, 8, -8, 24, 400, -320, 1600, 12345};
    int64_t index[LOOPS_MAX] = {0};
    memset(n, 0, sizeof *n);
    n->loops = 1 + check_random_below(random, LOOPS_MAX);
    for (unsigned l = 0; l < n->loops; l++) {
        n->coefficient[l] = factors[check_random_below(random, 10)];
        n->capped[l] = capped && l > 0 && check_random_below(random, 3) == 0;
        for (unsigned f = 0; f < 2; f++) {
            n->constant[l][f] = 1 + check_random_below(random, 7);
            for (unsigned m = 0; m < l; m++)
                n->slope[l][f][m] = check_random_below(random, 3) ? 0 : (int64_t)check_random_below(random, 4) - 1;
        }
    }
    length = 0;
    run_nest(n, 0, index, 1000000);
}

static inline bool take_back(void *context, const int64_t *values, size_t count)
{
    size_t *at = context;
    if (count > length - *at || memcmp(values, stream + *at, count * sizeof *values))
        return false;
    *at += count;
    return true;
}

/* The nests, as bytes and back, generate the stream. */
static inline bool regenerates(const model *m)
{
    affine_bytes bytes = {0};
    size_t at = 0, read = 0;
    EXPECT(m->exact);
    for (size_t i = 0; i < m->nests; i++)
        affine_encode(&m->nest[i], &bytes);
    while (read < bytes.size) {
        affine_nest back;
        EXPECT(affine_decode(&back, bytes.bytes, bytes.size, &read));
        bool same = affine_generate(&back, take_back, &at);
        affine_nest_free(&back);
        EXPECT(same);
    }
    free(bytes.bytes);
    EXPECT(at == length);
    return true;
}

static inline bool parsed_back(void *context, affine_nest *back)
{
    bool same = affine_generate(back, take_back, context);
    affine_nest_free(back);
    return same;
}

static inline bool regenerates_from_text(const model *m)
{
    char error[160];
    size_t at = 0;
    FILE *file = tmpfile();
    EXPECT(file != NULL);
    for (size_t i = 0; i < m->nests; i++)
        affine_print(&m->nest[i], file);
    rewind(file);
    bool parsed = affine_parse(file, parsed_back, &at, error);
    fclose(file);
    EXPECT(parsed);
    EXPECT(at == length);
    return true;
}

/* No bound of a nest is farther than its accesses can reach. */
static inline bool is_far(const affine_face *face, unsigned outer)
{
    bool far = face->constant > 1 << 28 || face->constant < -(1 << 28);
    for (unsigned l = 0; l < outer; l++)
        far = far || face->slope[l] > 1 << 28 || face->slope[l] < -(1 << 28);
    return far;
}

static inline bool bounds_are_near(const model *m)
{
    for (size_t i = 0; i < m->nests; i++)
        for (unsigned l = 0; l < m->nest[i].depth; l++) {
            const affine_level *level = &m->nest[i].level[l];
            for (unsigned f = 0; f < level->uppers; f++)
                EXPECT(!is_far(&level->upper[f], l));
            for (unsigned f = 0; f < level->lowers; f++)
                EXPECT(!is_far(&level->lower[f], l));
        }
    return true;
}

static inline model_options quick_options(void)
{
    model_options options;
    model_defaults(&options);
    return options;
}

#endif
