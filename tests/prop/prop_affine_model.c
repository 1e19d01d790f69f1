/* SPDX-License-Identifier: MIT */
/* Address models against their streams: random nests and noise. The oracle of minimal depth searches exhaustively for
 * two loops; it shares no code with the engines. */
#include <stdlib.h>

#include "tests/lib/address_streams.h"
#include "tests/lib/check.h"
#include "tools/lib/affine/model.h"
#include "tools/lib/affine/near.h"

/* True if the stream consists of rows: the first has `count` values, each further one `slope` more. */
static bool rows_do(int64_t count, int64_t slope, int64_t step, int64_t outer)
{
    int64_t start = stream[0];
    size_t at = 0;
    while (at < length && count > 0) {
        int64_t i = 0;
        while (i < count && at < length && stream[at] == start + i * step)
            at++, i++;
        if (i < count)
            break;
        start += outer;
        count += slope;
    }
    return at == length;
}

/* True if one loop, or two with an affine bound, give the stream: each length of the first row is tried. */
static bool two_loops_do(void)
{
    for (size_t row = 1; row < length; row++) {
        int64_t inner = row > 1 ? stream[1] - stream[0] : 0, outer = stream[row] - stream[0];
        if (row > 2 && stream[row - 1] - stream[row - 2] != inner)
            return false;
        size_t second = 0;
        for (second = row + 1; second < length && row > 1 && stream[second] - stream[second - 1] == inner; second++)
            ;
        for (size_t end = row + 1; end <= (row > 1 ? second : row + 1 < length ? length : row + 1); end++) {
            int64_t slope = (int64_t)(end - row) - (int64_t)row;
            int64_t step = row > 1 || end - row < 2 ? inner : stream[row + 1] - stream[row];
            if (rows_do((int64_t)row, slope, step, outer))
                return true;
        }
    }
    return false;
}

static void random_nests_regenerate_exactly(void)
{
    check_random random = {20240};
    unsigned one = 0, deeper = 0, cases = check_amount(60, 80, 250);
    for (unsigned i = 0; i < cases; i++) {
        nest n;
        model m;
        model_options options = quick_options();
        random_nest(&n, &random, i % 2);
        model_find(&m, stream, length, &options);
        one += m.nests == 1;
        deeper += m.nests == 1 && m.nest[0].depth > n.loops;
        bool right = regenerates(&m) && regenerates_from_text(&m) && bounds_are_near(&m);
        model_free(&m);
        if (!right)
            return;
    }
    /* Random nests may hide their loops by chance, but seldom. */
    CHECK(one >= cases * 9 / 10);
    CHECK(deeper <= cases / 20);
}

/* A row of one, then a row of `second`; nothing after them shows how long rows are. Checks what a search makes of
 * it. */
static void a_bound_that_nothing_reached_is_brought_near(void)
{
    for (int64_t second = 1; second <= 100; second++) {
        affine_nest two = {.depth = 2, .base = 500, .accesses = 1 + (uint64_t)second};
        int64_t values[101] = {500};
        two.level = calloc(2, sizeof *two.level);
        two.level[0] = (affine_level){.coefficient = 1000, .uppers = 1, .upper[0] = {.constant = 1, .divisor = 1}};
        two.level[1] = (affine_level){.coefficient = 8, .uppers = 1, .upper[0] = {.divisor = 1}};
        two.level[1].upper[0].slope[0] = ((int64_t)1 << 30) + 1;
        for (int64_t i = 0; i < second; i++)
            values[1 + i] = 1500 + 8 * i;
        affine_bring_near(&two, values);
        int64_t slope = two.level[1].upper[0].slope[0];
        bool same = affine_match(&two, values, two.accesses, AFFINE_PATIENCE) == two.accesses;
        bool ends = two.whole == (slope == second - 1);
        affine_nest_free(&two);
        CHECK(same && ends);
        CHECK(slope >= second - 1 && slope <= 2 * second + 1);
    }
}

static void plain_nests_have_the_least_depth(void)
{
    check_random random = {77};
    for (unsigned i = 0; i < check_amount(50, 80, 400); i++) {
        nest n;
        model m;
        model_options options = quick_options();
        options.single = true;
        random_nest(&n, &random, false);
        if (length > 400 || length < 3)
            continue;
        model_find(&m, stream, length, &options);
        unsigned depth = m.nests == 1 ? m.nest[0].depth : 99;
        bool right = regenerates(&m);
        model_free(&m);
        CHECK(right);
        if (depth > 2)
            CHECK(!two_loops_do());
    }
}

static void noise_comes_back(void)
{
    check_random random = {5};
    static const unsigned bits[] = {1, 2, 8, 31, 64};
    for (unsigned i = 0; i < check_amount(5, 8, 60); i++) {
        model m;
        model_options options = quick_options();
        options.single = i % 3 == 0;
        length = check_random_below(&random, 400);
        for (size_t k = 0; k < length; k++) {
            uint64_t value = (uint64_t)check_random_next(&random) << 32 | check_random_next(&random);
            stream[k] = (int64_t)(value >> (64 - bits[i % 5]));
        }
        model_find(&m, stream, length, &options);
        bool right = regenerates(&m) && regenerates_from_text(&m);
        model_free(&m);
        CHECK(right);
    }
}

static void values_at_the_ends_of_64_bits_come_back(void)
{
    static const int64_t ends[] = {INT64_MIN, INT64_MAX, 0, -1, 1, INT64_MIN + 1, INT64_MAX - 1};
    check_random random = {9};
    for (unsigned i = 0; i < 120; i += check_amount(7, 3, 1)) {
        model m;
        model_options options = quick_options();
        length = check_random_below(&random, 60);
        for (size_t k = 0; k < length; k++)
            stream[k] = i < 60  ? ends[check_random_below(&random, 7)]
                        : i % 2 ? INT64_MAX - (int64_t)(k % 7)
                                : INT64_MIN + (int64_t)(k * k);
        model_find(&m, stream, length, &options);
        bool right = regenerates(&m) && regenerates_from_text(&m);
        model_free(&m);
        CHECK(right);
    }
}

static bool is_one_nest(unsigned rows, unsigned columns)
{
    model m;
    model_options options = quick_options();
    length = 0;
    for (unsigned i = 0; i < rows; i++)
        for (unsigned j = 0; j < columns; j++)
            stream[length++] = 1000 + 100 * i + 8 * j;
    model_find(&m, stream, length, &options);
    bool right = regenerates(&m) && m.nests == 1 && m.nest[0].depth == 2;
    model_free(&m);
    return right;
}

static void small_nests_are_nests(void)
{
    for (unsigned rows = 2; rows <= 5; rows++)
        for (unsigned columns = 3; columns <= 5; columns++)
            CHECK(is_one_nest(rows, columns));
}

int main(void)
{
    RUN(random_nests_regenerate_exactly);
    RUN(a_bound_that_nothing_reached_is_brought_near);
    RUN(plain_nests_have_the_least_depth);
    RUN(noise_comes_back);
    RUN(values_at_the_ends_of_64_bits_come_back);
    RUN(small_nests_are_nests);
    return check_failed();
}
