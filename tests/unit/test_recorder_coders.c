/* SPDX-License-Identifier: MIT */
/* Sizes that a coder cannot work with are refused. */
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
    CHECK_EQ(weft_tre_pool_init(&engines, &engines_config), WEFT_OK);
}

int main(void)
{
    RUN(slots_of_predictors_that_cannot_work_are_refused);
    RUN(engines_that_cannot_work_are_refused);
    return check_failed();
}
