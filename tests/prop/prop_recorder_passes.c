/* SPDX-License-Identifier: MIT */
/* The passes of loops, recorded at once, give the same recording as passes recorded one by one: the same paths if
 * the sink takes all, and the same number of events if it refuses some. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/recorder_grammar.h"
#include "core/recorder_loops.h"
#include "core/recorder_passes.h"
#include "tests/lib/check.h"
#include "tests/lib/model.h"
#include "tools/lib/recording/control.h"

/* One of two recorders that record the same in two ways. */
typedef struct side {
    weft_recorder recorder;
    model_sink kept;
    weft_sink sink;
    uint8_t bytes[4096], spare[4096];
    uint32_t history[WEFT_HISTORY_WORDS(64)];
} side;

static side one_by_one, at_once;
static uint64_t by_fast; /* passes that the fast path took together */
WEFT_LOOPNEST_DEF(nest, 32, 6);
WEFT_LOOPNEST_DEF(other_nest, 32, 6);
WEFT_SEQ_DEF(grammar, 128, 128, 40, 64, false);
WEFT_SEQ_DEF(other_grammar, 128, 128, 40, 64, false);

typedef struct run_case {
    weft_control_coder_id coder;
    size_t bytes, places;
    bool spare;
    uint32_t seed, refuse_percent;
} run_case;

static bool begin(side *s, const run_case *c)
{
    weft_recorder_config config = {.bytes = s->bytes,
                                   .spare = c->spare ? s->spare : NULL,
                                   .bytes_size = c->bytes,
                                   .history = s->history,
                                   .history_max = c->places,
                                   .probes = WEFT_PROBE_PATHS,
                                   .sink = &s->sink};
    bool first = s == &one_by_one;
    free(s->kept.bytes);
    s->kept = (model_sink){.refuse_percent = c->refuse_percent, .random = {c->seed}};
    s->sink = (weft_sink){&s->kept, model_write};
    if (c->coder == WEFT_CONTROL_LOOPS) {
        EXPECT(weft_loopnest_init(first ? &nest : &other_nest, first ? &nest_config : &other_nest_config) == WEFT_OK);
        config.control_coder = &weft_control_coder_loops;
        config.control_coder_state = first ? &nest : &other_nest;
    }
    if (c->coder == WEFT_CONTROL_GRAMMAR) {
        EXPECT(weft_seq_init(first ? &grammar : &other_grammar, first ? &grammar_config : &other_grammar_config) ==
               WEFT_OK);
        config.control_coder = &weft_control_coder_grammar;
        config.control_coder_state = first ? &grammar : &other_grammar;
    }
    return weft_recorder_init(&s->recorder, &config) == WEFT_OK;
}

/* As __weft_loop: the recorder's usual calls take what the fast path leaves. */
static void record_loop(weft_recorder *r, uint32_t context, uint32_t first, uint32_t rest, uint32_t count)
{
    if (count > 0 && first != rest) {
        weft_recorder_path(r, context, first);
        count--;
    }
    if (count == 0)
        return;
    weft_recorder_path(r, context, rest);
    count--;
    if (count > WEFT_RECORDER_PASSES_FEW && !r->config.control_coder && weft_recorder_again_here(r, rest, count)) {
        by_fast += count;
        count = 0;
    }
    weft_recorder_passes(r, context, rest, count);
}

static uint32_t some_count(check_random *random)
{
    switch (check_random_below(random, 8)) {
    case 0:
        return WEFT_RECORDER_RUN_MAX * check_random_below(random, 4) + check_random_below(random, 7);
    case 1:
        return check_random_below(random, 3000);
    case 2:
        return check_random_below(random, 20) ? 70 : check_random_below(random, 2 * WEFT_RECORDER_PATHS_MAX);
    default:
        return 1 + check_random_below(random, 6);
    }
}

/* The same on both sides: paths alone, and loops. Returns how many there were. */
static uint64_t make_events(check_random *random)
{
    uint32_t context = 0, far = check_random_below(random, 2) ? 10 : 100000;
    uint64_t made = 0;
    for (unsigned i = 0; i < 150; i++) {
        uint32_t first = check_random_below(random, far), rest = check_random_below(random, 3) ? first + 3 : first;
        uint32_t count = check_random_below(random, 3) ? some_count(random) : 0;
        context = check_random_below(random, 10) ? context : check_random_below(random, 3);
        if (check_random_below(random, 20) == 0) {
            uint32_t bytes = check_random_below(random, 50);
            weft_recorder_pace(&one_by_one.recorder, bytes);
            weft_recorder_pace(&at_once.recorder, bytes);
        }
        weft_recorder_path(&one_by_one.recorder, context, first);
        weft_recorder_path(&at_once.recorder, context, first);
        for (uint32_t k = 0; k < count; k++)
            weft_recorder_path(&one_by_one.recorder, context, k ? rest : first + 1);
        record_loop(&at_once.recorder, context, first + 1, rest, count);
        made += 1 + count;
    }
    return made;
}

static bool finish(side *s)
{
    for (unsigned i = 0; i < 1000; i++)
        if (weft_recorder_finish(&s->recorder) == WEFT_OK)
            return true;
    return false;
}

/* The next path, with its context, or false. */
static bool next_path(control *events, control_event *event)
{
    while (control_next(events, event))
        if (event->kind == CONTROL_PATH || event->kind == CONTROL_GAP)
            return true;
    return false;
}

/* Both recordings have the same paths, all of them. */
static bool same_paths(uint64_t made)
{
    char message[200];
    control_event one, other;
    uint64_t count = 0;
    container *file = container_open_bytes(one_by_one.kept.bytes, one_by_one.kept.size, "one", message, sizeof message);
    container *other_file =
        container_open_bytes(at_once.kept.bytes, at_once.kept.size, "other", message, sizeof message);
    EXPECT(file && other_file);
    control *events = control_open(file), *others = control_open(other_file);
    bool same = true;
    for (; same && next_path(events, &one); count++)
        same = next_path(others, &other) && one.kind == CONTROL_PATH && other.kind == CONTROL_PATH &&
               one.path == other.path && one.context == other.context;
    same = same && !next_path(others, &other) && count == made;
    control_close(events);
    control_close(others);
    container_close(file);
    container_close(other_file);
    return same;
}

static bool once(const run_case *c)
{
    check_random random = {c->seed};
    EXPECT(begin(&one_by_one, c) && begin(&at_once, c));
    uint64_t made = make_events(&random);
    EXPECT(finish(&one_by_one) && finish(&at_once));
    EXPECT(one_by_one.recorder.before.paths == made);
    EXPECT(at_once.recorder.before.paths == made);
    if (c->refuse_percent)
        return true;
    EXPECT(at_once.recorder.lost.paths == 0);
    EXPECT(same_paths(made));
    return true;
}

static void all_sizes(weft_control_coder_id coder, uint32_t refuse_percent, uint32_t seeds)
{
    for (uint32_t seed = 1; seed <= seeds; seed++) {
        run_case c = {.coder = coder,
                      .bytes = (coder == WEFT_CONTROL_RAW ? WEFT_RECORDER_BYTES_MIN : 1800) + seed * 37 % 2000,
                      .places = seed % 5 ? WEFT_HISTORY_PLACES_MIN << seed % 4 : 0,
                      .spare = seed % 2,
                      .seed = seed,
                      .refuse_percent = refuse_percent};
        if (!once(&c)) {
            printf("# coder %u bytes %zu places %zu seed %u refused %u %%\n", (unsigned)coder, c.bytes, c.places,
                   c.seed, refuse_percent);
            return;
        }
    }
}

static void passes_recorded_at_once_are_the_paths_of_passes_one_by_one(void)
{
    const uint32_t seeds = check_amount(100, 200, 400);
    by_fast = 0;
    all_sizes(WEFT_CONTROL_RAW, 0, seeds);
    CHECK(by_fast > seeds * UINT64_C(2500));
}

static void so_they_are_with_other_coders(void)
{
    all_sizes(WEFT_CONTROL_LOOPS, 0, 6);
    all_sizes(WEFT_CONTROL_GRAMMAR, 0, 6);
}

static void refused_frames_lose_no_pass_in_silence(void)
{
    all_sizes(WEFT_CONTROL_RAW, 60, check_amount(50, 100, 200));
    all_sizes(WEFT_CONTROL_LOOPS, 60, 3);
}

/* More than 32 bits of lost passes. */
static void a_sink_that_never_takes_loses_all_of_them(void)
{
    run_case c = {.coder = WEFT_CONTROL_RAW, .bytes = 300, .places = 8, .seed = 1, .refuse_percent = 100};
    uint64_t made = 0;
    CHECK(begin(&at_once, &c));
    for (unsigned i = 0; i < 3; i++, made += UINT32_C(1) << 31)
        weft_recorder_passes(&at_once.recorder, 0, 7, UINT32_C(1) << 31);
    at_once.kept.refuse_percent = 0;
    CHECK(finish(&at_once));
    CHECK_EQ(at_once.recorder.before.paths, made);
    CHECK(at_once.recorder.lost.paths > made - WEFT_RECORDER_PATHS_MAX * 2);
}

int main(void)
{
    RUN(passes_recorded_at_once_are_the_paths_of_passes_one_by_one);
    RUN(so_they_are_with_other_coders);
    RUN(refused_frames_lose_no_pass_in_silence);
    RUN(a_sink_that_never_takes_loses_all_of_them);
    return check_failed();
}
