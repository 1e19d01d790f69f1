/* SPDX-License-Identifier: MIT */
/* The k-slab forest in the recorder. In place of the control stream, it comes back with all paths except those
 * counted as lost. Next to a control stream, it has at least those. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/recorder_ksf.h"
#include "tests/lib/model.h"
#include "tools/lib/profile/kipf.h"
#include "tools/lib/recording/frames.h"

enum { K = 4, NODES = 60, DEPTH = 6 };
WEFT_KSF_DEF(ksf, K, NODES, 16);
static uint8_t frame[1024], spare_frame[1024];

typedef struct outcome {
    model_sink sink;
    weft_recorder recorder;
    uint64_t paths, lost; /* the truth */
    kipf *truth;          /* expected: the paths that were taken, with a new activation after each loss */
} outcome;

/* An activation of a routine: a few paths, and calls between them. */
static void routine(outcome *o, check_random *random, unsigned depth)
{
    weft_ksf_activation activation = {0};
    kipf_activation mirror = {0};
    uint32_t base = check_random_below(random, 3) * 8;
    for (uint32_t n = check_random_below(random, 12); n; n--) {
        if (depth < DEPTH && check_random_below(random, 5) == 0)
            routine(o, random, depth + 1);
        uint32_t path = base + check_random_below(random, 3) * check_random_below(random, 3);
        uint64_t held_out = o->recorder.held_out;
        weft_recorder_kpath(&o->recorder, depth > 3 ? 16 : 0, path, &activation);
        o->paths++;
        if (o->recorder.waiting || o->recorder.held_out != held_out) {
            o->lost++;
            mirror = (kipf_activation){0};
        } else {
            kipf_push(o->truth, &mirror, path);
        }
    }
}

static void run_one(outcome *o, bool only, bool holds, uint32_t seed, uint64_t nth, uint32_t percent)
{
    check_random random = {seed};
    weft_sink sink = {&o->sink, model_write};
    memset(o, 0, sizeof *o);
    o->truth = kipf_new(K);
    o->sink.refuse_nth = nth;
    o->sink.refuse_percent = percent;
    o->sink.random.state = seed + 1;
    weft_ksf_init(&ksf, &ksf_config);
    weft_recorder_config config = {.sink = &sink,
                                   .bytes = frame,
                                   .spare = seed % 2 ? spare_frame : NULL,
                                   .bytes_size = WEFT_RECORDER_BYTES_MIN + seed % 300,
                                   .profiler = &weft_profiler_ksf,
                                   .profiler_state = &ksf,
                                   .profile_only = only,
                                   .profile_holds = holds,
                                   .probes = WEFT_PROBE_PATHS};
    if (weft_recorder_init(&o->recorder, &config) != WEFT_OK)
        return;
    while (o->paths < 1500)
        routine(o, &random, 0);
    for (unsigned tries = 0; tries < 1000 && weft_recorder_finish(&o->recorder) != WEFT_OK; tries++)
        ;
    o->recorder.config.sink = NULL;
}

static void add_up(void *context, const uint32_t *path, unsigned length, uint64_t count)
{
    uint64_t hash = length;
    for (unsigned i = 0; i < length; i++)
        hash = (hash ^ path[i]) * 0x9e3779b97f4a7c15u;
    *(uint64_t *)context += (hash ^ hash >> 29) * count;
}

static uint64_t sum_of(const kipf *forest)
{
    uint64_t sum = 0;
    kipf_each(forest, K, NULL, add_up, &sum);
    return sum;
}

static kipf *read_back(const container *file)
{
    kipf *forest = kipf_new(K);
    uint8_t *buffer = NULL;
    kipf_new_recording(forest);
    for (size_t i = 0; i < container_frame_count(file); i++) {
        container_frame f;
        profile_body body;
        weft_reader reader;
        if (container_kind(file, i) != WEFT_FRAME_PROFILE)
            continue;
        container_read(file, i, &f, &buffer);
        if (!profile_parse(&f.frame, &body))
            continue;
        weft_reader_init(&reader, body.bytes, body.size);
        if (kipf_add_part(forest, &reader) != WEFT_OK)
            check_fail(__FILE__, __LINE__, "the part is sound");
    }
    free(buffer);
    return forest;
}

static bool check_one(bool only, bool holds, uint32_t seed, uint64_t nth, uint32_t percent, uint64_t *writes)
{
    outcome o;
    char message[200];
    run_one(&o, only, holds, seed, nth, percent);
    *writes = o.sink.writes;
    container *file = container_open_bytes(o.sink.bytes, o.sink.size, "profile", message, sizeof message);
    EXPECT(file != NULL);
    kipf *forest = read_back(file);
    EXPECT(o.recorder.lost.paths == o.lost);
    EXPECT(container_lost(file).paths == o.lost);
    EXPECT((container_gap_count(file) != 0) == (o.lost != 0));
    /* Next to a control stream, the profile may hold paths that the stream lost. */
    EXPECT(kipf_events(forest) >= o.paths - o.lost && kipf_events(forest) <= o.paths);
    EXPECT(!only || kipf_events(forest) == o.paths - o.lost);
    EXPECT(!(only || o.lost == 0) || sum_of(forest) == sum_of(o.truth));
    kipf_free(forest);
    kipf_free(o.truth);
    container_close(file);
    free(o.sink.bytes);
    return true;
}

static void check_all(bool only, bool holds)
{
    uint64_t writes, all;
    for (uint32_t seed = 1; seed <= check_amount(60, 120, 400); seed++) {
        bool good = check_one(only, holds, seed, 0, 0, &all) &&
                    check_one(only, holds, seed, seed % (all + 1), 0, &writes) &&
                    check_one(only, holds, seed, 0, 5 + seed % 80, &writes);
        if (!good) {
            printf("# seed %u\n", seed);
            return;
        }
    }
}

static void a_profile_instead_of_the_control_stream_holds_all_but_the_lost_paths(void)
{
    check_all(true, false);
}

static void a_profile_that_holds_is_never_begun_anew_and_what_it_has_no_room_for_is_lost(void)
{
    check_all(true, true);
}

static void a_profile_beside_the_control_stream_holds_at_least_what_that_holds(void)
{
    check_all(false, false);
}

int main(void)
{
    RUN(a_profile_instead_of_the_control_stream_holds_all_but_the_lost_paths);
    RUN(a_profile_beside_the_control_stream_holds_at_least_what_that_holds);
    RUN(a_profile_that_holds_is_never_begun_anew_and_what_it_has_no_room_for_is_lost);
    return check_failed();
}
