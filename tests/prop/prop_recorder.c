/* SPDX-License-Identifier: MIT */
/* Random programs through the real recorder and back: the decoded sequence is the truth minus exactly the events
 * counted as lost, each gap exactly in its place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/any_coder.h"
#include "tests/lib/model.h"
#include "tools/lib/recording/control.h"

static model program;
/* A run of a random program, and which writes its sink refuses. */
typedef struct run_case {
    size_t bytes, slots;     /* of the recorder */
    uint32_t steps, seed;    /* of the program */
    uint64_t refuse_nth;     /* this write, from 1; 0: none */
    uint32_t refuse_percent; /* of the writes, at random */
    weft_counts earlier;     /* as in run */
    uint32_t earlier_frames;
} run_case;

/* The result of a run. */
typedef struct outcome {
    uint64_t unresolved; /* as run_check returns it */
    uint64_t writes;     /* of the sink */
} outcome;

/* Each size of a buffer from the least to 1,100, in a mixed order. */
static size_t size_of(uint32_t number)
{
    enum { SIZES = 1101 - WEFT_RECORDER_BYTES_MIN };
    return WEFT_RECORDER_BYTES_MIN + number * 487u % SIZES;
}

static uint64_t counts_sum(const weft_counts *counts)
{
    return counts->paths + counts->accesses + counts->values + counts->marks;
}

/* Records and checks one run, whole and undamaged. */
static bool once(const run_case *c, outcome *result)
{
    run r = {.program = &program,
             .sink = {.refuse_nth = c->refuse_nth, .refuse_percent = c->refuse_percent},
             .earlier = c->earlier,
             .earlier_frames = c->earlier_frames};
    check_random random = {c->seed};
    weft_recorder_config config = config_of(c->bytes, c->slots);
    model_make(&program, &random, check_random_below(&random, 100), check_random_below(&random, 2) * 70);
    config.spare = c->seed % 2 ? spare_frame : NULL;
    config.control_paths_max = c->seed % 3 ? 0 : 1 + c->seed % 50;
    run_program(&r, &config, c->steps, c->seed);
    uint64_t lost = c->earlier_frames ? 0 : counts_sum(&c->earlier);
    for (size_t i = 0; i < r.count; i++)
        lost += r.events[i].lost;
    bool good = run_check(&r, r.sink.bytes, r.sink.size, false, &result->unresolved);
    if (good && counts_sum(&r.recorder.lost) != lost) {
        check_fail(__FILE__, __LINE__, "the recorder counts what is lost");
        good = false;
    }
    if (!good)
        printf("# bytes %zu slots %zu steps %u seed %u nth %llu percent %u\n", c->bytes, c->slots, c->steps, c->seed,
               (unsigned long long)c->refuse_nth, c->refuse_percent);
    result->writes = r.sink.writes;
    run_free(&r);
    return good;
}

static void every_buffer_size_from_the_smallest_works(void)
{
    outcome result;
    for (size_t bytes = WEFT_RECORDER_BYTES_MIN; bytes <= 1100; bytes += check_amount(29, 9, 1)) {
        run_case c = {.bytes = bytes,
                      .slots = bytes % 8 ? (size_t)1 << bytes % 8 >> 2 : 0,
                      .steps = 300,
                      .seed = (uint32_t)bytes};
        if (!once(&c, &result))
            return;
        /* unresolved are only the threads' last paths, which never end */
        CHECK(result.unresolved <= 3 * 2 * MODEL_ITEMS);
    }
}

static void large_buffers_work(void)
{
    outcome result;
    for (size_t bytes = 1000; bytes <= sizeof frame; bytes = bytes * 3 / 2)
        for (uint32_t seed = 1; seed <= 4; seed++)
            if (!once(&(run_case){.bytes = bytes, .slots = 64, .steps = 5000, .seed = seed}, &result))
                return;
}

static void each_write_refused_in_turn_loses_exactly_what_is_counted(void)
{
    outcome result;
    for (uint32_t seed = 1; seed <= check_amount(2, 2, 8); seed++) {
        run_case c = {.bytes = WEFT_RECORDER_BYTES_MIN + 40 * seed, .slots = 8, .steps = 300, .seed = seed};
        if (!once(&c, &result))
            return;
        uint64_t all = result.writes;
        for (c.refuse_nth = 1; c.refuse_nth <= all; c.refuse_nth++)
            if (!once(&c, &result))
                return;
    }
}

static void random_refusals_lose_exactly_what_is_counted(void)
{
    outcome result;
    for (uint32_t seed = 1; seed <= check_amount(100, 150, 1500); seed++) {
        run_case c = {
            .bytes = size_of(seed), .slots = 16, .steps = 400, .seed = seed, .refuse_percent = 10 + seed % 85};
        if (!once(&c, &result))
            return;
    }
}

/* Some events before 2^31, 2^32 or 2^63 of each kind, and frames before those numbers: the run goes past them. */
static void counters_go_past_31_32_and_63_bits(void)
{
    static const uint64_t limits[] = {UINT64_C(1) << 31, UINT64_C(1) << 32, UINT64_C(1) << 63};
    outcome result;
    for (uint32_t seed = 1; seed <= check_amount(60, 80, 1000); seed++) {
        uint64_t limit = limits[seed % WEFT_COUNT(limits)];
        bool missing = seed / 3 % 2;
        run_case c = {
            .bytes = size_of(seed),
            .slots = 16,
            .steps = 600,
            .seed = seed,
            .refuse_percent = seed / 6 % 2 ? seed % 60 : 0,
            .earlier = {limit - seed % 500, limit + 40 - seed % 400, limit + 80 - seed % 300, limit - seed % 7},
            .earlier_frames = missing ? (uint32_t)limit - 1 - seed % 5 : 0};
        if (limit >> 63) /* their sum has 64 bits, too */
            c.earlier = (weft_counts){limit - seed % 500, 0, 0, 0};
        if (!once(&c, &result))
            return;
    }
}

/* There are more frames than stamps for the slots. */
static void stamps_of_epochs_start_again(void)
{
    run r = {.program = &program};
    check_random random = {5};
    weft_recorder_config config = config_of(WEFT_RECORDER_BYTES_MIN, 16);
    uint64_t unresolved;
    model_make(&program, &random, 80, 30);
    run_program(&r, &config, 360000, 6); /* this seed has no calm run, so there are many frames */
    CHECK(r.recorder.sequence > 1u << 16);
    run_check(&r, r.sink.bytes, r.sink.size, false, &unresolved);
    run_free(&r);
}

/* Where each chunk between zero bytes starts. */
static size_t split(const uint8_t *bytes, size_t size, size_t *starts, size_t max)
{
    size_t count = 0;
    for (size_t at = WEFT_CONTAINER_HEAD_SIZE; at < size && count < max - 1;) {
        starts[count++] = at;
        at = (size_t)((const uint8_t *)memchr(bytes + at, 0, size - at) - bytes) + 1;
    }
    starts[count] = size;
    return count;
}

enum { FRAMES_MAX = 4000 };

static bool dropped(run *r, check_random *random, const size_t *starts, size_t count, uint8_t *out)
{
    size_t to = WEFT_CONTAINER_HEAD_SIZE;
    uint64_t unresolved;
    memcpy(out, r->sink.bytes, to);
    for (size_t i = 0; i < count; i++) {
        size_t size = starts[i + 1] - starts[i];
        /* The last frame stays: nothing after it would say what is missing. */
        if (i + 1 < count && check_random_below(random, 4) == 0)
            continue;
        memcpy(out + to, r->sink.bytes + starts[i], size);
        /* Not in the zero byte: the last frame must stay whole. */
        if (i + 1 < count && check_random_below(random, 8) == 0)
            out[to + check_random_below(random, (uint32_t)size - 1)] ^= (uint8_t)(1u << check_random_below(random, 8));
        to += size;
    }
    return run_check(r, out, to, true, &unresolved);
}

static bool shuffled(run *r, check_random *random, size_t *starts, size_t count, uint8_t *out)
{
    size_t to = WEFT_CONTAINER_HEAD_SIZE;
    uint64_t unresolved;
    memcpy(out, r->sink.bytes, to);
    for (size_t i = 0; i < count; i++) {
        /* Neighbours change places, and some frames come twice. */
        size_t from = i % 2 == 0 && i + 1 < count ? i + 1 : i % 2 ? i - 1 : i;
        for (unsigned n = 0; n < 1 + (check_random_below(random, 5) == 0); n++) {
            memcpy(out + to, r->sink.bytes + starts[from], starts[from + 1] - starts[from]);
            to += starts[from + 1] - starts[from];
        }
    }
    return run_check(r, out, to, false, &unresolved);
}

static void frames_that_are_missing_damaged_or_misplaced_are_gaps_of_the_right_size(void)
{
    static size_t starts[FRAMES_MAX + 1];
    for (uint32_t seed = 1; seed <= check_amount(40, 70, 600); seed++) {
        run r = {.program = &program};
        check_random random = {seed};
        weft_recorder_config config = config_of(size_of(seed), 16);
        model_make(&program, &random, 80, seed % 2 * 50);
        if (seed % 3 == 0) { /* the frames' numbers start again at 0 */
            r.earlier_frames = UINT32_MAX - 2 - seed % 32;
            r.earlier.paths = r.earlier_frames;
        }
        run_program(&r, &config, 300, seed);
        size_t count = split(r.sink.bytes, r.sink.size, starts, FRAMES_MAX);
        uint8_t *out = malloc(2 * r.sink.size);
        bool good = dropped(&r, &random, starts, count, out) && shuffled(&r, &random, starts, count, out);
        free(out);
        run_free(&r);
        if (!good) {
            printf("# seed %u\n", seed);
            return;
        }
    }
}

/* Two paths alternate `length` times, so that each is predicted. Then comes an unpredicted path, or a switch of
 * context, or both. */
static uint32_t turn(uint32_t length, uint32_t step, uint32_t *context)
{
    uint32_t in_round = step % (length + 1);
    *context = in_round == length && length % 3 ? 16 : 0;
    return in_round == length && length % 2 ? 1000 + step : in_round % 2;
}

static bool runs_come_back(uint32_t length, size_t bytes, uint64_t nth)
{
    model_sink kept = {.refuse_nth = nth};
    weft_sink sink = {&kept, model_write};
    weft_recorder_config config = config_of(bytes, 16);
    weft_recorder recorder;
    uint32_t count = 3 * length + 7, context;
    config.sink = &sink;
    EXPECT(weft_recorder_init(&recorder, &config) == WEFT_OK);
    for (uint32_t step = 0; step < count; step++) {
        uint32_t path = turn(length, step, &context);
        weft_recorder_path(&recorder, context, path);
    }
    while (weft_recorder_finish(&recorder) != WEFT_OK)
        ;
    char message[200];
    container *file = container_open_bytes(kept.bytes, kept.size, "runs", message, sizeof message);
    EXPECT(file != NULL);
    control *events = control_open(file);
    uint64_t next = 0, lost = 0;
    for (control_event e; control_next(events, &e);) {
        if (e.kind != CONTROL_PATH)
            continue;
        lost += e.index - next;
        next = e.index + 1;
        EXPECT(e.path == turn(length, (uint32_t)e.index, &context) && e.context == context);
    }
    EXPECT(lost + count - next == container_lost(file).paths && (nth || next == count));
    control_close(events);
    container_close(file);
    free(kept.bytes);
    return true;
}

static void an_endless_loop_is_written_from_time_to_time(void)
{
    model_sink kept = {0};
    weft_sink sink = {&kept, model_write};
    weft_recorder_config config = config_of(sizeof frame, 16);
    weft_recorder recorder;
    config.sink = &sink;
    CHECK_EQ(weft_recorder_init(&recorder, &config), WEFT_OK);
    for (uint32_t i = 0; i < WEFT_RECORDER_PATHS_MAX; i++)
        weft_recorder_path(&recorder, 0, 8);
    CHECK_EQ(recorder.before.paths, 0);
    for (uint32_t i = 0; i < WEFT_RECORDER_RUN_MAX; i++)
        weft_recorder_path(&recorder, 0, 8);
    CHECK(recorder.before.paths >= WEFT_RECORDER_PATHS_MAX);
    free(kept.bytes);
}

static void predicted_paths_come_back_from_runs_of_every_length(void)
{
    for (uint32_t length = 0; length < 6000;
         length +=
         length < 140 || length % WEFT_RECORDER_RUN_MAX > WEFT_RECORDER_RUN_MAX - 6 ? 1 : check_amount(35, 35, 5))
        if (!runs_come_back(length, size_of(length), length % 4 ? 0 : 2 + length % 5)) {
            printf("# length %u\n", length);
            return;
        }
}

int main(void)
{
    /* Each control coder with and without engines; the predictors alone and together. */
    enum { RAW = WEFT_CONTROL_COPIES, LOOPS = WEFT_CONTROL_LOOPS, GRAMMAR = WEFT_CONTROL_GRAMMAR };
    enum { PLAIN = WEFT_BUS_PLAIN, TRE = WEFT_BUS_TRE, BFCM = WEFT_BUS_BFCM };
    static const struct {
        uint8_t control, bus, value;
    } ways[] = {{RAW, PLAIN, 0},
                {LOOPS, PLAIN, 0},
                {GRAMMAR, PLAIN, 0},
                {RAW, PLAIN | TRE, 0},
                {LOOPS, PLAIN | TRE, 0},
                {GRAMMAR, PLAIN | TRE, 0},
                {RAW, BFCM, 0},
                {RAW, PLAIN, WEFT_VALUE_BFCM},
                {RAW, BFCM, WEFT_VALUE_BFCM},
                {RAW, PLAIN | TRE, WEFT_VALUE_BFCM},
                {RAW, BFCM | TRE, WEFT_VALUE_BFCM},
                {LOOPS, BFCM | TRE, WEFT_VALUE_BFCM}};
    for (unsigned i = 0; i < WEFT_COUNT(ways); i++) {
        coder = ways[i].control;
        bus_coder = ways[i].bus;
        value_coder = ways[i].value;
        printf("# control coder %u, bus coder %u, value coder %u\n", coder, bus_coder, value_coder);
        RUN(every_buffer_size_from_the_smallest_works);
        RUN(large_buffers_work);
        RUN(each_write_refused_in_turn_loses_exactly_what_is_counted);
        RUN(random_refusals_lose_exactly_what_is_counted);
        RUN(counters_go_past_31_32_and_63_bits);
        RUN(predicted_paths_come_back_from_runs_of_every_length);
        RUN(frames_that_are_missing_damaged_or_misplaced_are_gaps_of_the_right_size);
    }
    coder = WEFT_CONTROL_COPIES;
    value_coder = WEFT_VALUE_PLAIN;
    bus_coder = WEFT_BUS_PLAIN;
    RUN(an_endless_loop_is_written_from_time_to_time);
    RUN(stamps_of_epochs_start_again);
    return check_failed();
}
