/* SPDX-License-Identifier: MIT */
#include "core/recorder.h"
#include "core/recorder_bfcm.h"
#include "core/recorder_fast.h"
#include "core/recorder_loops.h"

#include <string.h>

#include "tests/lib/check.h"

/* A sink that keeps the bytes, and refuses while `refuse` is set. */
typedef struct keeper {
    uint8_t bytes[5000];
    size_t size;
    bool refuse;
    bool overflow;
} keeper;

static keeper kept;

static weft_status keep(void *context, const uint8_t *frame, size_t size)
{
    keeper *k = context;
    if (k->refuse)
        return WEFT_AGAIN;
    if (size > sizeof k->bytes - k->size) {
        k->overflow = true;
        return WEFT_AGAIN;
    }
    memcpy(k->bytes + k->size, frame, size);
    k->size += size;
    return WEFT_OK;
}

static const weft_sink sink = {&kept, keep};
WEFT_RECORDER_DEF(trace, 512, 8, 4);

static bool start(size_t size)
{
    memset(&kept, 0, sizeof kept);
    trace_config.sink = &sink;
    trace_config.bytes_size = size;
    return weft_recorder_init(&trace, &trace_config) == WEFT_OK;
}

/* The next frame of what the sink kept, from *at on; decoded in place. */
static bool next_frame(size_t *at, weft_frame *frame)
{
    uint8_t *from = kept.bytes + *at;
    uint8_t *zero = memchr(from, 0, kept.size - *at);
    EXPECT(zero != NULL);
    *at += (size_t)(zero - from) + 1;
    EXPECT(weft_frame_open(frame, from, (size_t)(zero - from)) == WEFT_OK);
    return true;
}

typedef struct body {
    uint64_t paths_before, accesses_before, values_before, marks_before, begun;
    uint32_t paths, accesses, values, context, accesses_tail, values_tail;
    const uint8_t *section[WEFT_REGIONS];
    uint32_t size[WEFT_REGIONS];
} body;

static bool read_body(const weft_frame *frame, body *b)
{
    weft_reader reader;
    weft_reader_init(&reader, frame->body, frame->body_size);
    EXPECT(weft_read_bytes(&reader, 6) != NULL);
    b->paths_before = weft_read_varint64(&reader);
    b->accesses_before = weft_read_varint64(&reader);
    b->values_before = weft_read_varint64(&reader);
    b->marks_before = weft_read_varint64(&reader);
    b->begun = weft_read_varint64(&reader);
    b->paths = weft_read_varint(&reader);
    b->accesses = weft_read_varint(&reader);
    b->values = weft_read_varint(&reader);
    b->context = weft_read_varint(&reader);
    b->accesses_tail = weft_read_varint(&reader);
    b->values_tail = weft_read_varint(&reader);
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        b->size[i] = weft_read_varint(&reader);
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        b->section[i] = weft_read_bytes(&reader, b->size[i]);
    EXPECT(reader.status == WEFT_OK && weft_reader_left(&reader) == 0);
    return true;
}

static void a_small_recording_has_the_bytes_of_the_format(void)
{
    /* Path 5. To the handler, path 7, coded from the path before. Back: 5 is predicted again, but 284 comes. Then
     * 284 is predicted, but 0 comes. */
    static const uint8_t control[] = {
        64 + 10,           64, 1, 64 + 4, 64, 1, 0xc0 | (2 * 279 & 63), 2 * 279 >> 6, 0xc0 | ((2 * 284 - 1) & 63),
        (2 * 284 - 1) >> 6};
    static const uint8_t marks[] = {15 << 3 | 6, 2, 1, 1, 0, 0 << 3 | 2, 1, 0};
    /* 0x20, then +4. The tail before the handler starts a new epoch: 0x10 from 0, and 0x13 from the access before. */
    static const uint8_t bus[] = {0xc0, 1, 0x48, 0x60, 0x46};
    weft_frame frame;
    body b;
    size_t at = WEFT_CONTAINER_HEAD_SIZE;
    CHECK(start(sizeof trace_bytes));
    weft_recorder_access(&trace, 0, 1, 0x20);
    weft_recorder_value(&trace, 0, 1, 3);
    weft_recorder_path(&trace, 0, 5);
    weft_recorder_access(&trace, 0, 1, 0x24);
    weft_recorder_access(&trace, 15, 2, 0x10);
    weft_recorder_path(&trace, 15, 7);
    weft_recorder_access(&trace, 0, 1, 0x13);
    weft_recorder_path(&trace, 0, 284);
    weft_recorder_path(&trace, 0, 0);
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK(memcmp(kept.bytes, WEFT_CONTAINER_HEAD, WEFT_CONTAINER_HEAD_SIZE) == 0);
    CHECK(next_frame(&at, &frame));
    CHECK_EQ(frame.kind, WEFT_FRAME_META);
    CHECK_EQ(frame.sequence, 0);
    CHECK(next_frame(&at, &frame));
    CHECK_EQ(frame.kind, WEFT_FRAME_TRACE);
    CHECK_EQ(frame.sequence, 1);
    CHECK_EQ(frame.lost, 0);
    CHECK(read_body(&frame, &b));
    CHECK_EQ(b.paths, 4);
    CHECK_EQ(b.accesses, 4);
    CHECK_EQ(b.values, 1);
    CHECK_EQ(b.accesses_tail, 0);
    CHECK(b.size[0] == sizeof control && memcmp(b.section[0], control, sizeof control) == 0);
    CHECK(b.size[1] == sizeof marks && memcmp(b.section[1], marks, sizeof marks) == 0);
    CHECK(b.size[2] == sizeof bus && memcmp(b.section[2], bus, sizeof bus) == 0);
    CHECK(b.size[3] == 1 && b.section[3][0] == 7);
    CHECK(next_frame(&at, &frame));
    CHECK_EQ(frame.kind, WEFT_FRAME_STATS);
    CHECK_EQ(at, kept.size);
}

static uint64_t ticks;

static uint64_t now(void *context)
{
    return *(uint64_t *)context;
}

/* Path 5; an event of two values; a time; a path like the one before, so a run of one; a change of what is recorded. */
static void marks_have_the_bytes_of_the_format(void)
{
    static const uint8_t control[] = {64 + 10, 64, 2, 64, 2, 1, 64, 2};
    enum { EVENT = 9 << 5 | 3, STAMP = 30 << 5 | 1, CHANGE = WEFT_CHANGE_SAMPLING << 5 | 5 };
    static const uint8_t marks[] = {
        0x80 | (EVENT & 0x7f),  EVENT >> 7,  2,  7, 0x80, 1, 0x80 | (STAMP & 0x7f), STAMP >> 7,
        0x80 | (CHANGE & 0x7f), CHANGE >> 7, 100};
    static const uint32_t of_event[] = {7, 128};
    static const weft_clock clock = {&ticks, now, 1000};
    weft_frame frame;
    body b;
    size_t at = WEFT_CONTAINER_HEAD_SIZE;
    ticks = 1000;
    trace_config.clock = &clock;
    trace_config.identity = 0x12345678;
    trace_config.run = 9;
    bool started = start(sizeof trace_bytes);
    trace_config.clock = NULL;
    CHECK(started);
    weft_recorder_path(&trace, 0, 5);
    CHECK_EQ(weft_recorder_event(&trace, 0, 9, of_event, 2), WEFT_OK);
    CHECK_EQ(weft_recorder_event(&trace, 0, 9, of_event, WEFT_RECORDER_EVENT_VALUES_MAX + 1), WEFT_CONFIG);
    CHECK_EQ(weft_recorder_stamp(&trace, 1030), WEFT_OK);
    weft_recorder_path(&trace, 0, 5);
    CHECK_EQ(weft_recorder_change(&trace, WEFT_CHANGE_SAMPLING, 100), WEFT_OK);
    ticks = 2000;
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK(next_frame(&at, &frame) && next_frame(&at, &frame));
    CHECK_EQ(frame.kind, WEFT_FRAME_TRACE);
    CHECK(frame.identity == 0x12345678 && frame.run == 9);
    CHECK(read_body(&frame, &b));
    CHECK(b.begun == 1000 && frame.time == 2000 && b.paths == 2);
    CHECK(b.size[0] == sizeof control && memcmp(b.section[0], control, sizeof control) == 0);
    CHECK(b.size[1] == sizeof marks && memcmp(b.section[1], marks, sizeof marks) == 0);
    CHECK_EQ(trace.before.marks, 1);
}

/* A stamp in another context begins its stretch. The fast path refuses a path once the pace's number of paths is
 * taken. */
static void a_stamp_may_switch_and_a_pace_ends(void)
{
    weft_frame frame;
    body b;
    size_t at = WEFT_CONTAINER_HEAD_SIZE;
    CHECK(start(sizeof trace_bytes));
    weft_recorder_path(&trace, 0, 5);
    CHECK_EQ(weft_recorder_stamp_in(&trace, 15, 30), WEFT_OK);
    CHECK(trace.context == 15 && trace.switches == 1 && weft_recorder_paths(&trace) == 1);
    weft_recorder_pace(&trace, 6);
    uint32_t taken = 0;
    while (taken < 100 && weft_recorder_path_fast(&trace, 15, 20 * (taken % 8) + taken))
        taken++;
    CHECK_EQ(taken, 6);
    weft_recorder_path(&trace, 15, 1); /* the full way takes it, in the same frame */
    CHECK_EQ(trace.ended, 0);
    weft_recorder_pace(&trace, UINT32_MAX);
    CHECK(weft_recorder_path_fast(&trace, 15, 100));
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK(next_frame(&at, &frame) && next_frame(&at, &frame) && read_body(&frame, &b));
    CHECK_EQ(b.paths, taken + 3);
}

/* Each event is recorded or counted, whatever the sink refuses; a stamp or a change says that it was refused. */
static void refused_marks_are_counted_exactly(void)
{
    weft_frame frame;
    body b;
    size_t at = WEFT_CONTAINER_HEAD_SIZE;
    uint64_t next = 0;
    CHECK(start(WEFT_RECORDER_BYTES_MIN));
    for (uint32_t i = 0; i < 200; i++) {
        kept.refuse = i % 100 >= 50;
        weft_status status = weft_recorder_event(&trace, i & 1, i, &i, 1);
        CHECK(status == WEFT_OK || (kept.refuse && status == WEFT_AGAIN));
        CHECK_EQ(weft_recorder_change(&trace, WEFT_CHANGE_FILTER, i), trace.waiting ? WEFT_AGAIN : WEFT_OK);
    }
    kept.refuse = false;
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK(!kept.overflow);
    CHECK(trace.lost.marks > 40);
    CHECK_EQ(trace.before.marks, 200);
    while (at < kept.size) {
        CHECK(next_frame(&at, &frame));
        if (frame.kind != WEFT_FRAME_TRACE)
            continue;
        CHECK(read_body(&frame, &b));
        CHECK(b.marks_before >= next);
        next = b.marks_before;
    }
    CHECK_EQ(frame.kind, WEFT_FRAME_STATS);
    CHECK_EQ(frame.lost, trace.lost.marks);
}

static void names_go_out_when_given_and_with_each_meta(void)
{
    static weft_recorder_name_entry names[12];
    static const char *const texts[] = {"a", "bb", "a name of more bytes than a NAMES frame takes", "d"};
    weft_frame frame;
    size_t at = WEFT_CONTAINER_HEAD_SIZE;
    unsigned given[12] = {0}, metas = 0;
    trace_config.names = names;
    trace_config.names_max = WEFT_COUNT(names);
    bool started = start(WEFT_RECORDER_BYTES_MIN);
    trace_config.names_max = 0;
    CHECK(started);
    for (uint32_t i = 0; i < 12; i++)
        CHECK_EQ(weft_recorder_name(&trace, 2 * i, texts[i % 4]), WEFT_OK);
    CHECK_EQ(weft_recorder_name(&trace, 2 * 12, "no room"), WEFT_FULL);
    for (uint32_t i = 0; i < 40; i++) {
        weft_recorder_path(&trace, 0, i);
        CHECK_EQ(weft_recorder_flush(&trace), WEFT_OK);
    }
    CHECK_EQ(weft_recorder_name(&trace, 2 * 3, "another"), WEFT_OK);
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK(!kept.overflow);
    while (at < kept.size) {
        CHECK(next_frame(&at, &frame));
        metas += frame.kind == WEFT_FRAME_META;
        if (frame.kind != WEFT_FRAME_NAMES)
            continue;
        weft_reader reader;
        for (weft_reader_init(&reader, frame.body, frame.body_size); weft_reader_left(&reader);) {
            uint32_t number = weft_read_varint(&reader), size = weft_read_varint(&reader);
            const uint8_t *text = weft_read_bytes(&reader, size);
            CHECK(reader.status == WEFT_OK && number < 24 && size <= WEFT_RECORDER_NAME_MAX);
            const char *want = given[number / 2] == 2 && number == 6 ? "another" : texts[number / 2 % 4];
            CHECK(memcmp(text, want, size) == 0);
            given[number / 2]++;
        }
    }
    CHECK_EQ(metas, 2);
    for (uint32_t i = 0; i < 12; i++)
        CHECK(given[i] >= 2);
    CHECK_EQ(given[3], 3);
}

static void the_room_of_an_ended_name_serves_another(void)
{
    static weft_recorder_name_entry names[2];
    trace_config.names = names;
    trace_config.names_max = WEFT_COUNT(names);
    bool started = start(WEFT_RECORDER_BYTES_MIN);
    trace_config.names_max = 0;
    CHECK(started);
    CHECK_EQ(weft_recorder_name(&trace, 2, "a"), WEFT_OK);
    CHECK_EQ(weft_recorder_name(&trace, 4, "b"), WEFT_OK);
    CHECK_EQ(weft_recorder_name(&trace, 6, "c"), WEFT_FULL);
    CHECK_EQ(weft_recorder_name(&trace, 2, ""), WEFT_OK);
    CHECK_EQ(weft_recorder_name(&trace, 6, "c"), WEFT_OK);
    CHECK_EQ(weft_recorder_name(&trace, 2, "again"), WEFT_FULL);
    CHECK(names[0].number == 6 && names[1].number == 4);
}

WEFT_BFCM_CODER_DEF(addresses, 8);
WEFT_BFCM_CODER_DEF(values, 8);

static void predicted_numbers_have_the_bytes_of_the_format(void)
{
    /* Site 1: 0x20 and +4 by difference, then the stride is known. Site 2 starts from the address before. */
    static const uint8_t bus[] = {0xfc, 7 + 0x40, 7 + 8};
    /* Site 1: 5 by difference. Then 5 at another address, by DFCM, whose row is still 0. The row is +5 then, so the
     * next value is the last stride. */
    static const uint8_t of_values[] = {0xf8, 7 + 10, 1 + WEFT_SITE_DFCM, 1 + WEFT_SITE_LAST_STRIDE};
    weft_frame frame;
    body b;
    size_t at = WEFT_CONTAINER_HEAD_SIZE;
    CHECK_EQ(weft_bfcm_coder_init(&addresses, &addresses_config), WEFT_OK);
    CHECK_EQ(weft_bfcm_coder_init(&values, &values_config), WEFT_OK);
    trace_config.bus_coder = &weft_bus_coder_bfcm;
    trace_config.bus_coder_state = &addresses;
    trace_config.value_coder = &weft_value_coder_bfcm;
    trace_config.value_coder_state = &values;
    bool started = start(sizeof trace_bytes);
    trace_config.bus_coder = trace_config.value_coder = NULL;
    CHECK(started);
    for (uint32_t i = 0; i < 3; i++) {
        weft_recorder_access(&trace, 0, 1, 0x20 + 4 * i);
        weft_recorder_value(&trace, 0, 1, 5);
        weft_recorder_path(&trace, 0, 1);
    }
    weft_recorder_access(&trace, 0, 2, 0x28);
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK(next_frame(&at, &frame));
    CHECK(next_frame(&at, &frame));
    CHECK(read_body(&frame, &b));
    CHECK_EQ(frame.body[2], WEFT_BUS_BFCM);
    CHECK_EQ(frame.body[3], 3);
    CHECK_EQ(frame.body[4], WEFT_VALUE_BFCM);
    CHECK_EQ(frame.body[5], 3);
    CHECK(b.size[WEFT_REGION_BUS] == sizeof bus && memcmp(b.section[WEFT_REGION_BUS], bus, sizeof bus) == 0);
    CHECK(b.size[WEFT_REGION_VALUES] == sizeof of_values &&
          memcmp(b.section[WEFT_REGION_VALUES], of_values, sizeof of_values) == 0);
}

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

static void a_cut_frame_tells_its_tail_and_the_next_its_start(void)
{
    weft_frame frame;
    body b;
    size_t at = WEFT_CONTAINER_HEAD_SIZE;
    uint64_t accesses = 0;
    uint32_t frames = 0;
    CHECK(start(WEFT_RECORDER_BYTES_MIN));
    for (uint32_t i = 0; i < 90; i++) {
        weft_recorder_access(&trace, 16, i, i << 24);
        if (i % 7 == 6)
            weft_recorder_path(&trace, 16, i);
    }
    CHECK_EQ(weft_recorder_flush(&trace), WEFT_OK);
    while (at < kept.size) {
        CHECK(next_frame(&at, &frame));
        if (frame.kind != WEFT_FRAME_TRACE)
            continue;
        CHECK(read_body(&frame, &b));
        CHECK_EQ(b.accesses_before, accesses);
        CHECK_EQ(b.paths_before, accesses / 7);
        CHECK_EQ(b.context, 16);
        accesses += b.accesses;
        uint32_t tail = (uint32_t)accesses % 7;
        CHECK_EQ(b.accesses_tail, b.paths ? tail : b.accesses);
        frames++;
    }
    CHECK_EQ(accesses, 90);
    CHECK(frames > 4);
}

static void refused_events_are_counted_exactly(void)
{
    weft_frame frame;
    body b;
    size_t at = WEFT_CONTAINER_HEAD_SIZE;
    uint32_t recorded = 0, lost = 0;
    CHECK(start(WEFT_RECORDER_BYTES_MIN));
    for (uint32_t i = 0; i < 200; i++) {
        kept.refuse = i % 100 >= 50;
        weft_recorder_path(&trace, i & 1, i);
    }
    kept.refuse = false;
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK(!kept.overflow);
    while (at < kept.size) {
        CHECK(next_frame(&at, &frame));
        if (frame.kind == WEFT_FRAME_TRACE) {
            CHECK(read_body(&frame, &b));
            CHECK_EQ(b.paths_before, recorded + frame.lost);
            recorded += b.paths;
        }
        lost = (uint32_t)frame.lost;
    }
    CHECK(lost > 40);
    CHECK_EQ(recorded + lost, 200);
}

static void a_flush_that_is_refused_loses_nothing(void)
{
    CHECK(start(sizeof trace_bytes));
    kept.refuse = true;
    weft_recorder_path(&trace, 0, 1);
    CHECK_EQ(weft_recorder_flush(&trace), WEFT_AGAIN);
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_AGAIN);
    kept.refuse = false;
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK_EQ(trace.lost.paths, 0);
    CHECK_EQ(trace.before.paths, 1);
}

/* A sink that refuses for an hour loses more events than 32 bits count. The counters are set to what they would be
 * after most of these. */
static void losses_are_counted_beyond_32_bits(void)
{
    enum { NEAR_HALF = 0x7ffffff0, EVENTS = 64 };
    weft_frame frame = {.kind = 0};
    uint64_t want = 0;
    size_t at = WEFT_CONTAINER_HEAD_SIZE;
    CHECK(start(WEFT_RECORDER_BYTES_MIN));
    kept.refuse = true;
    for (int i = 0; i < 50; i++)
        weft_recorder_path(&trace, 0, (uint32_t)i * 99);
    for (int round = 0; round < 5; round++) {
        uint32_t as_if = NEAR_HALF - trace.paths;
        trace.paths += as_if;
        trace.accesses += as_if;
        want += as_if;
        for (int i = 0; i < EVENTS; i++) {
            weft_recorder_access(&trace, 0, 1, 0);
            weft_recorder_path(&trace, 0, 5);
        }
    }
    want += 5 * EVENTS;
    kept.refuse = false;
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    while (at < kept.size)
        CHECK(next_frame(&at, &frame));
    CHECK_EQ(frame.kind, WEFT_FRAME_STATS);
    CHECK(trace.lost.accesses == want);
    CHECK(trace.lost.paths >= want && trace.lost.paths < want + 50);
    CHECK(trace.before.accesses == want && trace.before.paths == want + 50);
}

WEFT_LOOPNEST_DEF(nest, 16, 4);
static weft_loopnest nest;

static void a_coded_frame_ends_after_so_many_paths(void)
{
    weft_recorder_config config = trace_config;
    weft_frame frame;
    body b;
    uint64_t paths = 0, as_if = WEFT_RECORDER_CODED_PATHS_MAX - 7;
    size_t at = WEFT_CONTAINER_HEAD_SIZE;
    memset(&kept, 0, sizeof kept);
    config.bytes_size = sizeof trace_bytes;
    config.control_coder = &weft_control_coder_loops;
    config.control_coder_state = &nest;
    CHECK_EQ(weft_loopnest_init(&nest, &nest_config), WEFT_OK);
    CHECK_EQ(weft_recorder_init(&trace, &config), WEFT_OK);
    for (unsigned i = 0; i < 20; i++) {
        if (i == 5)
            trace.paths += (uint32_t)as_if;
        weft_recorder_path(&trace, 0, 3);
    }
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    for (unsigned frames = 0; next_frame(&at, &frame) && frame.kind != WEFT_FRAME_STATS;) {
        if (frame.kind != WEFT_FRAME_TRACE)
            continue;
        CHECK(read_body(&frame, &b));
        CHECK_EQ(b.paths, frames++ ? 20 - 7 : WEFT_RECORDER_CODED_PATHS_MAX);
        paths += b.paths;
    }
    CHECK(paths == 20 + as_if);
}

static void sizes_that_cannot_work_are_refused(void)
{
    CHECK(!start(WEFT_RECORDER_BYTES_MIN - 1));
    CHECK(start(WEFT_RECORDER_BYTES_MIN));
    trace_config.slots_max = 3;
    CHECK(!start(512));
    trace_config.slots_max = 8;
    trace_config.value_slots_max = 5;
    CHECK(!start(512));
    trace_config.value_slots_max = 4;
    trace_config.profile_holds = true; /* without profile_only */
    CHECK(!start(512));
    trace_config.profile_holds = false;
    CHECK(start(512));
    trace_config.sink = NULL;
    CHECK_EQ(weft_recorder_init(&trace, &trace_config), WEFT_CONFIG);
}

int main(void)
{
    RUN(a_small_recording_has_the_bytes_of_the_format);
    RUN(marks_have_the_bytes_of_the_format);
    RUN(a_stamp_may_switch_and_a_pace_ends);
    RUN(refused_marks_are_counted_exactly);
    RUN(names_go_out_when_given_and_with_each_meta);
    RUN(the_room_of_an_ended_name_serves_another);
    RUN(predicted_numbers_have_the_bytes_of_the_format);
    RUN(slots_of_predictors_that_cannot_work_are_refused);
    RUN(a_cut_frame_tells_its_tail_and_the_next_its_start);
    RUN(refused_events_are_counted_exactly);
    RUN(a_flush_that_is_refused_loses_nothing);
    RUN(losses_are_counted_beyond_32_bits);
    RUN(a_coded_frame_ends_after_so_many_paths);
    RUN(sizes_that_cannot_work_are_refused);
    return check_failed();
}
