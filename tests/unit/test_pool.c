/* SPDX-License-Identifier: MIT */
#include "core/pool.h"
#include "tests/lib/check.h"

static void a_pool_lends_each_index_once(void)
{
    weft_handle next[37];
    bool lent[37] = {false};
    unsigned count = 0, high = 0;
    weft_pool pool;
    check_random random = {3};
    CHECK_EQ(weft_pool_init(&pool, next, 37), WEFT_OK);
    for (int step = 0; step < 5000; step++) {
        if (check_random_below(&random, 100) < 55) {
            weft_handle index = weft_pool_take(&pool);
            if (count == 37) {
                CHECK_EQ(index, WEFT_NONE);
                continue;
            }
            CHECK(index < 37 && !lent[index]);
            lent[index] = true;
            count++;
            high = count > high ? count : high;
        } else if (count) {
            unsigned index = check_random_below(&random, 37);
            while (!lent[index])
                index = (index + 1) % 37;
            lent[index] = false;
            count--;
            weft_pool_give(&pool, (weft_handle)index);
        }
        CHECK_EQ(pool.used, count);
        CHECK_EQ(weft_pool_left(&pool), 37 - count);
        CHECK_EQ(pool.high_water, high);
    }
}

static void a_reset_pool_lends_all_again(void)
{
    weft_handle next[3];
    weft_pool pool;
    CHECK_EQ(weft_pool_init(&pool, next, 3), WEFT_OK);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 3; i++)
            CHECK(weft_pool_take(&pool) != WEFT_NONE);
        CHECK_EQ(weft_pool_take(&pool), WEFT_NONE);
        weft_pool_reset(&pool);
    }
    CHECK_EQ(pool.high_water, 3);
}

static void sizes_that_cannot_work_are_refused(void)
{
    weft_handle next[1];
    weft_pool pool;
    CHECK_EQ(weft_pool_init(&pool, next, 0), WEFT_CONFIG);
    CHECK_EQ(weft_pool_init(&pool, next, 65536), WEFT_CONFIG);
    CHECK_EQ(weft_pool_init(&pool, NULL, 1), WEFT_CONFIG);
}

int main(void)
{
    RUN(a_pool_lends_each_index_once);
    RUN(a_reset_pool_lends_all_again);
    RUN(sizes_that_cannot_work_are_refused);
    return check_failed();
}
