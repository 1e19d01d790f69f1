/* SPDX-License-Identifier: MIT */
/* Models of many streams at once, by threads, are those of each alone. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/address_streams.h"
#include "tests/lib/check.h"
#include "tests/lib/tiling_streams.h"
#include "tools/lib/affine/binary.h"
#include "tools/lib/affine/many.h"
#include "tools/lib/affine/model.h"

/* Random nests, each with two copies at other places, and noise: more streams than threads. */
enum { MANY_STREAMS = 24, MANY_MAX = 300 };

static void fill_many(int64_t values[MANY_STREAMS][MANY_MAX], many_stream *all)
{
    check_random random = {4242};
    for (unsigned i = 0; i < MANY_STREAMS; i++) {
        nest n;
        int64_t apart = (int64_t)check_random_below(&random, 1u << 30) - (1 << 29);
        if (i % 3 == 0) {
            random_nest(&n, &random, true);
            for (size_t k = 0; i % 4 == 0 && k < length; k++)
                stream[k] = (int64_t)check_random_below(&random, 1000) * 4;
            length = length < MANY_MAX ? length : MANY_MAX;
        }
        for (size_t k = 0; k < length; k++)
            values[i][k] = stream[k] + (i % 3 ? apart : 0);
        all[i] = (many_stream){values[i], length};
    }
}

static void many_streams_are_modelled_as_each_alone(void)
{
    static int64_t values[MANY_STREAMS][MANY_MAX];
    many_stream all[MANY_STREAMS];
    model together[MANY_STREAMS];
    fill_many(values, all);
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        many_options options = {.model = quick_options(), .threads = threads};
        bool right = true;
        options.model.rounds = 1;
        many_find(together, all, MANY_STREAMS, &options);
        for (unsigned i = 0; i < MANY_STREAMS; i++) {
            model alone;
            model_find(&alone, all[i].values, all[i].count, &options.model);
            affine_bytes a = model_encode(&alone), b = model_encode(&together[i]);
            right = right && a.size == b.size && !memcmp(a.bytes, b.bytes, a.size);
            free(a.bytes);
            free(b.bytes);
            model_free(&alone);
            model_free(&together[i]);
        }
        CHECK(right);
    }
}

/* The nests of the stream, as bytes. */
static affine_bytes nests_found_by(unsigned threads)
{
    affine_bytes bytes = {0};
    model m;
    model_options options = quick_options();
    options.threads = threads;
    options.rounds = 1;
    model_find(&m, stream, length, &options);
    for (size_t n = 0; n < m.nests; n++)
        affine_encode(&m.nest[n], &bytes);
    model_free(&m);
    return bytes;
}

static void the_result_does_not_depend_on_threads(void)
{
    for (unsigned k = 0; k < tilings_count(); k++) {
        const char *name = tilings_get(k)->name;
        if (strcmp(name, "jacobi-1d") && strcmp(name, "trisolv") && strcmp(name, "symm"))
            continue;
        CHECK(load_tiling(tilings_get(k), 0, &tiling_sets[1]));
        affine_bytes one = nests_found_by(1), four = nests_found_by(4);
        bool same = one.size == four.size && !memcmp(one.bytes, four.bytes, one.size);
        free(one.bytes);
        free(four.bytes);
        CHECK(same);
    }
}

int main(void)
{
    RUN(the_result_does_not_depend_on_threads);
    RUN(many_streams_are_modelled_as_each_alone);
    return check_failed();
}
