/* SPDX-License-Identifier: MIT */
/* What the address engine decides, and what it must not depend on. */
#include <string.h>

#include "core/tre.h"
#include "tests/lib/check.h"

static weft_tre tre;
static weft_tre_level level[WEFT_TRE_LEVELS_MAX];
static uint8_t bytes[200];
static weft_writer out;

static void begin(unsigned levels)
{
    CHECK_EQ(weft_tre_init(&tre, level, levels), WEFT_OK);
    weft_writer_init(&out, bytes, sizeof bytes);
}

/* A[size * r + c] of for r, c <= size */
static uint32_t rows_that_touch(uint32_t i, uint32_t size)
{
    return 4 * (i / (size + 1) * size + i % (size + 1));
}

/* Records of short streams that end a nest where it could have gone on another way: what the steps decide repeats. Each
 * address is relative to the first, 100. */
static void the_steps_choose_the_same_nest_each_time(void)
{
    static const struct chosen {
        uint8_t levels, count, address[17], bytes, record[22];
    } all[] = {
        {3, 7, {0, 0, 0, 1, 2, 2, 3}, 11, {0, 6, 100, 0, 0, 2, 2, 0, 0, 1, 103}},
        {6,
         17,
         {0, 0, 1, 2, 2, 2, 3, 4, 4, 5, 6, 6, 6, 6, 6, 6, 6},
         19,
         {0, 12, 100, 0, 2, 2, 0, 0, 2, 2, 0, 2, 2, 0, 1, 5, 106, 0, 8}},
    };
    for (unsigned i = 0; i < WEFT_COUNT(all); i++) {
        begin(all[i].levels);
        for (unsigned k = 0; k < all[i].count; k++)
            CHECK_EQ(weft_tre_push(&tre, 100u + all[i].address[k], &out), WEFT_OK);
        CHECK_EQ(weft_tre_flush(&tre, &out), WEFT_OK);
        CHECK_EQ(out.size, all[i].bytes);
        CHECK(memcmp(out.bytes, all[i].record, all[i].bytes) == 0);
    }
}

/* The levels beyond those of the nest hold what earlier nests left there. */
static void what_the_memory_of_levels_held_does_not_matter(void)
{
    uint8_t first[64];
    for (unsigned fill = 0; fill < 256; fill += 0x55) {
        memset(level, (int)fill, sizeof level);
        begin(6);
        for (uint32_t i = 0; i < 200; i++)
            CHECK_EQ(weft_tre_push(&tre, rows_that_touch(i, 8), &out), WEFT_OK);
        CHECK_EQ(weft_tre_flush(&tre, &out), WEFT_OK);
        CHECK(bytes[0] == 2 && out.size <= sizeof first);
        if (!fill)
            memcpy(first, bytes, out.size);
        CHECK(memcmp(first, bytes, out.size) == 0);
    }
}

/* The second row is cut off: it would be shorter by more than a slope may be. */
static void a_slope_that_is_not_known_is_0(void)
{
    begin(6);
    for (uint32_t i = 0; i < 40001 + 5; i++)
        CHECK_EQ(weft_tre_push(&tre, rows_that_touch(i, 40000), &out), WEFT_OK);
    CHECK_EQ(out.size, 0);
    CHECK_EQ(weft_tre_flush(&tre, &out), WEFT_OK);
    CHECK_EQ(bytes[0], 2);
    CHECK_EQ(level[1].slope[0], 0);
    CHECK_EQ(bytes[out.size - 1], 0);
}

static uint32_t rows_each_walked_twice(uint32_t i) /* A[r][c] of for r, k < 2, c < r + 2 */
{
    uint32_t row = 2;
    for (; i >= 2 * row; row++)
        i -= 2 * row;
    return 0x20007000u + 4 * (100 * row + i % row);
}

/* An outer index beyond 16 bits, under which a bound has a slope. */
static void a_bound_that_cannot_be_computed_ends_the_nest(void)
{
    begin(3);
    for (uint32_t i = 0; i < 18; i++) /* r < 3 */
        CHECK_EQ(weft_tre_push(&tre, rows_each_walked_twice(i), &out), WEFT_OK);
    CHECK(tre.levels == 3 && level[2].slope[0] == 1 && out.size == 0);
    level[0].index = UINT16_MAX;
    CHECK_EQ(weft_tre_push(&tre, rows_each_walked_twice(18), &out), WEFT_OK);
    CHECK(out.size > 0);
}

/* A row so long that the next one's bound, which may be longer by a slope, is out of range: it has none. */
static void a_bound_that_may_be_out_of_range_is_none(void)
{
    begin(3);
    CHECK_EQ(weft_tre_push(&tre, 100, &out), WEFT_OK);
    CHECK_EQ(weft_tre_push(&tre, 104, &out), WEFT_OK);
    tre.left = INT16_MAX; /* of 2^31 - 2 */
    CHECK_EQ(weft_tre_push(&tre, 50, &out), WEFT_OK);
    CHECK(tre.levels == 2 && level[1].constant == INT32_MAX - 1 - INT16_MAX && level[1].upper > 0);
    begin(3);
    CHECK_EQ(weft_tre_push(&tre, 100, &out), WEFT_OK);
    CHECK_EQ(weft_tre_push(&tre, 104, &out), WEFT_OK);
    tre.left = INT16_MAX - 2;
    CHECK_EQ(weft_tre_push(&tre, 50, &out), WEFT_OK);
    CHECK(tre.levels == 2 && level[1].constant == INT32_MAX + 1ll - INT16_MAX && level[1].upper < 0);
}

int main(void)
{
    RUN(a_bound_that_may_be_out_of_range_is_none);
    RUN(the_steps_choose_the_same_nest_each_time);
    RUN(what_the_memory_of_levels_held_does_not_matter);
    RUN(a_slope_that_is_not_known_is_0);
    RUN(a_bound_that_cannot_be_computed_ends_the_nest);
    return check_failed();
}
