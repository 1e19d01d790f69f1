/* SPDX-License-Identifier: MIT */
/* Frames of two runs in one file, with the same program, identity and run number. Every sign that they do not follow
 * from each other is named, and none is taken for a loss of the recorder. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/model.h"

enum { FRAMES_MAX = 4000 };

static model program;
static uint8_t frame_bytes[WEFT_RECORDER_BYTES_MIN + 60];
static weft_slot slots[8];
static weft_value_slot value_slots[8];

/* A recording, taken apart. */
typedef struct recorded {
    run run;
    size_t start[FRAMES_MAX + 1], count;
} recorded;

static uint64_t clock_at;
static uint64_t tick(void *context)
{
    (void)context;
    return clock_at += 3;
}

static void record(recorded *r, uint32_t seed, bool timed, const char *note)
{
    weft_clock clock = {.now = tick, .hz = 1000};
    weft_recorder_config config = {.bytes = frame_bytes,
                                   .bytes_size = sizeof frame_bytes,
                                   .slots = slots,
                                   .slots_max = 8,
                                   .value_slots = value_slots,
                                   .value_slots_max = 8,
                                   .identity = 7,
                                   .run = 1,
                                   .meta_every = 4,
                                   .note = note,
                                   .clock = timed ? &clock : NULL};
    memset(r, 0, sizeof *r);
    r->run.program = &program;
    run_program(&r->run, &config, 400, seed);
    const model_sink *sink = &r->run.sink;
    for (size_t at = WEFT_CONTAINER_HEAD_SIZE; at < sink->size && r->count < FRAMES_MAX;) {
        r->start[r->count++] = at;
        at = (size_t)((const uint8_t *)memchr(sink->bytes + at, 0, sink->size - at) - sink->bytes) + 1;
    }
    r->start[r->count] = sink->size;
}

/* What is listed of a file made of the frames of `a` before number `cut` and those of `b` from there on: gaps of
 * each kind. */
typedef struct listed {
    unsigned others, lost;
    char text[256];
} listed;

static listed splice(const recorded *a, const recorded *b, size_t cut)
{
    listed found = {0};
    char message[200];
    size_t head = a->start[cut], tail = b->start[b->count] - b->start[cut];
    uint8_t *bytes = malloc(head + tail);
    memcpy(bytes, a->run.sink.bytes, head);
    memcpy(bytes + head, b->run.sink.bytes + b->start[cut], tail);
    container *file = container_open_bytes(bytes, head + tail, "spliced", message, sizeof message);
    for (size_t i = 0; file && i < container_gap_count(file); i++) {
        const container_gap *gap = container_gap_at(file, i);
        found.others += gap->kind == GAP_OTHER;
        found.lost += gap->kind == GAP_LOST;
        if (gap->kind == GAP_OTHER)
            container_gap_text(gap, found.text, sizeof found.text);
    }
    container_close(file);
    free(bytes);
    return found;
}

static void make_program(void)
{
    check_random random = {3};
    model_make(&program, &random, 60, 50);
}

static void counts_that_do_not_add_up_are_of_another_run(void)
{
    static recorded a, b;
    unsigned named = 0;
    record(&a, 4, false, "a run");
    record(&b, 5, false, "a run");
    for (size_t cut = 2; cut < a.count && cut < b.count; cut++) {
        listed found = splice(&a, &b, cut);
        CHECK(found.others == 1);
        CHECK(strstr(found.text, "another run") != NULL);
        named += found.others;
        CHECK(splice(&a, &a, cut).others == 0);
    }
    CHECK(named > 10);
    run_free(&a.run);
    run_free(&b.run);
}

/* Two runs of the same paths: only the clock differs. */
static void time_that_goes_back_is_of_another_run(void)
{
    static recorded a, b;
    clock_at = 4000000;
    record(&a, 4, true, "a run");
    clock_at = 5000000;
    record(&b, 4, true, "a run");
    CHECK(a.count == b.count);
    for (size_t cut = 2; cut < a.count; cut++)
        CHECK(strstr(splice(&b, &a, cut).text, "it began before") != NULL);
    run_free(&a.run);
    run_free(&b.run);
}

static void another_description_is_of_another_run(void)
{
    static recorded a, b;
    record(&a, 4, false, "a run");
    record(&b, 4, false, "b run");
    bool named = false;
    for (size_t cut = 2; cut < a.count && cut < b.count; cut++)
        named |= strstr(splice(&a, &b, cut).text, "it describes another recording") != NULL;
    CHECK(named); /* where a META comes again after the cut */
    run_free(&a.run);
    run_free(&b.run);
}

/* Cuts the body of frame `number` to `size` bytes, under a right check sum. Returns whether the damage is named. */
static bool damage_named(const recorded *r, size_t number, size_t size)
{
    enum { SHIFT = WEFT_FRAME_SHIFT(sizeof frame_bytes + WEFT_FRAME_CHECK_SIZE) };
    static uint8_t bytes[1 << 20];
    char message[200];
    size_t at = r->start[number], end = r->start[number + 1], total = r->start[r->count];
    weft_frame frame;
    uint8_t old[sizeof frame_bytes];
    bool named = false;
    if (end - at > sizeof old || total + SHIFT + sizeof old > sizeof bytes)
        return false;
    memcpy(old, r->run.sink.bytes + at, end - at);
    memcpy(bytes, r->run.sink.bytes, at);
    if (weft_frame_open(&frame, old, end - at - 1) != WEFT_OK || size > frame.body_size)
        return false;
    size_t content = (size_t)(frame.body - old) + size;
    memcpy(bytes + at + SHIFT, old, content);
    size_t sealed = weft_frame_seal(bytes + at, SHIFT, content);
    memcpy(bytes + at + sealed, r->run.sink.bytes + end, total - end);
    container *file = container_open_bytes(bytes, at + sealed + total - end, "cut", message, sizeof message);
    for (size_t i = 0; file && i < container_gap_count(file); i++)
        named |= container_gap_at(file, i)->kind == GAP_DAMAGE && container_gap_at(file, i)->offset == at;
    container_close(file);
    return named;
}

static void a_field_that_is_cut_is_damage(void)
{
    static recorded r;
    record(&r, 4, true, "a run");
    const size_t number[] = {0, r.count - 1}; /* META, STATS */
    for (unsigned i = 0; i < 2; i++) {
        weft_frame frame;
        uint8_t old[sizeof frame_bytes];
        size_t size = r.start[number[i] + 1] - r.start[number[i]] - 1;
        memcpy(old, r.run.sink.bytes + r.start[number[i]], size);
        CHECK_EQ(weft_frame_open(&frame, old, size), WEFT_OK);
        CHECK(!damage_named(&r, number[i], frame.body_size));
        CHECK(damage_named(&r, number[i], frame.body_size - 1));
        CHECK(damage_named(&r, number[i], 1));
    }
    run_free(&r.run);
}

int main(void)
{
    make_program();
    RUN(counts_that_do_not_add_up_are_of_another_run);
    RUN(time_that_goes_back_is_of_another_run);
    RUN(another_description_is_of_another_run);
    RUN(a_field_that_is_cut_is_damage);
    return check_failed();
}
