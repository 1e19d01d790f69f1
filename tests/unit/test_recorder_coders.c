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

int main(void)
{
    RUN(slots_of_predictors_that_cannot_work_are_refused);
    RUN(engines_that_cannot_work_are_refused);
    RUN(what_engines_may_write_is_kept_free);
    return check_failed();
}
