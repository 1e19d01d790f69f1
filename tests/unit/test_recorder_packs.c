/* SPDX-License-Identifier: MIT */
/* Packs at the ends of their rooms. tests/prop/prop_recorder_packs.c tests what is recorded. */
#include "core/recorder_packs.h"
#include "core/recorder_tre.h"
#include "tests/lib/check.h"

static weft_status keep(void *context, const uint8_t *frame, size_t size)
{
    (void)context, (void)frame, (void)size;
    return WEFT_OK;
}

static const weft_sink sink = {NULL, keep};
WEFT_RECORDER_DEF(trace, 900, 8, 0);
WEFT_TRE_POOL_DEF(engines, 2, 2);

static void start(bool models)
{
    weft_recorder_config config = trace_config;
    config.sink = &sink;
    CHECK_EQ(weft_tre_pool_init(&engines, &engines_config), WEFT_OK);
    if (models) {
        config.model_coder = &weft_model_coder_tre;
        config.model_coder_state = &engines;
    }
    CHECK_EQ(weft_recorder_init(&trace, &config), WEFT_OK);
}

static void a_run_of_15_words_takes_no_byte_of_its_own(void)
{
    weft_region *models = &trace.region[WEFT_REGION_MODELS];
    for (uint32_t run = WEFT_PACK_OTHER_RUN_MAX; run <= WEFT_PACK_OTHER_RUN_MAX + 1; run++) {
        start(false);
        weft_recorder_packed(&trace, 0, 1, 0x77);
        weft_recorder_packed(&trace, 0, 1, 0x77);
        const uint8_t *before = models->at;
        CHECK_EQ(trace.packs.count - trace.packs.written, 0);
        for (uint32_t i = 0; i < run; i++)
            weft_recorder_packed(&trace, 0, 1, 0x77);
        CHECK_EQ(trace.packs.count - trace.packs.written, run);
        weft_recorder_packed(&trace, 0, 1, 0x78);
        CHECK_EQ(models->at - before, run > WEFT_PACK_OTHER_RUN_MAX ? 3 : 2);
    }
}

static void the_last_room_of_the_words_is_used(void)
{
    start(false);
    weft_recorder_packed(&trace, 0, 1, 0x77);
    trace.packs.limit = trace.region[WEFT_REGION_MODELS].at;
    CHECK(weft_recorder_pack_fits(&trace, 1, 0x12345678));
    trace.packs.limit--;
    CHECK(!weft_recorder_pack_fits(&trace, 1, 0x12345678));
}

/* Where models take the section of words, a pack is a path with a mark: a run, a number, an escape, and later a run. */
static void a_pack_with_a_mark_stays_within_its_room(void)
{
    const uint32_t runs[] = {0, 1, 1 << 20}, numbers[] = {1, (uint32_t)1 << 31};
    weft_region *control = &trace.region[WEFT_REGION_CONTROL];
    for (unsigned i = 0; i < WEFT_COUNT(runs) * WEFT_COUNT(numbers); i++) {
        unsigned cuts = 0;
        for (unsigned room = 8; room < 24; room++) {
            start(true);
            weft_recorder_path(&trace, 0, 9);
            uint32_t frames = trace.ended;
            uint8_t *end = control->end = control->at + room;
            control->limit = control->end - WEFT_RECORDER_ITEM_MAX;
            trace.history.run = runs[i % WEFT_COUNT(runs)];
            weft_recorder_packed(&trace, 0, numbers[i / WEFT_COUNT(runs)], 0x77);
            cuts += trace.ended != frames;
            CHECK(trace.ended != frames || end - control->at >= (ptrdiff_t)WEFT_RECORDER_PATH_RUN_BYTES);
        }
        CHECK(cuts > 3 && cuts < 9);
    }
}

int main(void)
{
    RUN(a_run_of_15_words_takes_no_byte_of_its_own);
    RUN(the_last_room_of_the_words_is_used);
    RUN(a_pack_with_a_mark_stays_within_its_room);
    return check_failed();
}
