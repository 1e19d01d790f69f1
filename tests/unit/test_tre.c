/* SPDX-License-Identifier: MIT */
/* The address engine on streams of loop nests. The decoder here is a second one, written from the record's
 * description. */
#include <string.h>

#include "core/tre.h"
#include "tests/lib/check.h"

static weft_tre tre;
static weft_tre_level level[WEFT_TRE_LEVELS_MAX];
static uint8_t bytes[1200];
static weft_writer out;
static unsigned records, plain_records;

static void begin(unsigned levels)
{
    weft_tre_init(&tre, level, levels);
    weft_writer_init(&out, bytes, sizeof bytes);
}

/* One step of the decoded loops. */
static uint32_t step(unsigned levels, const int32_t *coefficient, int32_t bound[6][7], int32_t *index)
{
    uint32_t moved = 0;
    for (unsigned l = levels; l-- > 0;) {
        int32_t end = bound[l][6];
        for (unsigned m = 0; m < l; m++)
            end += bound[l][m] * index[m];
        if (index[l] < end) {
            index[l]++;
            return moved + (uint32_t)coefficient[l];
        }
        moved -= (uint32_t)coefficient[l] * (uint32_t)index[l];
        index[l] = 0;
    }
    return moved;
}

/* Calls expect(i) for the i-th address; false at the first that differs, or when the count is wrong. */
static bool decodes_to(uint32_t (*expect)(uint32_t), uint32_t total)
{
    weft_reader in;
    uint32_t at = 0;
    records = plain_records = 0;
    weft_reader_init(&in, bytes, out.size);
    while (in.status == WEFT_OK && in.at < out.size) {
        int32_t coefficient[6] = {0}, bound[6][7] = {{0}}, index[6] = {0};
        uint32_t levels = weft_read_varint(&in), count = weft_read_varint(&in), address = weft_read_varint(&in);
        records++;
        plain_records += levels == 0;
        for (uint32_t l = 0; l < levels; l++) {
            coefficient[l] = weft_unzigzag(weft_read_varint(&in));
            bound[l][6] = weft_unzigzag(weft_read_varint(&in));
            for (uint32_t m = 0; m < l; m++)
                bound[l][m] = weft_unzigzag(weft_read_varint(&in));
        }
        for (uint32_t i = 0; i < count; i++, at++) {
            if (i)
                address +=
                    levels ? step(levels, coefficient, bound, index) : (uint32_t)weft_unzigzag(weft_read_varint(&in));
            EXPECT(at < total && address == expect(at));
        }
    }
    EXPECT(in.status == WEFT_OK);
    EXPECT(at == total);
    return true;
}

static bool push_all(uint32_t (*expect)(uint32_t), uint32_t total)
{
    for (uint32_t i = 0; i < total; i++)
        EXPECT(weft_tre_push(&tre, expect(i), &out) == WEFT_OK);
    EXPECT(weft_tre_flush(&tre, &out) == WEFT_OK);
    return decodes_to(expect, total);
}

static uint32_t array_walk(uint32_t i)
{
    return 0x20000000u + 4 * i;
}

static uint32_t matrix_product(uint32_t i) /* A[i][k] of a 7 by 5 by 6 product */
{
    return 0x20000000u + 4 * (i / 30 * 6 + i % 6);
}

static uint32_t triangle(uint32_t i) /* A[r][c], c <= r, rows of 40 words */
{
    uint32_t row = 0;
    while (i > row)
        i -= ++row;
    return 0x20001000u + 4 * (40 * row + i);
}

static uint32_t cholesky_memory[600];
static unsigned cholesky_count;

static uint32_t cholesky(uint32_t i) /* A[i][k] of for i < 14, j < i, k < j */
{
    return cholesky_memory[i];
}

static uint32_t
repeated_rows(uint32_t i) /* A[r][c] of for r < 9, c < 7, k <= r: rows follow each other without a gap */
{
    uint32_t row = 0;
    for (; i >= 7 * (row + 1); row++)
        i -= 7 * (row + 1);
    return 0x20002000u + 4 * (7 * row + i / (row + 1));
}

static uint32_t shrinking_columns(uint32_t i) /* A[r + k][c] of for r < 9, c < 7, k < 9 - r */
{
    uint32_t row = 0;
    for (; i >= 7 * (9 - row); row++)
        i -= 7 * (9 - row);
    return 0x20003000u + 4 * (7 * (row + i % (9 - row)) + i / (9 - row));
}

static uint32_t repeated_elements(uint32_t i) /* x[r] of for r, k <= r */
{
    uint32_t row = 0;
    for (; i > row; row++)
        i -= row + 1;
    return 0x20004000u + 4 * row;
}

static uint32_t upper_triangle_repeated(uint32_t i) /* A[r][c] of for r < 9, c from r to 8, k <= r */
{
    uint32_t row = 0;
    for (; i >= (9 - row) * (row + 1); row++)
        i -= (9 - row) * (row + 1);
    return 0x20005000u + 4 * (20 * row + row + i / (row + 1));
}

static uint32_t rows_that_touch(uint32_t i) /* A[8 * r + c] of for r, c <= 8 */
{
    return 0x20006000u + 4 * (i / 9 * 8 + i % 9);
}

static uint32_t noise(uint32_t i)
{
    i = (i + 1) * 2654435761u;
    i ^= i >> 15;
    return i * 2246822519u;
}

static uint32_t walk_then_noise(uint32_t i)
{
    return i < 50 ? array_walk(i) : i < 80 ? noise(i) : array_walk(i);
}

/* The example of core/tre.h. */
static void a_shrinking_row_teaches_its_slope(void)
{
    static const uint32_t addresses[] = {100, 104, 108, 112, 200, 204, 208, 300, 304, 400};
    static const uint8_t expected[] = {2, 10, 100, 0xc8, 1, 2 * 3, 2 * 4, 2 * 3, 1};
    begin(3);
    for (unsigned i = 0; i < WEFT_COUNT(addresses); i++) {
        CHECK_EQ(weft_tre_push(&tre, addresses[i], &out), WEFT_OK);
        if (addresses[i] == 200)
            CHECK(tre.levels == 2 && level[1].constant == 3 && level[1].upper > 3);
        if (addresses[i] == 300)
            CHECK(level[1].slope[0] == -1 && level[1].upper == 1);
    }
    CHECK_EQ(weft_tre_flush(&tre, &out), WEFT_OK);
    CHECK_EQ(out.size, sizeof expected);
    CHECK(memcmp(out.bytes, expected, sizeof expected) == 0);
}

static void an_array_walk_is_one_short_record(void)
{
    begin(1);
    CHECK(push_all(array_walk, 5000));
    CHECK_EQ(records, 1);
    CHECK(out.size <= 16);
}

static void a_matrix_product_is_one_nest_of_three_levels(void)
{
    begin(6);
    CHECK(push_all(matrix_product, 210));
    CHECK_EQ(records, 1);
    CHECK_EQ(bytes[0], 3);
}

static void a_triangle_is_one_nest_of_two_levels(void)
{
    begin(4);
    CHECK(push_all(triangle, 300));
    CHECK_EQ(records, 1);
    CHECK_EQ(bytes[0], 2);
}

static void cholesky_whose_loops_begin_with_one_iteration_is_one_nest(void)
{
    cholesky_count = 0;
    for (uint32_t i = 0; i < 14; i++)
        for (uint32_t j = 0; j < i; j++)
            for (uint32_t k = 0; k < j; k++)
                cholesky_memory[cholesky_count++] = 0x20000000u + 4 * (14 * i + k);
    begin(6);
    CHECK(push_all(cholesky, cholesky_count));
    CHECK_EQ(records, 1);
    CHECK_EQ(bytes[0], 3);
}

/* In its first iteration a level is hidden, or runs into the next level. */
static void loops_that_begin_in_disguise_are_one_nest(void)
{
    static const struct disguise {
        uint32_t (*address)(uint32_t);
        uint32_t total;
        unsigned levels;
    } all[] = {{repeated_rows, 7 * 45, 3},
               {shrinking_columns, 7 * 45, 3},
               {repeated_elements, 200, 2},
               {upper_triangle_repeated, 165, 3},
               {rows_that_touch, 200, 2}};
    for (unsigned i = 0; i < WEFT_COUNT(all); i++) {
        begin(6);
        CHECK(push_all(all[i].address, all[i].total));
        CHECK_EQ(records, 1);
        CHECK_EQ(bytes[0], all[i].levels);
    }
}

static void noise_costs_little_more_than_its_differences(void)
{
    for (unsigned levels = 1; levels <= 6; levels++) {
        begin(levels);
        CHECK(push_all(noise, 150));
        CHECK(out.size <= 150 * 7);
    }
}

static void a_pattern_is_found_again_after_noise(void)
{
    begin(2);
    CHECK(push_all(walk_then_noise, 2000));
    CHECK(out.size < 300);
}

static void any_start_and_stride_modulo_two_to_the_32_comes_back(void)
{
    uint32_t (*const all[])(uint32_t) = {array_walk,
                                         matrix_product,
                                         triangle,
                                         noise,
                                         walk_then_noise,
                                         repeated_rows,
                                         shrinking_columns,
                                         repeated_elements,
                                         upper_triangle_repeated,
                                         rows_that_touch};
    for (unsigned which = 0; which < WEFT_COUNT(all); which++)
        for (unsigned levels = 1; levels <= 6; levels++)
            for (uint32_t total = 0; total <= 40; total++) {
                begin(levels);
                CHECK(push_all(all[which], total));
            }
}

/* Without room nothing changes; with room the same push works. */
static void a_full_writer_changes_nothing(void)
{
    for (unsigned room = 0; room < 60; room++) {
        uint8_t small[64];
        size_t total = 0;
        weft_writer tight;
        begin(3);
        for (uint32_t i = 0; i < 120; i++) {
            weft_writer_init(&tight, small, room);
            weft_status status = weft_tre_push(&tre, walk_then_noise(i), &tight);
            if (status == WEFT_FULL) {
                CHECK_EQ(tight.size, 0);
                CHECK_EQ(weft_tre_push(&tre, walk_then_noise(i), &out), WEFT_OK);
            } else {
                CHECK_EQ(status, WEFT_OK);
                weft_write_bytes(&out, small, tight.size);
            }
            total++;
        }
        CHECK_EQ(weft_tre_flush(&tre, &out), WEFT_OK);
        CHECK(decodes_to(walk_then_noise, (uint32_t)total));
    }
}

static void a_flush_at_any_point_leaves_nothing_held(void)
{
    for (uint32_t cut = 1; cut < 150; cut++) {
        begin(4);
        for (uint32_t i = 0; i < 150; i++) {
            CHECK_EQ(weft_tre_push(&tre, triangle(i), &out), WEFT_OK);
            if (i == cut)
                CHECK_EQ(weft_tre_flush(&tre, &out), WEFT_OK);
        }
        CHECK_EQ(weft_tre_flush(&tre, &out), WEFT_OK);
        CHECK(decodes_to(triangle, 150));
    }
}

static void bad_level_counts_are_refused(void)
{
    CHECK_EQ(weft_tre_init(&tre, level, 0), WEFT_CONFIG);
    CHECK_EQ(weft_tre_init(&tre, level, 7), WEFT_CONFIG);
    CHECK_EQ(weft_tre_init(&tre, NULL, 2), WEFT_CONFIG);
    CHECK_EQ(sizeof(weft_tre_level), 28);
    CHECK(sizeof(void *) > 4 || sizeof(weft_tre) <= 28);
}

/* Of two rows one is 40,000 longer than the other, which is more than a slope may be. */
static uint32_t a_row_that_grows_too_fast(uint32_t i)
{
    return i < 2 ? 0x1000 + 4 * i : i < 40004 ? 0x100000 + 4 * (i - 2) : 0x200000 + 4 * (i - 40004);
}

static uint32_t a_row_that_shrinks_too_fast(uint32_t i)
{
    return i < 40002 ? 0x1000 + 4 * i : i < 40004 ? 0x100000 + 4 * (i - 40002) : 0x1ff000 + 4 * (i - 40004);
}

static void slopes_beyond_16_bits_come_back(void)
{
    begin(WEFT_TRE_LEVELS_MAX);
    CHECK(push_all(a_row_that_grows_too_fast, 40010));
    begin(WEFT_TRE_LEVELS_MAX);
    CHECK(push_all(a_row_that_shrinks_too_fast, 40010));
}

/* A nest ends at 2^32 - 1 accesses. A writer with an error gets no record, and the nest stays. */
static void nests_end_where_their_count_does(void)
{
    begin(1);
    for (uint32_t i = 0; i < 8; i++)
        CHECK_EQ(weft_tre_push(&tre, 4 * i, &out), WEFT_OK);
    tre.count = UINT32_MAX;
    CHECK(!weft_tre_move(&tre, 32));
    out.status = WEFT_FULL;
    CHECK_EQ(weft_tre_push(&tre, 33, &out), WEFT_FULL);
    CHECK(tre.count == UINT32_MAX && out.size == 0);
    out.status = WEFT_OK;
    CHECK_EQ(weft_tre_change(&tre, 32, &out), WEFT_OK);
    CHECK(tre.count == 1 && out.size > 0);
}

int main(void)
{
    RUN(a_shrinking_row_teaches_its_slope);
    RUN(an_array_walk_is_one_short_record);
    RUN(a_matrix_product_is_one_nest_of_three_levels);
    RUN(a_triangle_is_one_nest_of_two_levels);
    RUN(cholesky_whose_loops_begin_with_one_iteration_is_one_nest);
    RUN(loops_that_begin_in_disguise_are_one_nest);
    RUN(noise_costs_little_more_than_its_differences);
    RUN(a_pattern_is_found_again_after_noise);
    RUN(any_start_and_stride_modulo_two_to_the_32_comes_back);
    RUN(a_full_writer_changes_nothing);
    RUN(a_flush_at_any_point_leaves_nothing_held);
    RUN(bad_level_counts_are_refused);
    RUN(slopes_beyond_16_bits_come_back);
    RUN(nests_end_where_their_count_does);
    return check_failed();
}
