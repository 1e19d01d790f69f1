/* SPDX-License-Identifier: MIT */
/* Control calls in any order, from thread mode and from handlers, with direct delivery (port_controls_ring.c: by the
 * ring): what is recorded and what is said to be missing is what tests/lib/orders.h promises. The port runs on the
 * host. All orders of three calls; random ones of more, with interrupts in the middle of calls and probes, and a sink
 * that refuses. An argument is the number of random orders; from 60,000 on, each instant of a call is tried. */
#include <stdio.h>
#include <stdlib.h>

#include "core/recorder.h"
#include "tests/lib/check.h"
#include "tests/lib/controlled.h"

static const room rooms[] = {{WEFT_RECORDER_BYTES_MIN, CONTROLLED_HOLD, false},
                             {WEFT_RECORDER_BYTES_MIN + CONTROLLED_FRAME_MORE, CONTROLLED_HOLD, true},
                             {WEFT_RECORDER_BYTES_MIN + CONTROLLED_FRAME_MORE, 300, false},
                             {WEFT_RECORDER_BYTES_MIN, 100, true}};

static bool try_order(const room *r, deed first, const deed *deeds, size_t count)
{
    controlled_begin(r);
    controlled_act(START);
    controlled_act(first);
    for (size_t i = 0; i < count; i++) {
        controlled_act(deeds[i]);
        controlled_act(EVENTS);
        controlled_act(FROM_HANDLER);
        controlled_act(SAMPLED);
    }
    return controlled_end("all orders", deeds, count);
}

static void every_order_of_three_calls_is_as_promised(void)
{
    enum { LENGTH = 3, CALLS = DEEDS - START, MAY_FAIL = 5 };
    unsigned failed = 0, tried = 0;
    for (unsigned number = 0; number < CALLS * CALLS * CALLS && failed < MAY_FAIL; number++) {
        deed deeds[LENGTH];
        for (unsigned i = 0, rest = number; i < LENGTH; i++, rest /= CALLS)
            deeds[i] = (deed)(START + rest % CALLS);
        failed += !try_order(&rooms[number % WEFT_COUNT(rooms)], number % 7 ? EVENTS : MANY, deeds, LENGTH);
        tried++;
    }
    printf("# %u orders\n", tried);
    CHECK_EQ(failed, 0);
}

static unsigned amount;

/* One call in one state, and the interrupt at one step of it. False: the call ends before that step. */
static bool try_instant(const room *r, deed before, deed now, deed in_handler, unsigned step, unsigned *failed)
{
    const deed deeds[] = {before, now};
    controlled_begin(r);
    controlled_act(START);
    controlled_act(EVENTS);
    controlled_act(before);
    controlled_interrupt(step, in_handler);
    controlled_act(now);
    bool came = controlled_came();
    controlled_act(EVENTS);
    controlled_act(SAMPLED);
    *failed += !controlled_end("each instant", deeds, WEFT_COUNT(deeds));
    return came;
}

static void an_interrupt_at_each_instant_of_a_call_is_as_promised(void)
{
    static const deed states[] = {EVENTS, PAUSE, ARM, ARM_BEFORE, ARM_AT_PATH, OUT_HANDLER, KEEP_THIRD};
    enum { MAY_FAIL = 5, EVERY = 60000 };
    unsigned failed = 0, tried = 0, by = 1 + EVERY / (amount + 1);
    for (unsigned s = 0; s < WEFT_COUNT(states); s++)
        for (unsigned now = 0; now < DEEDS; now++)
            for (unsigned then = 0; then < DEEDS && failed < MAY_FAIL; then++) {
                const room *r = &rooms[(s + now + then) % WEFT_COUNT(rooms)];
                unsigned step = 1 + (s + now * 5 + then * 3) % by;
                for (; try_instant(r, states[s], (deed)now, (deed)then, step, &failed) && failed < MAY_FAIL; step += by)
                    tried++;
            }
    printf("# %u instants\n", tried);
    CHECK_EQ(failed, 0);
}

/* The recorder is still open for a handler when the thread's probe begins. */
static void a_filter_that_changes_in_the_middle_of_a_probe_counts_at_once(void)
{
    unsigned failed = 0, step = 1;
    while (try_instant(&rooms[0], FROM_HANDLER, EVENTS, ONLY_HANDLER, step, &failed) && !failed)
        step++;
    CHECK(step > 20 && !failed);
}

/* What is left out first, too, where the count of a recording begins. */
static void each_event_that_is_left_out_counts(void)
{
    unsigned failed = 0, step = 1;
    while (try_instant(&rooms[0], ARM, EVENTS, EVENTS, step, &failed) && !failed)
        step++;
    CHECK(step > 20 && !failed);
}

/* In the middle of what takes frames to the sink. */
static void a_stop_that_is_refused_leaves_the_recording_as_it_is(void)
{
    static const deed senders[] = {MANY, FLUSH, POLL};
    unsigned failed = 0;
    for (unsigned i = 0; i < WEFT_COUNT(senders); i++)
        for (unsigned step = 1; try_instant(&rooms[1], MANY, senders[i], STOP, step, &failed) && !failed;)
            step++;
    CHECK_EQ(failed, 0);
}

static void interrupt_somewhere(check_random *random)
{
    unsigned most = 1u << (4 + check_random_below(random, 9)), step = 1 + check_random_below(random, most);
    controlled_interrupt(step, (deed)check_random_below(random, DEEDS));
}

static void refuse_somewhere(check_random *random)
{
    unsigned from = check_random_below(random, 20);
    controlled_refuse(from, 1 + check_random_below(random, 12));
}

static bool try_random(check_random *random, bool interrupt, bool refuse)
{
    enum { LENGTH = 24 };
    deed deeds[LENGTH];
    room r = rooms[check_random_below(random, WEFT_COUNT(rooms))];
    controlled_begin(&r);
    size_t count = 2 + check_random_below(random, LENGTH - 2);
    if (interrupt)
        interrupt_somewhere(random);
    if (refuse)
        refuse_somewhere(random);
    if (check_random_below(random, 8))
        controlled_act(START);
    for (size_t i = 0; i < count; i++) {
        deeds[i] = (deed)check_random_below(random, DEEDS);
        controlled_act(deeds[i]);
    }
    return controlled_end(interrupt ? "with an interrupt" : refuse ? "with refusals" : "random", deeds, count);
}

static void try_many(uint32_t seed, bool interrupt, bool refuse)
{
    enum { MAY_FAIL = 5 };
    check_random random = {seed};
    unsigned failed = 0;
    for (unsigned i = 0; i < amount && failed < MAY_FAIL; i++)
        failed += !try_random(&random, interrupt, refuse);
    printf("# %u orders\n", amount);
    CHECK_EQ(failed, 0);
}

static void random_orders_are_as_promised(void)
{
    try_many(1, false, false);
}

static void orders_with_an_interrupt_in_the_middle_are_as_promised(void)
{
    try_many(2, true, false);
}

static void orders_with_a_sink_that_refuses_are_as_promised(void)
{
    try_many(3, false, true);
}

static void orders_with_both_are_as_promised(void)
{
    try_many(4, true, true);
}

int main(int argc, char **argv)
{
    amount = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : check_amount(200, 3000, 30000);
    RUN(every_order_of_three_calls_is_as_promised);
    RUN(an_interrupt_at_each_instant_of_a_call_is_as_promised);
    RUN(a_filter_that_changes_in_the_middle_of_a_probe_counts_at_once);
    RUN(each_event_that_is_left_out_counts);
    RUN(a_stop_that_is_refused_leaves_the_recording_as_it_is);
    RUN(random_orders_are_as_promised);
    RUN(orders_with_an_interrupt_in_the_middle_are_as_promised);
    RUN(orders_with_a_sink_that_refuses_are_as_promised);
    RUN(orders_with_both_are_as_promised);
    return check_failed();
}
