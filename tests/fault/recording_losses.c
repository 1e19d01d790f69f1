/* SPDX-License-Identifier: MIT */
/* Losses are counted in 64 bits, and who lost the events is named rightly: the sink, the event ring of the port, or one
 * of both. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/frame.h"
#include "tests/lib/check.h"
#include "tests/lib/model.h"
#include "tools/lib/recording/container.h"

WEFT_RECORDER_DEF(trace, 400, 4, 0);
static model_sink kept;
static bool broken;

static weft_status keep(void *context, const uint8_t *frame, size_t size)
{
    return broken ? WEFT_AGAIN : model_write(context, frame, size);
}

static const weft_sink sink = {&kept, keep};

/* Records a few paths; then the sink refuses `refused` paths, and the port counts `early` ones; then comes the end. */
static bool record(uint32_t refused, uint64_t early)
{
    const weft_counts lost = {.paths = early};
    free(kept.bytes);
    kept = (model_sink){0};
    trace_config.sink = &sink;
    if (weft_recorder_init(&trace, &trace_config) != WEFT_OK)
        return false;
    for (uint32_t i = 0; i < 5; i++)
        weft_recorder_path(&trace, 0, i);
    broken = refused > 0;
    if (refused && weft_recorder_flush(&trace) != WEFT_AGAIN)
        return false;
    for (uint32_t i = 0; i < refused; i++)
        weft_recorder_path(&trace, 0, i);
    broken = false;
    weft_recorder_path(&trace, 0, 7);
    if (early)
        weft_recorder_lost(&trace, &lost);
    weft_recorder_path(&trace, 0, 8);
    return weft_recorder_finish(&trace) == WEFT_OK;
}

/* Whether a gap says so, and the sum of all is right. */
static bool says(const char *text, uint64_t lost)
{
    char line[256], message[200];
    container *file = container_open_bytes(kept.bytes, kept.size, "test", message, sizeof message);
    bool found = false;
    if (!file)
        return false;
    for (size_t i = 0; i < container_gap_count(file); i++) {
        container_gap_text(container_gap_at(file, i), line, sizeof line);
        found |= strstr(line, text) != NULL;
    }
    bool right = container_lost(file).paths == lost;
    container_close(file);
    return found && right;
}

static void who_lost_the_events_is_named(void)
{
    CHECK(record(3, 0));
    CHECK(says("the sink refused; 3 paths", 3));
    CHECK(record(0, 4));
    CHECK(says("the event ring was full; 4 paths", 4));
    CHECK(record(3, 4));
    CHECK(says("the sink refused or the event ring was full; ", 7));
}

static void losses_beyond_32_bits_are_counted(void)
{
    char text[60];
    for (unsigned bits = 31; bits < 63; bits += 3) {
        uint64_t lost = ((uint64_t)1 << bits) + 5;
        CHECK(record(0, lost));
        CHECK_EQ(trace.lost.paths, lost);
        snprintf(text, sizeof text, "the event ring was full; %llu paths", (unsigned long long)lost);
        CHECK(says(text, lost));
    }
}

/* A field of the end record that only a faulty writer makes, and how: in place of what stands there, or after it. */
typedef struct made_up {
    uint32_t key;
    uint64_t value;
    bool after;
} made_up;

/* The recording of `lost` paths of 11, with such an end record, whose sum is right. */
static bool end_with(const made_up *field, uint32_t lost)
{
    enum { ROOM = 400 };
    static uint8_t wire[ROOM], end[2 * ROOM];
    size_t shift = WEFT_FRAME_SHIFT(ROOM);
    weft_frame frame;
    weft_writer out;
    weft_reader reader;
    EXPECT(record(lost, 0));
    size_t from = kept.size - 1;
    while (kept.bytes[from - 1])
        from--;
    size_t size = kept.size - 1 - from;
    EXPECT(size < sizeof wire);
    memcpy(wire, kept.bytes + from, size);
    EXPECT(weft_frame_open(&frame, wire, size) == WEFT_OK && frame.kind == WEFT_FRAME_STATS);
    weft_writer_init(&out, end + shift, ROOM);
    weft_frame_head(&out, &frame);
    weft_reader_init(&reader, frame.body, frame.body_size);
    while (weft_reader_left(&reader)) {
        uint32_t key = weft_read_varint(&reader);
        uint64_t value = weft_read_varint64(&reader);
        weft_write_field(&out, key, key == field->key && !field->after ? field->value : value);
    }
    if (field->after)
        weft_write_field(&out, field->key, field->value);
    size = weft_frame_seal(end, shift, out.size);
    EXPECT(from + size <= kept.size + 20);
    kept.bytes = realloc(kept.bytes, from + size);
    memcpy(kept.bytes + from, end, size);
    kept.size = from + size;
    return true;
}

static unsigned gaps(void)
{
    char message[200];
    container *file = container_open_bytes(kept.bytes, kept.size, "test", message, sizeof message);
    unsigned count = (unsigned)container_gap_count(file);
    container_close(file);
    return count;
}

static void an_end_record_that_contradicts_the_frames_is_named(void)
{
    static const char text[] = "its totals are not those of the frames before it";
    static const made_up bad[] = {
        {WEFT_STATS_LOST_PATHS, 1, false},    {WEFT_STATS_LOST_PATHS, UINT64_MAX, false},
        {WEFT_STATS_LOST_ACCESSES, 1, false}, {WEFT_STATS_LOST_VALUES, 1, false},
        {WEFT_STATS_FRAME_HIGH, 401, false},  {WEFT_STATS_FRAME_SIZE, 3, false},
        {WEFT_STATS_LOST_MARKS, 1, true},     {WEFT_STATS_FRAME_HIGH, UINT64_MAX, false},
    };
    for (size_t i = 0; i < WEFT_COUNT(bad); i++) {
        CHECK(end_with(&bad[i], 0));
        CHECK(says(text, 0));
    }
    CHECK(end_with(&(made_up){WEFT_STATS_LOST_PATHS, 4, false}, 3));
    CHECK(says(text, 3));
    CHECK(end_with(&(made_up){WEFT_STATS_LOST_PATHS, 3, false}, 3));
    CHECK_EQ(gaps(), 1);
    CHECK(end_with(&(made_up){WEFT_STATS_REFUSED, 0, false}, 0));
    CHECK_EQ(gaps(), 0);
}

static void an_end_record_that_says_something_twice_is_damaged(void)
{
    CHECK(end_with(&(made_up){WEFT_STATS_REFUSED, 7, true}, 0));
    CHECK(says("damaged", 0));
    CHECK(end_with(&(made_up){WEFT_STATS_PATHS, 6, true}, 0));
    CHECK(says("damaged", 0));
}

int main(void)
{
    RUN(who_lost_the_events_is_named);
    RUN(losses_beyond_32_bits_are_counted);
    RUN(an_end_record_that_contradicts_the_frames_is_named);
    RUN(an_end_record_that_says_something_twice_is_damaged);
    free(kept.bytes);
    return check_failed();
}
