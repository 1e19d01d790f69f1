/* SPDX-License-Identifier: MIT */
/* What the recorder makes of events while its sink takes or refuses frames. The bytes: test_recorder_format.c. */
#include "core/recorder_fast.h"
#include "core/recorder_loops.h"
#include "tests/lib/kept_frames.h"

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

/* All names of number 2, each with a '|' after it. */
static void names_given(char *text)
{
    weft_frame frame;
    *text = 0;
    for (size_t at = WEFT_CONTAINER_HEAD_SIZE; at < kept.size;) {
        CHECK(next_frame(&at, &frame));
        weft_reader reader;
        weft_reader_init(&reader, frame.body, frame.body_size);
        while (frame.kind == WEFT_FRAME_NAMES && weft_reader_left(&reader)) {
            uint32_t number = weft_read_varint(&reader), size = weft_read_varint(&reader);
            const uint8_t *name = weft_read_bytes(&reader, size);
            CHECK(reader.status == WEFT_OK && number == 2);
            memcpy(text, name, size);
            text += size;
            *text++ = '|';
            *text = 0;
        }
    }
}

/* Threads of one number that end before a frame takes their names: they do not get the next one's. */
static void an_ended_thread_is_not_forgotten(void)
{
    static weft_recorder_name_entry names[2];
    static const struct {
        const char *name[6]; /* "-": a path, and its frame; "!": all are due again, as with a META */
        const char *given;
    } cases[] = {
        {{"a", "", "b", "-"}, "ended thread|b|"},
        {{"a", "b", "-"}, "b|"}, /* renamed */
        {{"a", "", "-"}, "ended thread||"},
        {{"a", "-", "", "b", "-"}, "a|b|"},
        {{"a", "-", "b", "", "c", "-"}, "a|ended thread|c|"},
        {{"a", "", "-", "b", "-"}, "ended thread||b|"},
        {{"", "a", "-"}, "a|"},
        {{"a", "-", "!", "", "-"}, "a||"},
        {{"a", "!", "", "b", "-"}, "ended thread|b|"},
    };
    char text[200];
    trace_config.names = names;
    trace_config.names_max = WEFT_COUNT(names);
    for (size_t i = 0; i < WEFT_COUNT(cases); i++) {
        CHECK(start(WEFT_RECORDER_BYTES_MIN));
        for (size_t k = 0; k < WEFT_COUNT(cases[i].name) && cases[i].name[k]; k++) {
            if (strcmp(cases[i].name[k], "!") == 0) {
                trace.names_sent = 0;
                continue;
            }
            if (strcmp(cases[i].name[k], "-") != 0) {
                CHECK_EQ(weft_recorder_name(&trace, 2, cases[i].name[k]), WEFT_OK);
                continue;
            }
            weft_recorder_path(&trace, 0, 1);
            CHECK_EQ(weft_recorder_flush(&trace), WEFT_OK);
        }
        CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
        names_given(text);
        CHECK(strcmp(text, cases[i].given) == 0);
    }
    trace_config.names_max = 0;
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
    RUN(refused_marks_are_counted_exactly);
    RUN(names_go_out_when_given_and_with_each_meta);
    RUN(the_room_of_an_ended_name_serves_another);
    RUN(an_ended_thread_is_not_forgotten);
    RUN(a_cut_frame_tells_its_tail_and_the_next_its_start);
    RUN(refused_events_are_counted_exactly);
    RUN(a_flush_that_is_refused_loses_nothing);
    RUN(losses_are_counted_beyond_32_bits);
    RUN(a_coded_frame_ends_after_so_many_paths);
    RUN(sizes_that_cannot_work_are_refused);
    return check_failed();
}
