/* SPDX-License-Identifier: MIT */
/* Cuts and single-bit flips of small containers (with WEFT_LONG each), and frames with changed bytes under a right
 * check sum. What is intact decodes; what is not is a named gap. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/recorder_bfcm.h"
#include "tests/lib/model.h"
#include "tools/lib/recording/control.h"

static model program;
static uint8_t frame_bytes[4096];
static weft_slot slots[8];
static weft_value_slot value_slots[8];
static run small;
static bool predicted; /* the tests that run now use predictors */
WEFT_BFCM_CODER_DEF(addresses, 8);
WEFT_BFCM_CODER_DEF(values, 8);

/* A recording of a few frames. */
static void record(uint32_t seed)
{
    check_random random = {seed};
    weft_recorder_config config = {.bytes = frame_bytes,
                                   .bytes_size = WEFT_RECORDER_BYTES_MIN + 60,
                                   .slots = slots,
                                   .slots_max = 8,
                                   .value_slots = value_slots,
                                   .value_slots_max = 8};
    if (predicted) {
        weft_bfcm_coder_init(&addresses, &addresses_config);
        weft_bfcm_coder_init(&values, &values_config);
        config.bus_coder = &weft_bus_coder_bfcm;
        config.bus_coder_state = &addresses;
        config.value_coder = &weft_value_coder_bfcm;
        config.value_coder_state = &values;
    }
    run_free(&small);
    memset(&small, 0, sizeof small);
    small.program = &program;
    model_make(&program, &random, 60, 50);
    run_program(&small, &config, 60, seed);
}

static size_t frames_of(const uint8_t *bytes, size_t size)
{
    char message[200];
    container *file = container_open_bytes(bytes, size, "test", message, sizeof message);
    size_t count = file ? container_frame_count(file) : 0;
    container_close(file);
    return count;
}

/* Decodes the bytes. Returns the number of events; -1: not a container. *gaps gets the number of gaps. */
static int64_t decode(const uint8_t *bytes, size_t size, size_t *gaps)
{
    char message[200] = "";
    char text[256];
    replay_event event;
    int64_t count = 0;
    container *file = container_open_bytes(bytes, size, "test", message, sizeof message);
    if (!file)
        return message[0] ? -1 : -2;
    *gaps = container_gap_count(file);
    for (size_t i = 0; i < *gaps; i++)
        container_gap_text(container_gap_at(file, i), text, sizeof text);
    replay *events = replay_open(file, (replay_model){&program, model_script});
    while (replay_next(events, &event))
        count += event.kind == REPLAY_PATH || event.kind == REPLAY_ACCESS || event.kind == REPLAY_VALUE ? 1
                 : event.kind == REPLAY_MARK       ? event.mark->kind == WEFT_MARK_EVENT
                 : event.kind == REPLAY_UNRESOLVED ? (int64_t)(event.accesses + event.values)
                                                   : 0;
    control *c = control_open(file);
    for (control_event e; control_next(c, &e);)
        ;
    control_close(c);
    if (replay_error(events))
        count = -3;
    replay_close(events);
    container_close(file);
    return count;
}

static void every_cut_leaves_what_is_before_it(void)
{
    record(3);
    size_t gaps;
    int64_t last = -1;
    for (size_t size = 0; size < small.sink.size; size += check_amount(3, 3, 1)) {
        uint8_t *bytes = malloc(size + 1); /* exactly this many, for the sanitizer */
        memcpy(bytes, small.sink.bytes, size);
        int64_t count = decode(bytes, size, &gaps);
        free(bytes);
        CHECK(count >= -1);
        CHECK(count >= last);
        CHECK(count == -1 || gaps > 0);
        last = count;
    }
    CHECK_EQ(decode(small.sink.bytes, small.sink.size, &gaps), (int64_t)small.count);
    CHECK_EQ(gaps, 0);
}

static void a_recording_that_has_only_begun_is_named(void)
{
    record(3);
    size_t gaps, whole = small.sink.size;
    uint8_t *bytes = malloc(whole + WEFT_CONTAINER_HEAD_SIZE);
    memcpy(bytes, small.sink.bytes, whole);
    memcpy(bytes + whole, WEFT_CONTAINER_HEAD, WEFT_CONTAINER_HEAD_SIZE);
    for (size_t more = 2; more <= WEFT_CONTAINER_HEAD_SIZE; more++) {
        CHECK_EQ(decode(bytes, whole + more, &gaps), (int64_t)small.count);
        CHECK(gaps > 0);
    }
    free(bytes);
}

static void every_flipped_bit_costs_a_frame_or_two_and_is_named(void)
{
    record(4);
    size_t gaps, frames = frames_of(small.sink.bytes, small.sink.size);
    for (size_t bit = 8 * WEFT_CONTAINER_HEAD_SIZE; bit < 8 * small.sink.size; bit += check_amount(29, 15, 1)) {
        small.sink.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        int64_t count = decode(small.sink.bytes, small.sink.size, &gaps);
        CHECK(count >= 0 && count <= (int64_t)small.count);
        CHECK(gaps > 0);
        CHECK(frames_of(small.sink.bytes, small.sink.size) + 2 >= frames);
        small.sink.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

static void flips_in_the_head_do_not_matter(void)
{
    record(5);
    size_t gaps;
    for (size_t bit = 0; bit < 8 * WEFT_CONTAINER_HEAD_SIZE; bit++) {
        small.sink.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        int64_t count = decode(small.sink.bytes, small.sink.size, &gaps);
        /* A flip in its last zero joins it to META. */
        CHECK_EQ(count, (int64_t)small.count);
        small.sink.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

/* Changes a byte in the content of frame `index`, and gives it a right CRC again. */
static size_t reseal(size_t index, size_t at, uint8_t value, uint8_t *out)
{
    size_t to = 0, from = WEFT_CONTAINER_HEAD_SIZE;
    for (size_t i = 0; from < small.sink.size; i++) {
        size_t size =
            (size_t)((uint8_t *)memchr(small.sink.bytes + from, 0, small.sink.size - from) - (small.sink.bytes + from));
        if (i != index) {
            memcpy(out + to, small.sink.bytes + from, size + 1);
            to += size + 1;
        } else {
            static uint8_t content[8192];
            size_t shift = WEFT_FRAME_SHIFT(sizeof content), content_size;
            weft_cobs_decode(content + shift, &content_size, small.sink.bytes + from, size);
            if (at >= content_size - WEFT_FRAME_CHECK_SIZE)
                return 0;
            content[shift + at] = value;
            content_size = weft_frame_seal(content, shift, content_size - WEFT_FRAME_CHECK_SIZE);
            memcpy(out + to, content, content_size);
            to += content_size;
        }
        from += size + 1;
    }
    return to;
}

/* Puts some values at a place of a frame, one after the other; how many of the files are refused. */
static unsigned refused_at(size_t index, size_t at, uint8_t *out)
{
    static const uint8_t bytes[] = {0, 1, 0x7f, 0x80, 0xff, 16, 24, 25};
    size_t gaps;
    unsigned refused = 0;
    for (unsigned v = 0; v < WEFT_COUNT(bytes); v++) {
        size_t size = reseal(index, at, bytes[v], out);
        if (!size)
            break;
        refused += decode(out, size, &gaps) < 0;
    }
    return refused;
}

static void wrong_insides_with_a_right_crc_are_no_harm(void)
{
    record(6);
    uint8_t *out = malloc(2 * small.sink.size + 4096);
    size_t frames = frames_of(small.sink.bytes, small.sink.size);
    unsigned refused = 0;
    for (size_t index = 0; index < frames && index < 12; index++)
        for (size_t at = 0; at < 400; at += check_amount(7, 5, 1))
            refused += refused_at(index, at, out);
    free(out);
    CHECK(refused > 0);
}

static void a_frame_of_another_version_is_named_and_passed_over(void)
{
    record(7);
    uint8_t *out = malloc(2 * small.sink.size + 4096);
    char message[200];
    size_t size = reseal(2, 0, WEFT_FORMAT_VERSION + 1, out);
    container *file = container_open_bytes(out, size, "test", message, sizeof message);
    bool named = false;
    CHECK(file != NULL);
    for (size_t i = 0; i < container_gap_count(file); i++)
        named |= container_gap_at(file, i)->kind == GAP_VERSION &&
                 container_gap_at(file, i)->version == WEFT_FORMAT_VERSION + 1;
    container_close(file);
    free(out);
    CHECK(named);
}

static void what_is_not_a_container_is_refused_with_a_message(void)
{
    static const char *const texts[] = {"", "WEFT", "hello, world\n", "\0\0\0\0\0\0\0\0", "\0WEFT\0"};
    static const size_t sizes[] = {0, 4, 13, 8, 6};
    char message[200];
    for (unsigned i = 0; i < WEFT_COUNT(sizes); i++) {
        message[0] = 0;
        CHECK(container_open_bytes((const uint8_t *)texts[i], sizes[i], "test", message, sizeof message) == NULL);
        CHECK(strncmp(message, "test: ", 6) == 0);
    }
}

int main(void)
{
    for (unsigned i = 0; i < 2; i++) {
        predicted = i;
        RUN(every_cut_leaves_what_is_before_it);
        RUN(a_recording_that_has_only_begun_is_named);
        RUN(every_flipped_bit_costs_a_frame_or_two_and_is_named);
        RUN(flips_in_the_head_do_not_matter);
        RUN(wrong_insides_with_a_right_crc_are_no_harm);
    }
    RUN(a_frame_of_another_version_is_named_and_passed_over);
    RUN(what_is_not_a_container_is_refused_with_a_message);
    run_free(&small);
    return check_failed();
}
