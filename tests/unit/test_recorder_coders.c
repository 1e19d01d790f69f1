/* SPDX-License-Identifier: MIT */
/* Sizes that a coder cannot work with are refused; and what it keeps free. */
#include "core/recorder_bfcm.h"
#include "core/recorder_tre.h"
#include "tests/lib/check.h"

WEFT_BFCM_CODER_DEF(values, 8);
WEFT_TRE_POOL_DEF(engines, 2, 2);

static void slots_of_predictors_that_cannot_work_are_refused(void)
{
    static const size_t bad[] = {0, 1, 3, 6, 1u << 17};
    weft_bfcm_coder_config config = values_config;
    for (unsigned i = 0; i < WEFT_COUNT(bad); i++) {
        config.slots_max = bad[i];
        CHECK_EQ(weft_bfcm_coder_init(&values, &config), WEFT_CONFIG);
    }
    config = values_config;
    config.words = NULL;
    CHECK_EQ(weft_bfcm_coder_init(&values, &config), WEFT_CONFIG);
    config = values_config;
    config.sites = NULL;
    CHECK_EQ(weft_bfcm_coder_init(&values, &config), WEFT_CONFIG);
}

static void engines_that_cannot_work_are_refused(void)
{
    static const size_t bad[] = {0, 3, 2 * WEFT_MODELS_ENGINES_MAX};
    weft_tre_pool_config config = engines_config;
    for (unsigned i = 0; i < WEFT_COUNT(bad); i++) {
        config.engines_max = bad[i];
        CHECK_EQ(weft_tre_pool_init(&engines, &config), WEFT_CONFIG);
    }
    config = engines_config;
    config.leases = NULL;
    CHECK_EQ(weft_tre_pool_init(&engines, &config), WEFT_CONFIG);
    config = engines_config;
    config.levels = NULL;
    CHECK_EQ(weft_tre_pool_init(&engines, &config), WEFT_CONFIG);
    config = engines_config;
    config.levels_max = WEFT_TRE_LEVELS_MAX + 1;
    CHECK_EQ(weft_tre_pool_init(&engines, &config), WEFT_CONFIG);
    config = engines_config;
    config.engines_max = 1;
    CHECK_EQ(weft_tre_pool_init(&engines, &config), WEFT_OK);
    CHECK_EQ(weft_tre_pool_init(&engines, &engines_config), WEFT_OK);
}

static weft_status take(void *context, const uint8_t *frame, size_t size)
{
    (void)context, (void)frame, (void)size;
    return WEFT_OK;
}

static const weft_sink sink = {NULL, take};
WEFT_RECORDER_DEF(trace, 640, 8, 0);

/* Of two levels, the largest record has the levels, count, base, four numbers and a slope; two bytes are the engine's.
 * A nest of no level has the first three. And a change of holder takes 13 bytes. */
static void what_engines_may_write_is_kept_free(void)
{
    const uint32_t two = 1 + 7 * WEFT_VARINT32_MAX + 2, none = 1 + 2 * WEFT_VARINT32_MAX + 2, change = 13;
    weft_recorder_config config = trace_config;
    CHECK_EQ(weft_tre_pool_init(&engines, &engines_config), WEFT_OK);
    CHECK_EQ(engines.room, two + none + change);
    config.sink = &sink;
    config.model_coder = &weft_model_coder_tre;
    config.model_coder_state = &engines;
    CHECK_EQ(weft_recorder_init(&trace, &config), WEFT_OK);
    for (uint32_t i = 0; i < 40; i++) {
        weft_recorder_access(&trace, 0, 1, 4 * i);
        weft_recorder_path(&trace, 0, 1);
    }
    CHECK(engines.reserve > 0);
    CHECK_EQ(weft_recorder_flush(&trace), WEFT_OK); /* all are written */
    CHECK_EQ(engines.reserve, 0);
}

/* One engine, of one level, or of as many as leave its section room for a change of holder in the middle of a frame. */
WEFT_TRE_POOL_DEF(single, 1, 1);
WEFT_TRE_POOL_DEF(deep, 1, 6);

WEFT_RECORDER_DEF(roomy, 2000, 8, 0);

static void begin_one(weft_tre_pool *pool, const weft_tre_pool_config *pool_config)
{
    weft_recorder_config config = roomy_config;
    CHECK_EQ(weft_tre_pool_init(pool, pool_config), WEFT_OK);
    config.sink = &sink;
    config.model_coder = &weft_model_coder_tre;
    config.model_coder_state = pool;
    CHECK_EQ(weft_recorder_init(&roomy, &config), WEFT_OK);
}

static void visit(uint32_t site, uint32_t address)
{
    weft_recorder_access(&roomy, 0, site, address);
    weft_recorder_path(&roomy, 0, 1);
}

static void site_1_takes_the_engine(const weft_tre_lease *lease)
{
    for (uint32_t i = 0; i < 20 && !lease->lent; i++)
        visit(1, 4 * i);
    CHECK(lease->lent && lease->site == 1);
}

/* What another site needs is that the holder stays idle for 32 accesses of others. */
static void a_holder_is_replaced_only_when_it_is_idle(void)
{
    begin_one(&deep, &deep_config);
    site_1_takes_the_engine(deep_leases);
    uint32_t address = 4000;
    for (uint32_t i = 0; i < 100; i++) {
        visit(2, 64 * i);
        if (i % 16 == 0)
            visit(1, address += 4);
    }
    CHECK_EQ(deep_leases[0].site, 1);
    for (uint32_t i = 0; i < 32 + 1; i++)
        visit(2, 64 * i);
    CHECK(deep_leases[0].lent && deep_leases[0].site == 2);
}

/* Rows of `length` accesses, each of which is a nest: 6 bytes with its engine's number. */
static bool stays_with_rows_of(uint32_t length)
{
    static const uint8_t starts[] = {3, 90, 11, 60, 1, 77, 30, 51};
    begin_one(&single, &single_config);
    site_1_takes_the_engine(single_leases);
    for (uint32_t row = 0; row < 40 && single_leases[0].lent; row++)
        for (uint32_t i = 0; i < length && single_leases[0].lent; i++)
            visit(1, starts[row % WEFT_COUNT(starts)] + i);
    return single_leases[0].lent;
}

static void more_than_three_quarters_of_a_byte_an_access_is_not_affine(void)
{
    CHECK(stays_with_rows_of(9));
    CHECK(!stays_with_rows_of(7));
}

/* What a next holder needs halves with each eighth frame in which nothing was recorded. */
static void a_need_halves_after_eight_frames(void)
{
    begin_one(&single, &single_config);
    single_leases[0].needed = 64;
    for (unsigned frames = single.frames; frames < 15; frames = single.frames) {
        CHECK_EQ(single_leases[0].needed, frames < 8 ? 64 : 32);
        weft_recorder_path(&roomy, 0, 1);
        CHECK_EQ(weft_recorder_flush(&roomy), WEFT_OK);
    }
}

/* Records of one level have 21 bytes and two of the engine's number. */
static void the_share_of_engines_is_for_one_more_than_are_lent(void)
{
    begin_one(&single, &single_config);
    CHECK_EQ(weft_model_coder_tre.size_wanted(&single), 23);
    site_1_takes_the_engine(single_leases);
    CHECK_EQ(weft_recorder_flush(&roomy), WEFT_OK);
    weft_recorder_path(&roomy, 0, 1);
    CHECK_EQ(weft_model_coder_tre.size_wanted(&single), 2 * 23);
}

int main(void)
{
    RUN(a_holder_is_replaced_only_when_it_is_idle);
    RUN(more_than_three_quarters_of_a_byte_an_access_is_not_affine);
    RUN(a_need_halves_after_eight_frames);
    RUN(the_share_of_engines_is_for_one_more_than_are_lent);
    RUN(slots_of_predictors_that_cannot_work_are_refused);
    RUN(engines_that_cannot_work_are_refused);
    RUN(what_engines_may_write_is_kept_free);
    return check_failed();
}
