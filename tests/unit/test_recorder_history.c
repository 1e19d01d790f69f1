/* SPDX-License-Identifier: MIT */
/* The history that is lent to probes: when it is not lent, and what becomes of what probes took.
 * tests/prop/prop_recorder_lent.c tests the rest. */
#include <string.h>

#include "core/recorder_fast.h"
#include "core/recorder_ksf.h"
#include "core/recorder_loops.h"
#include "core/recorder_passes.h"
#include "tests/lib/check.h"

enum { PLACES = 128 };

static weft_status keep(void *context, const uint8_t *frame, size_t size)
{
    const bool *broken = context;
    (void)frame;
    return *broken || !size ? WEFT_AGAIN : WEFT_OK;
}

static bool broken;
static const weft_sink sink = {&broken, keep};
static uint32_t words[WEFT_HISTORY_WORDS(PLACES)];
WEFT_RECORDER_DEF(trace, 640, 8, 4);
WEFT_KSF_DEF(forest, 2, 6, 4);
WEFT_LOOPNEST_DEF(nest, 16, 4);
static weft_loopnest nest;

static weft_recorder_config usual(void)
{
    weft_recorder_config config = trace_config;
    config.sink = &sink;
    config.history = words;
    config.history_max = PLACES;
    return config;
}

/* A recorder that has recorded a loop of two paths, often enough for them to be predicted. */
static void start(const weft_recorder_config *config, unsigned paths)
{
    broken = false;
    CHECK_EQ(weft_recorder_init(&trace, config), WEFT_OK);
    for (unsigned i = 0; i < paths; i++)
        weft_recorder_path(&trace, 0, 1 + i % 2);
}

static bool is_lent(void)
{
    weft_recorder_lend(&trace);
    bool lent = weft_history_lent(&trace.history);
    weft_recorder_keep(&trace);
    weft_history_settle(&trace.history);
    return lent;
}

static void it_is_lent_only_where_probes_may_put_paths(void)
{
    weft_recorder_config config = usual();
    start(&config, 20);
    CHECK(is_lent());
    uint32_t paths = trace.paths_max;
    trace.paths_max = 20; /* the frame is full */
    CHECK(!is_lent());
    trace.paths_max = paths;
    config.probes = WEFT_PROBE_PATHS;
    config.profiler = &weft_profiler_ksf; /* it must get each path */
    config.profiler_state = &forest;
    CHECK_EQ(weft_ksf_init(&forest, &forest_config), WEFT_OK);
    start(&config, 20);
    CHECK(!is_lent());
}

/* The probes of accesses look at `turn` only. */
static void accesses_are_lent_only_into_a_plain_section(void)
{
    weft_recorder_config config = usual();
    start(&config, 1);
    weft_recorder_set_open(&trace, 3);
    CHECK_EQ(trace.turn, 3u << WEFT_TURN_EXCEPTION);
    weft_recorder_set_open(&trace, WEFT_RECORDER_FREE);
    CHECK_EQ(trace.turn, WEFT_TURN_CLOSED);
    broken = true;
    CHECK_EQ(weft_recorder_flush(&trace), WEFT_AGAIN); /* a frame waits */
    weft_recorder_set_open(&trace, 3);
    CHECK_EQ(trace.turn, WEFT_TURN_CLOSED);
    broken = false;
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
}

static void what_is_pending_may_be_lent_again(void)
{
    weft_recorder_config config = usual();
    start(&config, 0);
    for (uint32_t i = 0; i <= 24; i++)
        weft_recorder_path(&trace, 0, 1 + i % 24); /* then 2 is predicted, 3, 4, ... */
    weft_recorder_lend(&trace);
    uint32_t taken = 0;
    while (taken < WEFT_HISTORY_STEP + 4 && weft_history_take_lent(&trace.history, weft_history_word(0, 2 + taken)))
        taken++;
    CHECK_EQ(taken, WEFT_HISTORY_STEP + 4);
    weft_recorder_keep(&trace);
    CHECK_EQ(trace.history.pending, WEFT_HISTORY_STEP + 4);
    weft_history_settle_step(&trace.history);
    CHECK_EQ(trace.history.pending, 4);
    CHECK_EQ(weft_recorder_paths(&trace), 25 + taken);
    weft_recorder_lend(&trace); /* as they are */
    CHECK(weft_history_lent(&trace.history));
    weft_recorder_keep(&trace);
    CHECK_EQ(trace.history.pending, 4);
    weft_history_settle_step(&trace.history);
    weft_history_settle_step(&trace.history); /* nothing is left */
    CHECK_EQ(trace.history.pending, 0);
    CHECK_EQ(weft_recorder_paths(&trace), 25 + taken);
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK_EQ(trace.before.paths, 25 + taken);
}

/* Probes that ran unmasked may spoil `at`. An impossible value is not copied. */
static void a_spoilt_history_is_not_believed(void)
{
    weft_recorder_config config = usual();
    start(&config, 20);
    weft_recorder_lend(&trace);
    trace.history.at = trace.history.from + PLACES + 1;
    weft_recorder_keep(&trace);
    CHECK_EQ(trace.history.pending, 0);
    CHECK(trace.history.source >= trace.history.start && trace.history.source <= trace.history.end);
}

/* A switch that cannot be made in steps is left to the full way. */
static void a_switch_in_steps_needs_its_room(void)
{
    weft_recorder_config config = usual();
    start(&config, 3);
    weft_recorder_access(&trace, 0, 1, 64); /* of a path that has not ended */
    uint32_t epoch = trace.epoch;
    CHECK(weft_recorder_enter_begin(&trace, 5));
    while (trace.entering)
        weft_recorder_enter_go_on(&trace);
    CHECK_EQ(trace.context, 5);
    CHECK_EQ(trace.epoch, epoch + 1);
    trace.epoch = UINT16_MAX;
    weft_recorder_path(&trace, 5, 1);
    CHECK(!weft_recorder_enter_begin(&trace, 6));
    CHECK_EQ(trace.context, 5);
    weft_recorder_path(&trace, 6, 1);
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK(trace.before.paths == 5 && trace.lost.paths == 0);

    config.control_coder = &weft_control_coder_loops;
    config.control_coder_state = &nest;
    CHECK_EQ(weft_loopnest_init(&nest, &nest_config), WEFT_OK);
    start(&config, 3);
    CHECK(!weft_recorder_enter_begin(&trace, 5));
}

/* The first step asks for it, also in a frame's last room. */
static void the_second_step_of_an_item_has_its_room(void)
{
    weft_recorder_config config = usual();
    weft_region *control = &trace.region[WEFT_REGION_CONTROL];
    start(&config, 20);
    CHECK(!trace.run_ended);
    uint8_t *limit = control->limit;
    control->limit = control->at - 1;
    CHECK_EQ(weft_recorder_path_step(&trace, weft_history_word(0, 9), 9), WEFT_FULL);
    control->limit = control->at; /* room for an item, run included, and no more */
    CHECK_EQ(weft_recorder_path_step(&trace, weft_history_word(0, 9), 9), WEFT_AGAIN);
    CHECK(trace.run_ended == control->at && control->at > control->limit);
    if (WEFT_SHORT_STEPS) {
        uint8_t *at = control->at;
        CHECK_EQ(weft_recorder_path_step(&trace, weft_history_word(0, 9), 9), WEFT_AGAIN);
        CHECK(control->at == at && trace.item_end > at && trace.item_end <= control->end); /* written, and not put */
    }
    CHECK_EQ(weft_recorder_path_step(&trace, weft_history_word(0, 9), 9), WEFT_OK);
    CHECK(control->end >= control->at);
    CHECK_EQ(weft_recorder_path_step(&trace, weft_history_word(0, 8), 8), WEFT_FULL);
    control->limit = limit;
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK(!trace.run_ended);
    CHECK_EQ(trace.before.paths, 21);
}

static weft_status put_path(uint32_t path)
{
    weft_status status;
    do
        status = weft_recorder_path_step(&trace, weft_history_word(0, path), path);
    while (status == WEFT_AGAIN);
    return status;
}

/* Of a thread that the recorder does not tell from the caller: predicted or not, it is put as it is. */
static void another_path_between_the_steps_of_an_item(void)
{
    for (unsigned steps = 1; steps <= 3; steps++)
        for (unsigned predicted = 0; predicted < 2; predicted++) {
            weft_recorder_config config = usual();
            start(&config, 20);
            const weft_region *control = &trace.region[WEFT_REGION_CONTROL];
            uint32_t other = 8;
            weft_status status = WEFT_AGAIN;
            for (unsigned i = 0; i < steps && status == WEFT_AGAIN; i++)
                status = weft_recorder_path_step(&trace, weft_history_word(0, 9), 9);
            if (predicted)
                other = weft_history_predicted(&trace.history);
            uint8_t bytes[8], *end = weft_put_other(bytes, other - weft_history_predicted(&trace.history));
            CHECK_EQ(put_path(other), WEFT_OK);
            if (predicted)
                CHECK_EQ(trace.history.run, 1);
            else
                CHECK(!memcmp(control->at - (end - bytes), bytes, (size_t)(end - bytes)));
            if (status == WEFT_AGAIN)
                CHECK_EQ(put_path(9), WEFT_OK);
            CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
            CHECK_EQ(trace.before.paths, 22);
        }
}

/* Where it is refused, nothing of it is done: the full way ends no frame earlier for it. */
static void a_switch_in_steps_that_is_refused_keeps_the_run(void)
{
    weft_recorder_config config = usual();
    start(&config, 20);
    weft_region *control = &trace.region[WEFT_REGION_CONTROL];
    uint32_t run = trace.history.run;
    uint8_t *at = control->at, *limit = control->limit;
    control->limit = at - 1;
    CHECK(!weft_recorder_enter_begin(&trace, 5));
    CHECK(run && trace.history.run == run && control->at == at);
    control->limit = limit;
    CHECK(weft_recorder_enter_begin(&trace, 5));
    while (trace.entering)
        weft_recorder_enter_go_on(&trace);
    CHECK(trace.history.run == 0 && control->at > at);
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
}

static void the_last_room_of_the_bus_section_is_used(void)
{
    weft_recorder_config config = usual();
    weft_region *bus = &trace.region[WEFT_REGION_BUS];
    start(&config, 1);
    uint8_t *end = bus->limit;
    bus->limit = bus->at;
    CHECK(weft_recorder_bus_plain(&trace)); /* as in a section of the least size */
    CHECK(weft_recorder_access_here(&trace, 1, 0x12345678));
    CHECK(bus->at > bus->limit && !weft_recorder_access_here(&trace, 1, 64));
    bus->limit = end;
    uint32_t last = trace.slots[1].last;
    CHECK(weft_recorder_hits(&trace, 1, last));
    trace.epoch++; /* what a slot says of another epoch is stale */
    CHECK(!weft_recorder_hits(&trace, 1, last));
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
}

/* A run of addresses is written before its length exceeds its bits. */
static void a_run_of_addresses_has_its_longest(void)
{
    weft_recorder_config config = usual();
    start(&config, 1);
    const uint32_t accesses = 3 * WEFT_TURN_RUN_MAX;
    for (uint32_t i = 0; i < accesses; i++) {
        bool hits = weft_recorder_hits(&trace, 1, 8 * i);
        CHECK(!hits || (trace.turn & WEFT_TURN_RUN) < WEFT_TURN_RUN_MAX);
        if (i % 2 || !weft_recorder_access_here(&trace, 1, 8 * i))
            weft_recorder_access(&trace, 0, 1, 8 * i);
        CHECK((trace.turn & WEFT_TURN_RUN) <= WEFT_TURN_RUN_MAX);
    }
    CHECK_EQ(weft_recorder_accesses(&trace), accesses);
    CHECK(!weft_recorder_hits(&trace, 1, 4));
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK(trace.before.accesses == accesses && trace.lost.accesses == 0);
}

static void more_passes_need_their_path_and_their_room(void)
{
    weft_recorder_config config = usual();
    start(&config, 3); /* the last is 1 */
    CHECK(!weft_recorder_again_here(&trace, 2, 10));
    CHECK(!weft_recorder_again_here(&trace, 1, WEFT_RECORDER_PATHS_MAX));
    CHECK(weft_recorder_again_here(&trace, 1, 10));
    weft_region *control = &trace.region[WEFT_REGION_CONTROL];
    uint8_t *limit = control->limit;
    control->limit = control->at - 1;
    CHECK(!weft_recorder_again_here(&trace, 1, 10));
    control->limit = limit;
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK_EQ(trace.before.paths, 13);
}

static unsigned asked;

static void tell(weft_writer *out)
{
    asked++;
    weft_write_field(out, WEFT_STATS_UNMASKED, 1);
}

static void the_port_says_what_it_left_out(void)
{
    weft_recorder_config config = usual();
    start(&config, 1);
    trace.left_out = tell;
    CHECK_EQ(weft_recorder_finish(&trace), WEFT_OK);
    CHECK_EQ(asked, 1);
    trace.left_out = NULL;
}

int main(void)
{
    RUN(it_is_lent_only_where_probes_may_put_paths);
    RUN(accesses_are_lent_only_into_a_plain_section);
    RUN(what_is_pending_may_be_lent_again);
    RUN(a_spoilt_history_is_not_believed);
    RUN(a_switch_in_steps_needs_its_room);
    RUN(the_second_step_of_an_item_has_its_room);
    RUN(another_path_between_the_steps_of_an_item);
    RUN(a_switch_in_steps_that_is_refused_keeps_the_run);
    RUN(the_last_room_of_the_bus_section_is_used);
    RUN(a_run_of_addresses_has_its_longest);
    RUN(more_passes_need_their_path_and_their_room);
    RUN(the_port_says_what_it_left_out);
    return check_failed();
}
