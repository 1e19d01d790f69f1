/* SPDX-License-Identifier: MIT */
/* What the recorder refuses, and its rare ways: a profile instead of paths, a sink that refuses the small frames. */
#include <string.h>

#include "core/recorder_bfcm.h"
#include "core/recorder_ksf.h"
#include "core/recorder_loops.h"
#include "core/recorder_passes.h"
#include "core/recorder_tre.h"
#include "tests/lib/check.h"

/* Keeps the last bytes; refuses the writes whose numbers have their bit. */
typedef struct keeper {
    uint8_t bytes[2200];
    size_t size;
    unsigned writes;
    uint32_t refuse; /* bit n: the n-th write, from 0 */
    bool broken;     /* all */
} keeper;
static keeper kept;

static weft_status keep(void *context, const uint8_t *frame, size_t size)
{
    keeper *k = context;
    unsigned write = k->writes++;
    if (k->broken || (write < 32 && k->refuse >> write & 1) || size > sizeof k->bytes - k->size)
        return WEFT_AGAIN;
    memcpy(k->bytes + k->size, frame, size);
    k->size += size;
    return WEFT_OK;
}

static const weft_sink sink = {&kept, keep};
WEFT_RECORDER_DEF(trace, 640, 8, 4);
WEFT_KSF_DEF(forest, 2, 6, 4);
WEFT_TRE_POOL_DEF(engines, 2, 2);
WEFT_BFCM_CODER_DEF(predicted, 4);
WEFT_LOOPNEST_DEF(nest, 16, 4);
static weft_loopnest nest;

static weft_status start(const weft_recorder_config *config)
{
    memset(&kept, 0, sizeof kept);
    return weft_recorder_init(&trace, config);
}

/* trace_config, with a sink and nothing optional. */
static weft_recorder_config usual(void)
{
    weft_recorder_config config = trace_config;
    config.sink = &sink;
    return config;
}

/* The init is refused while `field` is `bad`. */
#define REFUSED_WITH(field, bad)                                                                                       \
    do {                                                                                                               \
        __typeof__(field) was_ = (field);                                                                              \
        (field) = (__typeof__(field))(bad);                                                                            \
        weft_status so_ = start(&config);                                                                              \
        (field) = was_;                                                                                                \
        CHECK_EQ(so_, WEFT_CONFIG);                                                                                    \
        CHECK_EQ(start(&config), WEFT_OK);                                                                             \
    } while (0)

static void settings_that_cannot_work_are_refused(void)
{
    static const weft_sink no_sink = {&kept, NULL};
    weft_recorder_config config = usual();
    REFUSED_WITH(config.sink, NULL);
    REFUSED_WITH(config.sink, &no_sink);
    REFUSED_WITH(config.bytes, NULL);
    REFUSED_WITH(config.bytes_size, WEFT_RECORDER_BYTES_MIN - 1);
    REFUSED_WITH(config.bytes_size, ((size_t)1 << 24) + 1);
    REFUSED_WITH(config.slots_max, 6);
    REFUSED_WITH(config.slots, NULL);
    REFUSED_WITH(config.value_slots_max, 6);
    REFUSED_WITH(config.value_slots, NULL);
    static const uint8_t build_id[WEFT_RECORDER_BUILD_ID_MAX];
    config.build_id = build_id;
    config.build_id_size = WEFT_RECORDER_BUILD_ID_MAX;
    REFUSED_WITH(config.build_id_size, WEFT_RECORDER_BUILD_ID_MAX + 1);
    REFUSED_WITH(config.names_max, 1); /* and no names */
    config.slots_max = config.value_slots_max = 0;
    config.slots = NULL;
    config.value_slots = NULL;
    CHECK_EQ(start(&config), WEFT_OK);
}

static void histories_that_cannot_work_are_refused(void)
{
    static uint32_t words[WEFT_HISTORY_WORDS(WEFT_HISTORY_PLACES_MIN)];
    weft_recorder_config config = usual();
    config.history = words;
    config.history_max = WEFT_HISTORY_PLACES_MIN;
    REFUSED_WITH(config.history, NULL);
    REFUSED_WITH(config.history_max, WEFT_HISTORY_PLACES_MIN / 2);
    REFUSED_WITH(config.history_max, WEFT_HISTORY_PLACES_MIN + 1);
    REFUSED_WITH(config.history_max, 2 * (size_t)WEFT_HISTORY_PLACES_MAX);
}

static void tables_of_packs_that_cannot_work_are_refused(void)
{
    static uint32_t words[2];
    weft_recorder_config config = usual();
    config.packs = words;
    config.packs_max = WEFT_COUNT(words);
    REFUSED_WITH(config.packs, NULL);
    REFUSED_WITH(config.packs_max, 3);
    REFUSED_WITH(config.packs_max, 2 * WEFT_RECORDER_PACKS_MAX);
    config.packs = NULL;
    config.packs_max = 0;
    CHECK_EQ(start(&config), WEFT_OK);
    weft_recorder_packed(&trace, 0, 7, 5);
    CHECK_EQ(trace.packs.own, 5);
}

static void profiles_that_cannot_work_are_refused(void)
{
    weft_recorder_config config = usual();
    CHECK_EQ(weft_ksf_init(&forest, &forest_config), WEFT_OK);
    config.profiler = &weft_profiler_ksf;
    config.profiler_state = &forest;
    config.probes = WEFT_PROBE_PATHS;
    config.profile_only = true;
    CHECK_EQ(start(&config), WEFT_OK);
    REFUSED_WITH(config.profiler, NULL);
    REFUSED_WITH(config.probes, WEFT_PROBE_PATHS | WEFT_PROBE_ACCESSES);
    config.profile_holds = true;
    REFUSED_WITH(config.profile_only, false);
    weft_profiler greedy = weft_profiler_ksf, silent = weft_profiler_ksf;
    greedy.bytes_min = config.bytes_size + 1;
    REFUSED_WITH(config.profiler, &greedy);
    silent.frames = NULL; /* it does not say how it is written */
    REFUSED_WITH(config.profiler, &silent);
}

/* A profile instead of the paths has no place for marks; a recorder without one has no profile. */
static void what_has_no_place_is_refused(void)
{
    weft_recorder_config config = usual();
    uint32_t value = 1;
    CHECK_EQ(start(&config), WEFT_OK);
    CHECK_EQ(weft_recorder_profile(&trace), WEFT_CONFIG);
    CHECK_EQ(weft_ksf_init(&forest, &forest_config), WEFT_OK);
    config.profiler = &weft_profiler_ksf;
    config.profiler_state = &forest;
    config.probes = WEFT_PROBE_PATHS;
    config.profile_only = true;
    CHECK_EQ(start(&config), WEFT_OK);
    CHECK_EQ(weft_recorder_event(&trace, 0, 1, &value, 1), WEFT_CONFIG);
    static weft_profiler bare; /* with nothing to say about itself */
    bare = weft_profiler_ksf;
    bare.stats = bare.meta = NULL;
    config.profiler = &bare;
    config.profile_only = false;
    bare.frames = NULL;
    CHECK_EQ(start(&config), WEFT_CONFIG);
    bare.frames = &weft_profile_frames;
    CHECK_EQ(start(&config), WEFT_OK);
    weft_recorder_path(&trace, 0, 1);
    kept.broken = true;
    CHECK_EQ(weft_recorder_profile(&trace), WEFT_AGAIN);
    kept.broken = false;
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    config.profiler = &weft_profiler_ksf;
    config.profile_only = true;
    CHECK_EQ(start(&config), WEFT_OK);
    CHECK_EQ(weft_recorder_stamp(&trace, 1), WEFT_CONFIG);
    CHECK_EQ(weft_recorder_change(&trace, WEFT_CHANGE_PAUSE, 0), WEFT_CONFIG);
    static const weft_place place;
    CHECK_EQ(weft_recorder_place(&trace, 16, &place), WEFT_CONFIG);
    CHECK_EQ(weft_recorder_laps(&trace, 16, 1), WEFT_CONFIG);
    CHECK_EQ(weft_recorder_input(&trace, 16, 1, 0, 0), WEFT_CONFIG);
}

/* The fast path into a profile takes a path, holds it out, or leaves it to the full way, which writes the profile. */
static void a_full_profile_is_written_or_held(void)
{
    weft_recorder_config config = usual();
    config.profiler = &weft_profiler_ksf;
    config.profiler_state = &forest;
    config.probes = WEFT_PROBE_PATHS;
    config.profile_only = true;
    for (unsigned holds = 0; holds < 2; holds++) {
        weft_ksf_activation activation = {0};
        config.profile_holds = holds;
        CHECK(weft_ksf_init(&forest, &forest_config) == WEFT_OK && start(&config) == WEFT_OK);
        uint32_t taken = 0;
        while (taken < 100 && weft_recorder_kpath_here(&trace, taken, &activation) == WEFT_OK && !trace.held_out)
            taken++;
        CHECK(taken > 1 && taken < 6);
        CHECK_EQ(trace.held_out, holds);
        if (!holds) {
            CHECK_EQ(weft_recorder_kpath_here(&trace, 50, &activation), WEFT_FULL);
            weft_recorder_kpath(&trace, 0, 50, &activation);
            CHECK_EQ(trace.before.paths, taken);
        }
        CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
        CHECK_EQ(trace.lost.paths, holds);
    }
    config.profile_only = config.profile_holds = false; /* beside the paths */
    weft_ksf_activation activation = {0};
    CHECK(weft_ksf_init(&forest, &forest_config) == WEFT_OK && start(&config) == WEFT_OK);
    CHECK_EQ(weft_recorder_kpath_here(&trace, 1, &activation), WEFT_OK);
    CHECK_EQ(trace.paths, 0); /* the caller records it */
}

/* If any of the first writes are refused, asking again loses nothing. There are more names than one frame takes. */
static void small_frames_that_are_refused_come_later(void)
{
    static weft_recorder_name_entry names[8];
    static const uint8_t id[4] = {1, 2, 3, 4};
    static const weft_clock no_time = {NULL, NULL, 1000};
    weft_recorder_config config = usual();
    config.names = names;
    config.names_max = WEFT_COUNT(names);
    config.build_id = id;
    config.build_id_size = sizeof id;
    config.note = "a note that is longer than the bytes that it may have";
    config.clock = &no_time;
    for (uint32_t refuse = 0; refuse < 1u << 8; refuse++) {
        CHECK_EQ(start(&config), WEFT_OK);
        kept.refuse = refuse;
        for (uint32_t i = 0; i < WEFT_COUNT(names); i++)
            CHECK_EQ(weft_recorder_name(&trace, 2 * i, "a name of some bytes, far beyond thirty-two"), WEFT_OK);
        for (uint32_t i = 0; i < 3; i++)
            weft_recorder_path(&trace, 0, i);
        unsigned tries = 0;
        while (weft_recorder_finish(&trace) != WEFT_OK)
            CHECK(++tries < 10);
        CHECK_EQ(trace.lost.paths, 0);
        CHECK(trace.before.paths == 3 && trace.names_sent == WEFT_COUNT(names));
    }
    CHECK_EQ(start(&config), WEFT_OK);
    CHECK_EQ(weft_recorder_name(&trace, 2, "a name"), WEFT_OK);
    kept.refuse = ~3u; /* the head and META are taken */
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_AGAIN);
}

/* Marks after any number of paths, so that some do not fit the frame. */
static void marks_take_their_place_in_full_frames(void)
{
    weft_recorder_config config = usual();
    config.bytes_size = WEFT_RECORDER_BYTES_MIN;
    for (uint32_t paths = 0; paths < 12; paths++) {
        CHECK_EQ(start(&config), WEFT_OK);
        for (uint32_t i = 0; i < paths; i++)
            weft_recorder_path(&trace, 0, i << 28); /* each takes all the bytes that it may */
        CHECK_EQ(weft_recorder_event(&trace, 0, 1, NULL, 0), WEFT_OK);
        CHECK_EQ(weft_recorder_stamp(&trace, 5), WEFT_OK);
        uint64_t first = trace.stamp;
        CHECK_EQ(weft_recorder_stamp(&trace, 4), WEFT_OK); /* counts as the one before */
        CHECK(trace.stamp >= first || trace.ended);
        CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
        CHECK(trace.before.paths == paths && trace.before.marks == 1 && trace.lost.marks == 0);
    }
}

/* With a coder too, and while a frame waits. */
static void passes_are_taken_as_many_as_may_wait(void)
{
    weft_recorder_config config = usual();
    CHECK_EQ(start(&config), WEFT_OK);
    CHECK_EQ(weft_recorder_passes_max(&trace), WEFT_RECORDER_PATHS_MAX);
    weft_recorder_passes(&trace, 0, 5, 1000);
    CHECK_EQ(weft_recorder_paths(&trace), 1000);
    CHECK_EQ(weft_loopnest_init(&nest, &nest_config), WEFT_OK);
    config.control_coder = &weft_control_coder_loops;
    config.control_coder_state = &nest;
    CHECK_EQ(start(&config), WEFT_OK);
    CHECK_EQ(weft_recorder_passes_max(&trace), 64);
    weft_recorder_passes(&trace, 0, 5, 1000);
    CHECK_EQ(trace.paths + trace.before.paths, 1000);
    kept.broken = true;
    CHECK_EQ(weft_recorder_flush(&trace), WEFT_AGAIN);
    weft_recorder_passes(&trace, 0, 5, 2000);
    kept.broken = false;
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK(trace.before.paths == 3000 && trace.lost.paths == 2000);
}

/* Losses from before the recorder, while a frame waits and while none does. */
static void early_losses_are_counted_once(void)
{
    static const weft_counts lost = {.paths = 1, .accesses = 2, .values = 3, .marks = 4};
    weft_recorder_config config = usual();
    CHECK_EQ(start(&config), WEFT_OK);
    weft_recorder_path(&trace, 0, 1);
    kept.broken = true;
    weft_recorder_lost(&trace, &lost);
    CHECK_EQ(trace.lost.paths, 0); /* the frame's interval must be out first */
    weft_recorder_value(&trace, 0, 1, (uint64_t)1 << 40);
    kept.broken = false;
    weft_recorder_lost(&trace, &lost);
    weft_recorder_value(&trace, 0, 1, (uint64_t)1 << 40);
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK(trace.lost.paths == 2 && trace.lost.accesses == 4 && trace.lost.values == 7 && trace.lost.marks == 8);
    CHECK(trace.early == 20 && trace.before.values == 8 && trace.before.paths == 3);
}

/* Coders need not have counters, and META is repeated at the end where it is repeated at all. */
static void what_is_optional_may_be_left_out(void)
{
    weft_control_coder control = weft_control_coder_loops;
    weft_model_coder model = weft_model_coder_tre;
    weft_recorder_config config = usual();
    size_t sizes[3];
    for (unsigned i = 0; i < WEFT_COUNT(sizes); i++) {
        CHECK_EQ(weft_loopnest_init(&nest, &nest_config), WEFT_OK);
        CHECK_EQ(weft_tre_pool_init(&engines, &engines_config), WEFT_OK);
        config.control_coder = &control;
        config.control_coder_state = &nest;
        config.model_coder = &model;
        config.model_coder_state = &engines;
        control.stats = i ? NULL : weft_control_coder_loops.stats;
        model.stats = i ? NULL : weft_model_coder_tre.stats;
        config.meta_every = i == 2 ? 1000 : 0;
        CHECK_EQ(start(&config), WEFT_OK);
        weft_recorder_path(&trace, 0, 1);
        weft_recorder_access(&trace, 0, 1, 1);
        CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
        sizes[i] = kept.size;
    }
    CHECK(sizes[1] < sizes[0] && sizes[2] > sizes[1]);
}

/* The sections of a frame are dealt out by their use in the frame before: here nearly all is one of them. */
static void sections_leave_room_for_the_check_sum(void)
{
    weft_recorder_config config = usual();
    config.value_slots_max = config.slots_max = 0;
    for (unsigned extra = 0; extra < 80; extra++) {
        config.bytes_size = WEFT_RECORDER_BYTES_MIN + extra;
        CHECK_EQ(start(&config), WEFT_OK);
        for (uint32_t i = 0; i < 200; i++)
            weft_recorder_path(&trace, 0, i * 2654435761u >> 8);
        const uint8_t *end = config.bytes + config.bytes_size;
        CHECK(end - trace.region[WEFT_REGIONS - 1].end >= (ptrdiff_t)WEFT_FRAME_CHECK_SIZE + 1);
    }
}

/* The number of a context takes up to 32 bits. */
static void large_contexts_are_recorded(void)
{
    weft_recorder_config config = usual();
    size_t size = 0;
    for (uint32_t bits = 1; bits <= 32; bits++) {
        CHECK_EQ(start(&config), WEFT_OK);
        weft_recorder_path(&trace, 0, 1);
        weft_recorder_path(&trace, UINT32_MAX >> (32 - bits), 1);
        CHECK_EQ(trace.context, UINT32_MAX >> (32 - bits));
        CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
        CHECK(trace.before.paths == 2 && trace.lost.paths == 0 && kept.size >= size);
        size = kept.size;
    }
}

static void predicted_values_are_counted_while_a_frame_waits(void)
{
    weft_recorder_config config = usual();
    CHECK_EQ(weft_bfcm_coder_init(&predicted, &predicted_config), WEFT_OK);
    config.value_coder = &weft_value_coder_bfcm;
    config.value_coder_state = &predicted;
    CHECK_EQ(start(&config), WEFT_OK);
    weft_recorder_value(&trace, 0, 1, 7);
    kept.broken = true;
    CHECK_EQ(weft_recorder_flush(&trace), WEFT_AGAIN);
    weft_recorder_value(&trace, 0, 1, 8);
    kept.broken = false;
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK(trace.before.values == 2 && trace.lost.values == 1);
}

int main(void)
{
    RUN(settings_that_cannot_work_are_refused);
    RUN(histories_that_cannot_work_are_refused);
    RUN(tables_of_packs_that_cannot_work_are_refused);
    RUN(profiles_that_cannot_work_are_refused);
    RUN(what_has_no_place_is_refused);
    RUN(a_full_profile_is_written_or_held);
    RUN(small_frames_that_are_refused_come_later);
    RUN(marks_take_their_place_in_full_frames);
    RUN(passes_are_taken_as_many_as_may_wait);
    RUN(early_losses_are_counted_once);
    RUN(what_is_optional_may_be_left_out);
    RUN(sections_leave_room_for_the_check_sum);
    RUN(large_contexts_are_recorded);
    RUN(predicted_values_are_counted_while_a_frame_waits);
    return check_failed();
}
