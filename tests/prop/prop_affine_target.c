/* SPDX-License-Identifier: MIT */
/* The target's engine against the streams, and its nests against the host's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/address_streams.h"
#include "tests/lib/check.h"
#include "tests/lib/sites.h"
#include "tests/lib/target_model.h"
#include "tests/lib/tiling_streams.h"
#include "tools/lib/affine/model.h"

static void the_target_engine_loses_nothing(void)
{
    check_random random = {31};
    for (unsigned i = 0; i < check_amount(300, 300, 3000); i++) {
        nest n;
        model m;
        random_nest(&n, &random, i % 2);
        if (i % 5 == 0)
            for (size_t k = 0; k < length; k += 1 + check_random_below(&random, 50))
                stream[k] = 1000000 + 4 * (int64_t)check_random_below(&random, 1000);
        target_model_find(&m, stream, length, 1 + check_random_below(&random, 6));
        bool exact = m.exact;
        model_free(&m);
        CHECK(exact);
    }
}

/* All streams of up to 8 addresses with strides from four values: every shape that a short nest can run into. */
static void the_target_engine_loses_no_short_stream(void)
{
    static const int64_t strides[] = {0, 1, -1, 2};
    for (unsigned number = 0; number < check_amount(1u << 12, 1u << 12, 1u << 16); number++) {
        model m;
        stream[0] = 100;
        for (length = 1; length <= 8; length++)
            stream[length] = stream[length - 1] + strides[number >> 2 * (length - 1) & 3];
        target_model_find(&m, stream, length, 6);
        bool exact = m.exact;
        model_free(&m);
        CHECK(exact);
    }
}

static void print_tally(const char *of, const target_tally *t)
{
    printf("# %u of %u %s are one nest on the host, %u of them the same on the target; %llu bytes, %llu accesses\n",
           t->one, t->streams, of, t->same, (unsigned long long)t->bytes, (unsigned long long)t->accesses);
}

static void compare_references(target_tally *tally, unsigned k, unsigned size)
{
    sites all;
    sites_collect(&all, k, size);
    for (unsigned s = 0; s < all.count; s++)
        if (all.site[s].count && !target_compare(tally, all.site[s].address, all.site[s].count))
            printf("# %s, %s: other nests\n", polybench_name(k), all.site[s].reference);
    sites_free(&all);
}

static void the_target_finds_the_host_s_nest_of_every_plain_polybench_reference(void)
{
    for (unsigned size = POLYBENCH_MINI; size <= (check_long() ? POLYBENCH_SMALL : POLYBENCH_MINI); size++) {
        target_tally tally = {0};
        for (unsigned k = 0; k < 30; k++)
            compare_references(&tally, k, size);
        print_tally("references", &tally);
        CHECK(tally.lossy == 0);
        CHECK(tally.one == tally.streams && tally.same == tally.one);
    }
}

/* The streams of a tiling's references without its tiles, as sizes `c` make them. */
static void compare_plain(target_tally *tally, const tiling *t, unsigned c, bool rational)
{
    tiling plain = *t;
    char order[16] = "";
    for (const char *loop = t->order; *loop; loop++)
        strncat(order, loop, *loop >= 'a');
    plain.order = order;
    for (unsigned ref = 0; ref < tiling_refs(&plain); ref++) {
        size_t count;
        int64_t *values = tiling_stream(&plain, ref, &tiling_sets[c], &count);
        if (!target_compare(tally, values, count) && !rational)
            printf("# %s, reference %u, sizes %u: other nests\n", plain.name, ref, c);
        free(values);
    }
}

/* The nests of tests/lib/tilings.c without their tiles. Those with rational bounds are not single-domain nests. If
 * the host has one for them, it is deeper than the source by chance, and the target may not find it. */
static void the_target_finds_the_host_s_nest_of_most_generated_streams(void)
{
    target_tally tally[2] = {0};
    for (unsigned c = 0; c < check_amount(1, 1, 3); c++)
        for (unsigned k = 0; k < tilings_count(); k++) {
            bool rational = !strncmp(tilings_get(k)->name, "rational", 8);
            compare_plain(&tally[rational], tilings_get(k), c, rational);
        }
    print_tally("generated streams", &tally[0]);
    print_tally("streams with rational bounds", &tally[1]);
    CHECK(tally[0].lossy == 0 && tally[1].lossy == 0);
    CHECK(tally[0].one * 10 >= tally[0].streams * 9);
    CHECK(tally[0].same * 100 >= tally[0].one * 96);
}

/* Random nests may meet by chance in a way that hides one after a first decision of the engine. */
static void the_target_finds_the_host_s_nest_of_most_random_nests(void)
{
    check_random random = {4711};
    target_tally tally = {0};
    for (unsigned i = 0; i < check_amount(100, 120, 1000); i++) {
        nest n;
        random_nest(&n, &random, false);
        if (length >= 3)
            target_compare(&tally, stream, length);
    }
    print_tally("random nests", &tally);
    CHECK(tally.lossy == 0);
    CHECK(tally.same * 100 >= tally.one * 97);
}

int main(void)
{
    RUN(the_target_engine_loses_nothing);
    RUN(the_target_engine_loses_no_short_stream);
    RUN(the_target_finds_the_host_s_nest_of_every_plain_polybench_reference);
    RUN(the_target_finds_the_host_s_nest_of_most_generated_streams);
    RUN(the_target_finds_the_host_s_nest_of_most_random_nests);
    return check_failed();
}
