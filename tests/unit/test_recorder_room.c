/* SPDX-License-Identifier: MIT */
/* What a recorder has room for, and what it sets before its first event. */
#include <string.h>

#include "core/recorder_bfcm.h"
#include "core/recorder_fast.h"
#include "core/recorder_ksf.h"
#include "tests/lib/check.h"

static bool broken;

static weft_status take(void *context, const uint8_t *frame, size_t size)
{
    (void)context, (void)frame, (void)size;
    return broken ? WEFT_AGAIN : WEFT_OK;
}

static const weft_sink sink = {NULL, take};
WEFT_RECORDER_DEF(trace, 640, 8, 4);
WEFT_KSF_DEF(forest, 2, 6, 4);
WEFT_BFCM_CODER_DEF(predicted, 4);

static weft_recorder_config usual(void)
{
    weft_recorder_config config = trace_config;
    config.sink = &sink;
    broken = false;
    return config;
}

static weft_recorder_config with_value_coder(void)
{
    weft_recorder_config config = usual();
    (void)weft_bfcm_coder_init(&predicted, &predicted_config);
    config.value_coder = &weft_value_coder_bfcm;
    config.value_coder_state = &predicted;
    return config;
}

static void a_section_that_nothing_fills_takes_no_room(void)
{
    weft_recorder_config config = usual();
    CHECK_EQ(weft_recorder_init(&trace, &config), WEFT_OK);
    const weft_region *models = &trace.region[WEFT_REGION_MODELS];
    CHECK(models->end == models->start);
}

/* Numbers of values that are plain are below the buffer's size: two bytes each, of five. */
static void a_head_has_the_room_that_its_numbers_may_take(void)
{
    weft_recorder_config config = usual();
    CHECK_EQ(weft_recorder_init(&trace, &config), WEFT_OK);
    ptrdiff_t plain = trace.region[0].start - trace_bytes;
    config = with_value_coder();
    CHECK_EQ(weft_recorder_init(&trace, &config), WEFT_OK);
    CHECK_EQ(trace.region[0].start - trace_bytes - plain, 2 * (WEFT_VARINT32_MAX - 2));
}

static void slots_are_cleared_before_the_first_event(void)
{
    weft_recorder_config config = usual();
    memset(trace_slots, 0x5a, sizeof trace_slots);
    memset(trace_value_slots, 0x5a, sizeof trace_value_slots);
    CHECK_EQ(weft_recorder_init(&trace, &config), WEFT_OK);
    for (unsigned i = 0; i < WEFT_COUNT(trace_slots); i++)
        CHECK(trace_slots[i].last == 0 && trace_slots[i].state == 0);
    const uint8_t *values = (const uint8_t *)trace_value_slots;
    for (size_t i = 0; i < sizeof trace_value_slots; i++)
        CHECK_EQ(values[i], 0);
}

static void the_largest_table_of_packs_is_taken(void)
{
    weft_recorder_config config = usual();
    config.packs_max = WEFT_RECORDER_PACKS_MAX; /* init does not touch it */
    CHECK_EQ(weft_recorder_init(&trace, &config), WEFT_OK);
}

/* Steps are for a recorder without coders and profile. */
static void a_switch_in_steps_is_only_made_where_nothing_else_is_coded(void)
{
    weft_recorder_config config = usual();
    CHECK_EQ(weft_recorder_init(&trace, &config), WEFT_OK);
    weft_recorder_path(&trace, 0, 3);
    CHECK(weft_recorder_enter_begin(&trace, 5));
    config = with_value_coder();
    CHECK_EQ(weft_recorder_init(&trace, &config), WEFT_OK);
    weft_recorder_path(&trace, 0, 3);
    CHECK(!weft_recorder_enter_begin(&trace, 5));
    config = usual();
    CHECK_EQ(weft_ksf_init(&forest, &forest_config), WEFT_OK);
    config.profiler = &weft_profiler_ksf;
    config.profiler_state = &forest;
    CHECK_EQ(weft_recorder_init(&trace, &config), WEFT_OK);
    weft_recorder_path(&trace, 0, 3);
    CHECK(!weft_recorder_enter_begin(&trace, 5));
}

/* While a frame waits, events are counted in 32 bits: before any of these counts overflows, all are put aside. */
static void lost_events_are_put_aside_before_a_count_overflows(void)
{
    for (unsigned which = 0; which < 4; which++) {
        weft_recorder_config config = usual();
        CHECK_EQ(weft_recorder_init(&trace, &config), WEFT_OK);
        weft_recorder_path(&trace, 0, 3);
        broken = true;
        CHECK_EQ(weft_recorder_flush(&trace), WEFT_AGAIN);
        uint32_t *const counts[] = {&trace.paths, &trace.accesses, &trace.values, &trace.marks};
        *counts[which] = UINT32_MAX / 2;
        CHECK(!weft_recorder_open(&trace));
        CHECK_EQ(*counts[which], UINT32_MAX / 2);
        ++*counts[which];
        CHECK(!weft_recorder_open(&trace));
        CHECK_EQ(*counts[which], 0);
        const weft_counts *aside = &trace.aside;
        const uint64_t put[] = {aside->paths, aside->accesses, aside->values, aside->marks};
        for (unsigned i = 0; i < WEFT_COUNT(put); i++)
            CHECK_EQ(put[i], i == which ? UINT64_C(1) << 31 : 0);
    }
}

static unsigned metas, refused;

/* Takes META, and refuses the end record three times. */
static weft_status refuse_the_end(void *context, const uint8_t *frame, size_t size)
{
    weft_frame found;
    uint8_t bytes[640];
    (void)context;
    memcpy(bytes, frame, size);
    bool is_frame = weft_frame_open(&found, bytes, size - 1) == WEFT_OK;
    metas += is_frame && found.kind == WEFT_FRAME_META;
    return is_frame && found.kind == WEFT_FRAME_STATS && refused++ < 3 ? WEFT_AGAIN : WEFT_OK;
}

static void one_meta_is_enough_however_often_the_end_is_refused(void)
{
    static const weft_sink slow = {NULL, refuse_the_end};
    weft_recorder_config config = usual();
    config.sink = &slow;
    config.meta_every = 5;
    metas = refused = 0;
    CHECK_EQ(weft_recorder_init(&trace, &config), WEFT_OK);
    for (unsigned i = 0; i < 3; i++)
        CHECK_EQ(weft_recorder_finish(&trace), WEFT_AGAIN);
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK_EQ(metas, 1);
}

int main(void)
{
    RUN(one_meta_is_enough_however_often_the_end_is_refused);
    RUN(a_section_that_nothing_fills_takes_no_room);
    RUN(a_head_has_the_room_that_its_numbers_may_take);
    RUN(slots_are_cleared_before_the_first_event);
    RUN(the_largest_table_of_packs_is_taken);
    RUN(a_switch_in_steps_is_only_made_where_nothing_else_is_coded);
    RUN(lost_events_are_put_aside_before_a_count_overflows);
    return check_failed();
}
