/* SPDX-License-Identifier: MIT */
/* Paths of a forest in parts, as the probe counts them; and what the probe must leave to others.
 * tests/prop/prop_recorder_ksf.c tests what is counted at once. */
#include <string.h>

#include "core/recorder_ksf.h"
#include "tests/lib/check.h"

enum { PATHS = 40 };

static weft_status keep(void *context, const uint8_t *frame, size_t size)
{
    (void)context, (void)frame, (void)size;
    return WEFT_OK;
}

static const weft_sink sink = {NULL, keep};
WEFT_RECORDER_DEF(trace, 640, 0, 0);
WEFT_KSF_DEF(forest, 3, 24, 4);

static void start(bool holds)
{
    weft_recorder_config config = trace_config;
    config.sink = &sink;
    config.profiler = &weft_profiler_ksf;
    config.profiler_state = &forest;
    config.profile_only = true;
    config.profile_holds = holds;
    CHECK_EQ(weft_ksf_init(&forest, &forest_config), WEFT_OK);
    CHECK_EQ(weft_recorder_init(&trace, &config), WEFT_OK);
}

static weft_status count_in_parts(uint32_t path, weft_ksf_activation *activation)
{
    weft_ksf_place place;
    bool begins = activation->generation == 0; /* then nothing is known */
    if ((!begins && weft_recorder_kpath_known(&trace, path, activation)) ||
        weft_recorder_kpath_near(&trace, path, activation))
        return WEFT_OK;
    weft_status status = weft_ksf_look(&forest, &place);
    while (status == WEFT_AGAIN) {
        weft_ksf_find(&forest, activation, path, &place);
        status = weft_recorder_kpath_take(&trace, activation, &place);
    }
    return status;
}

static void paths_in_parts_are_counted_until_the_forest_is_full(void)
{
    weft_ksf_activation activation = {0};
    uint32_t taken = 0;
    start(false);
    while (taken < PATHS && count_in_parts(taken * taken % 7, &activation) == WEFT_OK)
        taken++;
    CHECK(taken > 4 && taken < PATHS && weft_ksf_check(&forest));
    CHECK_EQ(weft_recorder_kpath_here(&trace, 99, &activation), WEFT_FULL);
    CHECK_EQ(trace.before.paths, 0);
    CHECK_EQ(weft_recorder_profile(&trace), WEFT_OK);
    CHECK_EQ(trace.before.paths, taken);
    CHECK_EQ(count_in_parts(99, &activation), WEFT_OK);
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK_EQ(trace.before.paths, taken + 1);
}

static void what_a_forest_that_holds_cannot_take_is_held_out(void)
{
    weft_ksf_activation activation = {0};
    start(true);
    for (uint32_t i = 0; i < PATHS; i++)
        CHECK_EQ(count_in_parts(i * i % 7, &activation), WEFT_OK);
    uint64_t held_out = trace.held_out;
    CHECK(held_out > 0 && held_out < PATHS);
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK_EQ(trace.before.paths, PATHS);
    CHECK_EQ(trace.lost.paths, held_out);
}

/* Another activation makes a node between search and taking. */
static void a_path_that_is_to_be_looked_for_again_is_not_held_out(void)
{
    weft_ksf_activation activation = {0}, other = {0};
    weft_ksf_place place;
    start(true);
    CHECK_EQ(weft_ksf_look(&forest, &place), WEFT_AGAIN);
    weft_ksf_find(&forest, &activation, 1, &place);
    CHECK_EQ(weft_recorder_kpath_here(&trace, 1, &other), WEFT_OK);
    CHECK_EQ(weft_recorder_kpath_take(&trace, &activation, &place), WEFT_AGAIN);
    CHECK(trace.held_out == 0 && activation.generation == 0 && forest.node[1].count == 1);
    weft_ksf_find(&forest, &activation, 1, &place);
    CHECK_EQ(weft_recorder_kpath_take(&trace, &activation, &place), WEFT_OK);
    CHECK(trace.held_out == 0 && forest.used == 1 && forest.node[1].count == 2);
}

static void it_says_its_k_and_how_full_it_was(void)
{
    uint8_t bytes[32], expected[32];
    weft_writer said, right;
    weft_ksf_activation activation = {0};
    start(false);
    CHECK_EQ(count_in_parts(1, &activation), WEFT_OK);
    weft_writer_init(&said, bytes, sizeof bytes);
    weft_profiler_ksf.meta(&forest, &said);
    weft_profiler_ksf.stats(&forest, &said);
    weft_writer_init(&right, expected, sizeof expected);
    weft_write_field(&right, WEFT_META_KSF_K, 3);
    weft_write_field(&right, WEFT_STATS_KSF_HIGH, 1);
    weft_write_field(&right, WEFT_STATS_KSF_MAX, 23); /* element 0 stands for "none" */
    CHECK(said.size == right.size && memcmp(bytes, expected, said.size) == 0);
}

/* A segment's counts may add up to more than 32 bits. */
static void a_segment_of_more_than_2_to_the_32_paths_is_counted_whole(void)
{
    weft_ksf_activation activation = {0};
    start(false);
    for (uint32_t i = 0; i < 4; i++)
        weft_recorder_kpath(&trace, 0, i, &activation);
    for (unsigned i = 1; i <= 4; i++)
        forest.node[i].count = UINT32_MAX;
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK_EQ(trace.before.paths, 4 * (uint64_t)UINT32_MAX);
}

/* Beside a control stream, that counts the path when it is recorded. */
static void a_path_beside_a_control_stream_is_counted_once(void)
{
    weft_ksf_activation activation = {0};
    start(false);
    trace.config.profile_only = false;
    for (uint32_t i = 0; i < 16; i++)
        weft_recorder_kpath(&trace, 0, 1, &activation);
    CHECK(weft_recorder_kpath_known(&trace, 1, &activation));
    weft_recorder_path(&trace, 0, 1);
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK_EQ(trace.before.paths, 17);
}

/* Takes one of `period` writes, and counts what it took by kind. */
typedef struct slow_sink {
    unsigned period, first, writes;
    unsigned taken[16];
} slow_sink;

static weft_status take_some(void *context, const uint8_t *frame, size_t size)
{
    enum { KIND = 2 }; /* after the first group's length and the version */
    slow_sink *slow = context;
    if (slow->writes++ % slow->period != slow->first)
        return WEFT_AGAIN;
    slow->taken[frame[0] && size > KIND ? frame[KIND] % 16 : 0]++;
    return WEFT_OK;
}

static void a_profile_has_its_meta_whatever_writes_are_refused(void)
{
    for (unsigned i = 0; i < 6 * 6 * 2; i++) {
        slow_sink slow = {.period = 1 + i / 2 % 6, .first = i / 12 % (1 + i / 2 % 6)};
        const weft_sink to = {&slow, take_some};
        weft_ksf_activation activation = {0};
        start(true);
        trace.config.sink = &to;
        trace.config.meta_every = i % 2;
        CHECK_EQ(count_in_parts(1, &activation), WEFT_OK);
        unsigned tries = 0;
        while (weft_recorder_finish(&trace) != WEFT_OK && tries < 100)
            tries++;
        CHECK(tries < 100);
        CHECK(slow.taken[WEFT_FRAME_META] >= 1);
        CHECK_EQ(slow.taken[WEFT_FRAME_PROFILE], 1);
        CHECK_EQ(slow.taken[WEFT_FRAME_STATS], 1);
    }
}

/* Beside a control stream that counts the paths. */
static void paths_in_parts_are_not_counted_twice(void)
{
    weft_ksf_activation activation = {0};
    uint32_t taken = 0;
    start(false);
    trace.config.profile_only = false;
    while (taken < PATHS && count_in_parts(taken % 3, &activation) == WEFT_OK)
        taken++;
    CHECK(taken > 4);
    CHECK_EQ(trace.paths, 0);
}

/* By calls of what knows no profile, in predicted runs and not, more than a frame holds: the stream is not there. */
static void a_path_that_bypasses_the_profile_is_counted_as_lost(void)
{
    enum { BEYOND = 2000 };
    weft_ksf_activation activation = {0};
    slow_sink all = {.period = 1};
    const weft_sink to = {&all, take_some};
    start(false);
    trace.config.sink = &to;
    CHECK_EQ(count_in_parts(1, &activation), WEFT_OK);
    weft_recorder_path(&trace, 0, 5);
    CHECK_EQ(weft_recorder_flush(&trace), WEFT_OK);
    CHECK_EQ(trace.lost.paths, 1);
    for (uint32_t i = 0; i < BEYOND; i++)
        weft_recorder_path(&trace, i / 100, i % 200 < 50 ? i * i : 5);
    weft_recorder_access(&trace, 0, 1, 0x1000);
    weft_recorder_access(&trace, 0, 1, 0x1000);
    CHECK_EQ(count_in_parts(1, &activation), WEFT_OK);
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK_EQ(trace.lost.paths, 1 + BEYOND);
    CHECK_EQ(trace.before.paths, 3 + BEYOND);
    CHECK_EQ(trace.lost.accesses, 2);
    CHECK_EQ(trace.before.accesses, 2);
    CHECK_EQ(all.taken[WEFT_FRAME_TRACE], 0);
    CHECK_EQ(all.taken[WEFT_FRAME_PROFILE], 1);
}

int main(void)
{
    RUN(paths_in_parts_are_counted_until_the_forest_is_full);
    RUN(what_a_forest_that_holds_cannot_take_is_held_out);
    RUN(a_path_that_is_to_be_looked_for_again_is_not_held_out);
    RUN(it_says_its_k_and_how_full_it_was);
    RUN(a_profile_has_its_meta_whatever_writes_are_refused);
    RUN(a_path_beside_a_control_stream_is_counted_once);
    RUN(a_segment_of_more_than_2_to_the_32_paths_is_counted_whole);
    RUN(paths_in_parts_are_not_counted_twice);
    RUN(a_path_that_bypasses_the_profile_is_counted_as_lost);
    return check_failed();
}
