/* SPDX-License-Identifier: MIT */
/* What a recorder writes is, byte for byte, what core/FORMAT.md says. */
#include "core/recorder_bfcm.h"
#include "core/recorder_fast.h"
#include "tests/lib/kept_frames.h"

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

static void what_a_second_execution_needs_has_the_bytes_of_the_format(void)
{
    enum { LAPS = 17, INPUT = 19, PLACE = 9, STACKED = 15 };
    static const weft_place place = {
        .pc = 4, .frame = 0x100, .exception = 1, .hashes = {0x11, 0x22}, .counted = true, .laps = 5};
    weft_frame frame;
    body b;
    size_t at = WEFT_CONTAINER_HEAD_SIZE;
    CHECK(start(sizeof trace_bytes));
    CHECK_EQ(weft_recorder_place(&trace, 15, &place), WEFT_OK);
    CHECK_EQ(weft_recorder_input(&trace, 15, 0xabcdef01, 0x5a, 3), WEFT_OK);
    CHECK_EQ(weft_recorder_laps(&trace, 15, UINT32_MAX), WEFT_OK);
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK(next_frame(&at, &frame) && next_frame(&at, &frame) && read_body(&frame, &b));
    weft_reader reader;
    weft_reader_init(&reader, b.section[WEFT_REGION_MARKS], b.size[WEFT_REGION_MARKS]);
    CHECK_EQ(weft_read_varint64(&reader), (uint64_t)(2 * 5 + 1) << 5 | LAPS);
    CHECK_EQ(weft_read_varint64(&reader), 2u << 5 | PLACE);
    CHECK_EQ(weft_read_varint64(&reader), 1u << 7 | STACKED);
    CHECK(weft_read_varint(&reader) == 0x100 && weft_read_varint(&reader) == 0x11 && weft_read_varint(&reader) == 0x22);
    CHECK_EQ(weft_read_varint64(&reader), UINT64_C(0xabcdef015a) << 5 | INPUT);
    CHECK_EQ(weft_read_varint(&reader), 3);
    CHECK_EQ(weft_read_varint64(&reader), UINT64_C(0x1fffffffe) << 5 | LAPS);
    CHECK(reader.status == WEFT_OK && weft_reader_left(&reader) == 0);
    CHECK_EQ(trace.before.marks, 3); /* a place is no event, but its laps and the others are */
}

static void what_the_sink_refuses_of_that_is_counted(void)
{
    static const weft_place place = {.pc = 4, .counted = true, .laps = 5};
    CHECK(start(sizeof trace_bytes));
    kept.refuse = true;
    weft_status status = WEFT_OK;
    uint64_t made = 0;
    for (; status == WEFT_OK && made < 10000; made++)
        status = weft_recorder_input(&trace, 0, (uint32_t)made, 0, 0);
    CHECK_EQ(status, WEFT_AGAIN);
    CHECK_EQ(weft_recorder_place(&trace, 15, &place), WEFT_AGAIN);
    CHECK_EQ(weft_recorder_laps(&trace, 15, 6), WEFT_AGAIN);
    kept.refuse = false;
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK_EQ(trace.before.marks, made + 2);
}

/* Where the frame ends between the count and its place, and the sink refuses. */
static void a_place_whose_count_is_recorded_is_lost_alone(void)
{
    static const weft_place place = {.pc = 4, .counted = true, .laps = 5};
    unsigned parted = 0;
    for (uint32_t before = 0; before < 200; before++) {
        weft_status status = WEFT_OK;
        CHECK(start(sizeof trace_bytes));
        for (uint32_t i = 0; i < before && status == WEFT_OK; i++)
            status = weft_recorder_input(&trace, 15, 0, 0, 0);
        if (status != WEFT_OK)
            break;
        kept.refuse = true;
        status = weft_recorder_place(&trace, 15, &place);
        kept.refuse = false;
        CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
        uint64_t counted = trace.before.marks - before;
        CHECK(status == WEFT_OK ? counted == 1 : counted == 1 || counted == 2);
        parted += status == WEFT_AGAIN && counted == 2;
    }
    CHECK(parted > 0);
}

/* What a reader of a META or STATS gets at `key`: a number, or how many bytes a text has. NOT_THERE: no such field. */
#define NOT_THERE UINT64_MAX
static uint64_t field(const weft_frame *frame, uint32_t key)
{
    weft_reader reader;
    uint64_t found = NOT_THERE;
    weft_reader_init(&reader, frame->body, frame->body_size);
    while (weft_reader_left(&reader) && reader.status == WEFT_OK) {
        uint32_t at = weft_read_varint(&reader);
        uint64_t value = at & 1 ? weft_read_varint(&reader) : weft_read_varint64(&reader);
        if (at & 1)
            (void)weft_read_bytes(&reader, (size_t)value);
        if (at == key)
            found = value;
    }
    return reader.status == WEFT_OK ? found : NOT_THERE;
}

/* Each field of META, by its key of core/FORMAT.md, and those that stand there only if they say something. */
static void meta_has_the_fields_of_the_format(void)
{
    static const weft_clock clock = {&ticks, now, 0x10001};
    static const uint32_t with[][2] = {{2, 0x10001}, {4, 0},  {6, 5},  {8, 4},  {10, 512},
                                       {12, 8},      {14, 4}, {18, 2}, {20, 3}, {22, 70000}};
    weft_frame frame;
    for (unsigned said = 0; said < 2; said++) {
        size_t at = WEFT_CONTAINER_HEAD_SIZE;
        trace_config.clock = said ? &clock : NULL;
        trace_config.derive = said ? 2 : 0;
        trace_config.time_base = said ? 3 : 0;
        trace_config.sampling = said ? 70000 : 0;
        trace_config.note = said ? "ab" : "";
        bool started = start(512);
        uint32_t probes = trace_config.probes;
        CHECK(started && weft_recorder_finish(&trace) == WEFT_OK && next_frame(&at, &frame));
        CHECK_EQ(frame.kind, WEFT_FRAME_META);
        for (unsigned i = 0; i < sizeof with / sizeof *with; i++) {
            uint64_t value = with[i][0] == 4 ? probes : with[i][1];
            if (!said && with[i][0] >= 18)
                value = NOT_THERE;
            else if (!said && with[i][0] == 2)
                value = 0;
            CHECK_EQ(field(&frame, with[i][0]), value);
        }
        CHECK_EQ(field(&frame, WEFT_META_NOTE), said ? 2 : 0);
    }
    trace_config.note = NULL;
    trace_config.clock = NULL;
    trace_config.derive = trace_config.time_base = 0;
    trace_config.sampling = 0;
}

/* STATS likewise: counts of 32 and 64 bits. */
static void stats_have_the_fields_of_the_format(void)
{
    static const uint32_t with[][2] = {{2, 300}, {4, 2},  {6, 1},  {8, 0},  {10, 0},
                                       {12, 0},  {14, 2}, {16, 0}, {18, 1}, {22, 512}};
    weft_frame frame;
    size_t at = WEFT_CONTAINER_HEAD_SIZE;
    CHECK(start(512));
    weft_recorder_access(&trace, 0, 1, 0x20);
    weft_recorder_value(&trace, 0, 1, 3);
    weft_recorder_access(&trace, 0, 1, 0x24);
    for (unsigned i = 0; i < 299; i++)
        weft_recorder_path(&trace, 0, 5);
    weft_recorder_path(&trace, 15, 5);
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    do
        CHECK(next_frame(&at, &frame));
    while (frame.kind != WEFT_FRAME_STATS);
    for (unsigned i = 0; i < sizeof with / sizeof *with; i++)
        CHECK_EQ(field(&frame, with[i][0]), with[i][1]);
    CHECK_EQ(at, kept.size);
}

/* The number of a context and three bits below it take up to 35 bits, which no 32-bit number holds. */
static void entries_of_large_contexts_have_the_bytes_of_the_format(void)
{
    static const uint32_t contexts[] = {0x0fffffff, 0x1fffffff, 0x20000000, 0x3fffffff, 0x40000001, UINT32_MAX};
    for (unsigned i = 0; i < sizeof contexts / sizeof *contexts; i++) {
        weft_frame frame;
        body b;
        size_t at = WEFT_CONTAINER_HEAD_SIZE;
        CHECK(start(sizeof trace_bytes));
        weft_recorder_access(&trace, 0, 1, 0x20);
        weft_recorder_value(&trace, 0, 1, 3);
        weft_recorder_path(&trace, 0, 5);
        weft_recorder_path(&trace, contexts[i], 7);
        CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
        CHECK(next_frame(&at, &frame) && next_frame(&at, &frame) && read_body(&frame, &b));
        weft_reader marks;
        weft_reader_init(&marks, b.section[1], b.size[1]);
        CHECK(weft_read_varint64(&marks) == (uint64_t)contexts[i] * 8 + 6);
        CHECK(weft_read_varint(&marks) == 1 && weft_read_varint(&marks) == 0);
        CHECK(weft_read_varint(&marks) == 1 && weft_read_varint(&marks) == 0);
        CHECK(marks.status == WEFT_OK && weft_reader_left(&marks) == 0);
    }
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

int main(void)
{
    RUN(a_small_recording_has_the_bytes_of_the_format);
    RUN(marks_have_the_bytes_of_the_format);
    RUN(what_a_second_execution_needs_has_the_bytes_of_the_format);
    RUN(what_the_sink_refuses_of_that_is_counted);
    RUN(a_place_whose_count_is_recorded_is_lost_alone);
    RUN(meta_has_the_fields_of_the_format);
    RUN(stats_have_the_fields_of_the_format);
    RUN(entries_of_large_contexts_have_the_bytes_of_the_format);
    RUN(a_stamp_may_switch_and_a_pace_ends);
    RUN(predicted_numbers_have_the_bytes_of_the_format);
    return check_failed();
}
