/* SPDX-License-Identifier: MIT */
/* Address models of programs: the PolyBench references, and tiled nests, take the loops of their source. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/address_streams.h"
#include "tests/lib/check.h"
#include "tests/lib/sites.h"
#include "tests/lib/tiling_streams.h"
#include "tools/lib/affine/model.h"

/* For each reference of the kernels from `first` to before `end`: one whole nest of at most depth_max loops. */
static bool one_nest_each(unsigned first, unsigned end, unsigned size, unsigned depth_max)
{
    for (unsigned k = first; k < end; k++) {
        sites all;
        bool right = true;
        sites_collect(&all, k, size);
        for (unsigned s = 0; s < all.count; s++) {
            model m;
            model_options options;
            if (!all.site[s].count)
                continue;
            model_defaults(&options);
            model_find(&m, all.site[s].address, all.site[s].count, &options);
            if (m.nests != 1 || !m.exact || !m.nest[0].whole || m.nest[0].depth > depth_max) {
                printf("# %s, %s: %zu nests, depth %u\n", polybench_name(k), all.site[s].reference, m.nests,
                       m.nest[0].depth);
                right = false;
            }
            model_free(&m);
        }
        sites_free(&all);
        EXPECT(right);
    }
    return true;
}

static void every_plain_polybench_reference_is_one_nest(void)
{
    CHECK(!polybench_tiled(29) && polybench_tiled(30));
    CHECK(one_nest_each(13, 14, POLYBENCH_SMALL, 4)); /* doitgen */
    CHECK(one_nest_each(26, 27, POLYBENCH_SMALL, 4)); /* heat-3d */
    if (!check_long())                                /* the others, of the smaller size: prop_affine_target.c */
        return;
    CHECK(one_nest_each(0, 13, POLYBENCH_SMALL, 3));
    CHECK(one_nest_each(14, 26, POLYBENCH_SMALL, 3));
    CHECK(one_nest_each(27, 30, POLYBENCH_SMALL, 3));
    CHECK(one_nest_each(0, 30, POLYBENCH_MINI, 4));
}

static void tiled_polybench_references_are_one_nest(void)
{
    for (unsigned size = POLYBENCH_MINI; size <= (check_long() ? POLYBENCH_SMALL : POLYBENCH_MINI); size++) {
        CHECK(one_nest_each(30, 31, size, 6)); /* gemm */
        CHECK(one_nest_each(31, 32, size, 4)); /* mvt */
        if (check_quick())
            return;
        CHECK(one_nest_each(32, 35, size, 6)); /* syrk, trmm, cholesky */
        CHECK(one_nest_each(35, 36, size, 5)); /* floyd-warshall */
        CHECK(one_nest_each(36, 38, size, 4)); /* deriche, jacobi-1d */
        CHECK(one_nest_each(38, 39, size, 5)); /* seidel-2d */
        CHECK(one_nest_each(39, 40, size, 6)); /* jacobi-2d */
    }
}

static bool deeper_than_source(const model *m, const tiling *t)
{
    return m->nest[0].depth > strlen(t->order);
}

static void tiled_nests_are_one_nest(void)
{
    unsigned total = 0, deeper = 0;
    for (unsigned k = 0; k < tilings_count(); k += check_amount(13, 11, 1)) {
        const tiling *t = tilings_get(k);
        for (unsigned c = 0; c < check_amount(1, 1, 3) * !t->hard * tiling_refs(t); c++) {
            model m;
            model_options options = quick_options();
            CHECK(load_tiling(t, c % tiling_refs(t), &tiling_sets[c / tiling_refs(t)]));
            model_find(&m, stream, length, &options);
            bool one = m.nests == 1 && m.nest[0].whole, right = regenerates(&m);
            if (!one || deeper_than_source(&m, t))
                printf("# %s, %u: %zu nests, depth %u\n", t->name, c, m.nests, m.nest[0].depth);
            total++;
            deeper += deeper_than_source(&m, t);
            model_free(&m);
            CHECK(right);
            CHECK(one);
        }
    }
    CHECK(deeper * 20 <= total);
}

/* Divisors that divide the extents, and that do not. */
static void rational_bounds_take_the_loops_of_their_source(void)
{
    static const int64_t extents[][3] = {{20, 25, 9}, {24, 24, 12}, {45, 13, 5}, {36, 17, 7}};
    for (unsigned k = 0; k < tilings_count(); k++) {
        const tiling *t = tilings_get(k);
        bool plain = !strncmp(t->name, "rational", 8) && !strpbrk(t->order, "IJK");
        for (unsigned c = 0; c < check_amount(1, 1, 4) * plain * tiling_refs(t); c++) {
            const int64_t *extent = extents[c / tiling_refs(t)];
            tiling_sizes sizes = {extent[0], extent[1], extent[2], {1, 1, 1}, 0x20000000, 8};
            model m;
            model_options options = quick_options();
            CHECK(load_tiling(t, c % tiling_refs(t), &sizes));
            model_find(&m, stream, length, &options);
            bool right = regenerates(&m) && m.nests == 1 && m.nest[0].whole && !deeper_than_source(&m, t);
            if (!right)
                printf("# %s, %u: %zu nests, depth %u\n", t->name, c, m.nests, m.nest[0].depth);
            model_free(&m);
            CHECK(right);
        }
    }
}

static int64_t floor_of(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Rows from ceil to floor of random lines. */
static void random_rational_rows_are_two_loops(void)
{
    check_random random = {1234};
    unsigned total = 0, two = 0;
    for (unsigned c = 0; c < check_amount(25, 40, 600); c++) {
        int64_t rows = 8 + check_random_below(&random, 80), outer = (int64_t)check_random_below(&random, 3) * 400,
                inner = 8;
        int64_t divisor[2] = {2 + check_random_below(&random, 4), 2 + check_random_below(&random, 4)};
        int64_t slope[2] = {(int64_t)check_random_below(&random, 3), 1 + (int64_t)check_random_below(&random, 7)};
        int64_t constant[2] = {0, check_random_below(&random, 12)};
        bool lower = check_random_below(&random, 2), kept = true;
        length = 0;
        for (int64_t i = 0; i < rows && kept; i++) {
            int64_t from = lower ? -floor_of(-slope[0] * i - constant[0], divisor[0]) : 0;
            int64_t to = floor_of(slope[1] * i + constant[1], divisor[1]);
            kept = from <= to;
            for (int64_t j = from; j <= to; j++)
                stream[length++] = 1000000 + outer * i + inner * j;
        }
        if (!kept)
            continue;
        model m;
        model_options options = quick_options();
        model_find(&m, stream, length, &options);
        bool right = regenerates(&m);
        total++;
        two += m.nests == 1 && m.nest[0].depth <= 2;
        model_free(&m);
        CHECK(right);
    }
    printf("# %u of %u come out as two loops\n", two, total);
    CHECK(two * 100 >= total * 95);
}

static bool has_divisors(const affine_nest *n)
{
    bool any = false;
    for (unsigned l = 0; l < n->depth; l++) {
        for (unsigned f = 0; f < n->level[l].uppers; f++)
            any = any || n->level[l].upper[f].divisor != 1;
        for (unsigned f = 0; f < n->level[l].lowers; f++)
            any = any || n->level[l].lower[f].divisor != 1;
    }
    return any;
}

/* Loops i, j and k <= i + 3, with j of some length. In memory, j goes on where the last iteration of i left off. */
static void fill_triangle(int64_t columns)
{
    length = 0;
    for (int64_t i = 0; i < 12; i++)
        for (int64_t j = 0; j < columns; j++)
            for (int64_t k = 0; k <= i + 3; k++)
                stream[length++] = 4 * (columns * i + j) + 8000 * k;
}

static void rounding_hides_short_loops_only(void)
{
    for (int64_t columns = 2; columns <= 40; columns++) {
        model m;
        model_options options = quick_options();
        fill_triangle(columns);
        model_find(&m, stream, length, &options);
        bool right = regenerates(&m) && m.nests == 1 && m.nest[0].depth == (columns <= 8 ? 2 : 3) &&
                     has_divisors(&m.nest[0]) == (columns <= 8);
        model_free(&m);
        CHECK(right);
    }
}

/* Tiles that divide the extents, as loops of constant length. */
static void rounding_hides_no_tiles(void)
{
    for (unsigned k = 0; k < tilings_count(); k++) {
        const tiling *t = tilings_get(k);
        for (unsigned ref = 0; ref < (strncmp(t->name, "gemm", 4) ? 0 : tiling_refs(t)); ref++) {
            static const tiling_sizes sizes = {24, 24, 12, {6, 8, 4}, 0x10000, 2};
            model m;
            model_options options = quick_options();
            CHECK(load_tiling(t, ref, &sizes));
            model_find(&m, stream, length, &options);
            bool right = regenerates(&m) && m.nests == 1 && !has_divisors(&m.nest[0]);
            model_free(&m);
            CHECK(right);
        }
    }
}

/* Every eighth one; with WEFT_LONG all. */
static void hard_tiled_nests_regenerate_exactly(void)
{
    unsigned total = 0, one = 0;
    for (unsigned k = 0; k < tilings_count(); k++) {
        const tiling *t = tilings_get(k);
        model m;
        model_options options = quick_options();
        if (!t->hard || check_quick() || (k % 16 && !check_long()))
            continue;
        options.rounds = 1;
        CHECK(load_tiling(t, 0, &tiling_sets[0]));
        model_find(&m, stream, length, &options);
        bool right = regenerates(&m);
        total++;
        one += m.nests == 1;
        model_free(&m);
        CHECK(right);
    }
    printf("# in the first round of searches, %u of %u come out as one nest\n", one, total);
    CHECK(one + 1 >= total);
}

int main(void)
{
    RUN(every_plain_polybench_reference_is_one_nest);
    RUN(tiled_polybench_references_are_one_nest);
    RUN(tiled_nests_are_one_nest);
    RUN(rational_bounds_take_the_loops_of_their_source);
    RUN(random_rational_rows_are_two_loops);
    RUN(rounding_hides_short_loops_only);
    RUN(rounding_hides_no_tiles);
    RUN(hard_tiled_nests_regenerate_exactly);
    return check_failed();
}
