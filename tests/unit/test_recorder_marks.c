/* SPDX-License-Identifier: MIT */
/* Marks at the edge: places and pauses where a frame is full, or waits; names and META that a sink refuses. */
#include <string.h>

#include "core/recorder_fast.h"
#include "core/recorder_ready.h"
#include "core/recorder_value.h"
#include "tests/lib/check.h"

/* Takes all but what it is told to refuse, and keeps the last frame. */
static bool broken;
static unsigned refuse; /* writes */
static uint8_t last[700];
static size_t last_size;

static weft_status take(void *context, const uint8_t *frame, size_t size)
{
    (void)context;
    if (broken || refuse) {
        refuse -= refuse ? 1 : 0;
        return WEFT_AGAIN;
    }
    last_size = size < sizeof last ? size : 0;
    memcpy(last, frame, last_size);
    return WEFT_OK;
}

static const weft_sink sink = {NULL, take};
WEFT_RECORDER_DEF(trace, WEFT_RECORDER_BYTES_MIN + 20, 8, 4);
static const weft_place place = {0x1000, 0x20001000, 15, true, true, {0x12345678, 0xfedcba98}, false, 0};

static weft_status start(void)
{
    weft_recorder_config config = trace_config;
    config.sink = &sink;
    broken = false;
    refuse = 0;
    return weft_recorder_init(&trace, &config);
}

static uint32_t marks_size(void)
{
    const weft_region *marks = &trace.region[WEFT_REGION_MARKS];
    return (uint32_t)(marks->at - marks->start);
}

static void a_place_has_two_marks(void)
{
    CHECK_EQ(start(), WEFT_OK);
    for (unsigned frame = 0; frame < 40; frame++) {
        uint32_t before = marks_size(), ended = trace.ended;
        CHECK_EQ(weft_recorder_place(&trace, 20, &place), WEFT_OK);
        uint32_t size = marks_size() - (trace.ended == ended ? before : 0);
        CHECK(size <= 24 + WEFT_RECORDER_ENTRY_MAX && (trace.ended != ended || size >= 15));
        weft_recorder_path(&trace, frame % 2 ? 20 : 0, frame);
    }
    CHECK(trace.ended > 4);
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK_EQ(trace.before.paths, 40);
}

static void the_bytes_of_a_place_are_those_of_the_format(void)
{
    for (uint32_t bits = 0; bits < 4; bits++) {
        uint8_t want[40], *to = want;
        weft_place at = {0x10002468, 0x20001000, 15, bits & 1, bits & 2, {0x12345678, 0xfedcba98}, false, 0};
        to = weft_put_varint64(to, (uint64_t)(0x10002468 / 2) << 5 | 4 << 1 | 1);
        to = weft_put_varint64(to, (uint64_t)(15 * 4 + (bits & 1) * 2 + (bits >> 1)) << 5 | 7 << 1 | 1);
        to = weft_put_varint(weft_put_varint(weft_put_varint(to, 0x20001000), 0x12345678), 0xfedcba98);
        CHECK_EQ(start(), WEFT_OK);
        CHECK_EQ(weft_recorder_place(&trace, 20, &at), WEFT_OK);
        CHECK_EQ(marks_size(), to - want);
        CHECK(memcmp(trace.region[WEFT_REGION_MARKS].start, want, marks_size()) == 0);
    }
}

/* A frame that has no room for a mark, or for a switch, is cut; if the sink refuses, there is no place. */
static void a_place_that_finds_no_room_is_refused(void)
{
    unsigned refusals = 0;
    for (unsigned filled = 0; filled < 60; filled++) {
        CHECK_EQ(start(), WEFT_OK);
        for (unsigned i = 0; i < filled && !trace.ended; i++)
            CHECK_EQ(weft_recorder_stamp(&trace, i), WEFT_OK);
        if (trace.ended)
            break;
        broken = true;
        weft_status status = weft_recorder_place(&trace, filled % 2 ? 20 : 0, &place);
        refusals += status == WEFT_AGAIN;
        CHECK_EQ(status == WEFT_AGAIN, trace.waiting);
        if (trace.waiting)
            CHECK_EQ(weft_recorder_place(&trace, 20, &place), WEFT_AGAIN);
        broken = false;
        CHECK_EQ(weft_recorder_place(&trace, 20, &place), WEFT_OK);
        CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    }
    CHECK(refusals > 0);
}

/* The end record counts marks of a pause, and a new recording begins to count again. */
static void pauses_are_counted(void)
{
    CHECK_EQ(start(), WEFT_OK);
    weft_recorder_path(&trace, 0, 1);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_EQ(trace.pauses, i);
        CHECK_EQ(weft_recorder_change(&trace, WEFT_CHANGE_PAUSE, 0), WEFT_OK);
        CHECK_EQ(trace.pauses, i + 1);
        CHECK_EQ(weft_recorder_flush(&trace), WEFT_OK);
        CHECK_EQ(weft_recorder_change(&trace, WEFT_CHANGE_RESUME, 0), WEFT_OK);
    }
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    weft_frame frame;
    uint64_t pauses = 0;
    CHECK_EQ(weft_frame_open(&frame, last, last_size - 1), WEFT_OK);
    CHECK_EQ(frame.kind, WEFT_FRAME_STATS);
    weft_reader body;
    weft_reader_init(&body, frame.body, frame.body_size);
    while (weft_reader_left(&body)) {
        uint32_t key = weft_read_varint(&body);
        uint64_t value = weft_read_varint64(&body);
        pauses = key == WEFT_STATS_PAUSES ? value : pauses;
    }
    CHECK_EQ(pauses, 3);
    CHECK_EQ(start(), WEFT_OK);
    CHECK_EQ(trace.pauses, 0);
    CHECK_EQ(weft_recorder_flush(&trace), WEFT_OK);
    broken = true;
    for (uint32_t i = 0; !trace.waiting; i++)
        weft_recorder_path(&trace, 0, i * 977);
    CHECK_EQ(weft_recorder_change(&trace, WEFT_CHANGE_PAUSE, 0), WEFT_AGAIN);
    CHECK_EQ(trace.pauses, 0);
}

static void an_event_has_up_to_four_values(void)
{
    static const uint32_t values[] = {1, 2, 3, 4, 5};
    CHECK_EQ(start(), WEFT_OK);
    CHECK_EQ(weft_recorder_event(&trace, 0, 7, values, 4), WEFT_OK);
    CHECK_EQ(weft_recorder_event(&trace, 0, 7, values, 5), WEFT_CONFIG);
    CHECK_EQ(trace.marks, 1);
}

static void the_pace_counts_from_the_paths_of_the_frame(void)
{
    CHECK_EQ(start(), WEFT_OK);
    for (uint32_t i = 0; i < 10; i++)
        weft_recorder_path(&trace, 0, 1);
    weft_recorder_pace(&trace, 5);
    CHECK_EQ(trace.paths_max, 15);
    weft_recorder_pace(&trace, WEFT_RECORDER_PATHS_MAX - 11);
    CHECK_EQ(trace.paths_max, WEFT_RECORDER_PATHS_MAX - 1);
    weft_recorder_pace(&trace, WEFT_RECORDER_PATHS_MAX - 5);
    CHECK_EQ(trace.paths_max, WEFT_RECORDER_PATHS_MAX);
    weft_recorder_pace(&trace, UINT32_MAX);
    CHECK_EQ(trace.paths_max, WEFT_RECORDER_PATHS_MAX);
}

/* A recording without events has META, too: one that the sink refuses is waited for. */
static void a_recording_without_events_has_its_meta(void)
{
    for (unsigned refused = 0; refused < 4; refused++) {
        CHECK_EQ(start(), WEFT_OK);
        refuse = refused;
        for (unsigned i = 0; i < refused; i++)
            CHECK_EQ(weft_recorder_finish(&trace), WEFT_AGAIN);
        CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
        CHECK_EQ(trace.sequence, 2);
    }
}

/* One that is only repeated is not waited for. */
static void a_meta_that_is_repeated_may_be_refused(void)
{
    CHECK_EQ(start(), WEFT_OK);
    trace.config.meta_every = 5;
    weft_recorder_path(&trace, 0, 1);
    CHECK_EQ(weft_recorder_flush(&trace), WEFT_OK);
    CHECK_EQ(trace.sequence, 2);
    refuse = 1;
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK_EQ(trace.sequence, 3);
}

/* On a Cortex-M0, whose probes find an address first, and write it then. */
static void an_address_after_a_long_run_is_left_to_the_long_way(void)
{
    weft_ready_address ready;
    for (uint32_t length = 3; length < 400; length *= 5) {
        CHECK_EQ(start(), WEFT_OK);
        for (uint32_t i = 0; i < length; i++)
            weft_recorder_access(&trace, 0, 1, 4 * i);
        weft_recorder_look_at_paths(&trace);
        weft_recorder_ready_address(&trace, 1, 12345, &ready);
        bool is_long = (trace.turn & WEFT_TURN_RUN) >= WEFT_RUN_LONG;
        CHECK_EQ(is_long, length > 70);
        CHECK_EQ(weft_recorder_access_ready(&trace, 1, 12345, &ready), !is_long);
    }
}

/* The text of an event is replaced, and no event has ended. */
static void a_name_of_an_event_is_replaced(void)
{
    static weft_recorder_name_entry names[2];
    weft_recorder_config config = trace_config;
    config.sink = &sink;
    config.names = names;
    config.names_max = WEFT_COUNT(names);
    broken = false;
    CHECK_EQ(weft_recorder_init(&trace, &config), WEFT_OK);
    CHECK_EQ(weft_recorder_name(&trace, 7, "one"), WEFT_OK);
    CHECK_EQ(weft_recorder_name(&trace, 7, "two"), WEFT_OK);
    CHECK(trace.names_count == 1 && !names[0].unnamed && names[0].text[1] == 'w');
    CHECK_EQ(weft_recorder_name(&trace, 7, ""), WEFT_OK);
    CHECK(!names[0].unnamed);
    CHECK_EQ(weft_recorder_name(&trace, 2 * 512, "thread"), WEFT_OK);
    CHECK_EQ(weft_recorder_name(&trace, 2 * 512, ""), WEFT_OK);
    CHECK(names[1].unnamed);
}

/* The code of a difference is one more than its zigzag: that of -2^31 does not fit 32 bits, and takes the long way. */
static void a_value_whose_code_has_33_bits_is_left_to_the_long_way(void)
{
    CHECK_EQ(start(), WEFT_OK);
    CHECK(weft_recorder_value_here(&trace, 1, 5));
    CHECK(!weft_recorder_value_here(&trace, 1, (uint64_t)5 - 0x80000000u));
    CHECK(weft_recorder_value_here(&trace, 1, (uint64_t)5 - 0x7fffffffu));
    CHECK(weft_recorder_value_here(&trace, 1, (uint64_t)5 - 0x7fffffffu + 0x7fffffffu));
    CHECK(!weft_recorder_value_here(&trace, 1, (uint64_t)5 + 0x80000000u));
    CHECK_EQ(trace.values, 3);
}

int main(void)
{
    RUN(a_place_has_two_marks);
    RUN(the_bytes_of_a_place_are_those_of_the_format);
    RUN(a_place_that_finds_no_room_is_refused);
    RUN(pauses_are_counted);
    RUN(an_event_has_up_to_four_values);
    RUN(the_pace_counts_from_the_paths_of_the_frame);
    RUN(a_recording_without_events_has_its_meta);
    RUN(a_meta_that_is_repeated_may_be_refused);
    RUN(an_address_after_a_long_run_is_left_to_the_long_way);
    RUN(a_name_of_an_event_is_replaced);
    RUN(a_value_whose_code_has_33_bits_is_left_to_the_long_way);
    return check_failed();
}
