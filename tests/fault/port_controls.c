/* SPDX-License-Identifier: MIT */
/* Control calls in any order, from thread mode and from handlers, with direct delivery (port_controls_ring.c: by the
 * ring): what is recorded and what is said to be missing is what tests/lib/orders.h promises. The port runs on the
 * host (tests/lib/simulated_core.h). All orders of three calls; random ones of more, with interrupts in the middle of
 * calls and probes, and a sink that refuses. An argument is the number of random orders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/cortex-m/activations.h"
#include "port/cortex-m/controls.h"
#include "port/cortex-m/delivery.h"
#include "port/cortex-m/identity.h"
#include "port/cortex-m/probes_kept.h"
#include "port/cortex-m/trigger.h"
#include "port/cortex-m/weft_target.h"
#include "tests/lib/check.h"
#include "tests/lib/orders.h"

enum { HANDLER = 20, LOG_MAX = 4000, BYTES_MAX = 1 << 17, TRIES = 40 };

uint32_t simulated_exception, simulated_primask;

/* What the program does next. */
typedef enum deed {
    EVENTS,
    MANY, /* more than a frame holds */
    FROM_HANDLER,
    SAMPLED,
    START,
    STOP,
    PAUSE,
    RESUME,
    POLL,
    ONLY_THREAD,
    OUT_HANDLER,
    ALL,
    ARM_BEFORE,
    ARM,
    ARM_AT_PATH,
    ARM_AT_PATH_BEFORE,
    TRIGGER,
    KEEP_THIRD,
    DEEDS
} deed;
static const char *const names[DEEDS] = {
    "events",  "many",        "handler",     "sampled", "start",      "stop", "pause",       "resume",
    "poll",    "only thread", "out handler", "all",     "arm before", "arm",  "arm at path", "arm at path before",
    "trigger", "keep"};

static const char *const order_names[ORDERS] = {"path", "mark", "entry", "start", "stop", "pause",   "resume",
                                                "poll", "only", "out",   "all",   "arm",  "trigger", "keep"};

typedef struct world {
    order_logged log[LOG_MAX];
    size_t count;
    uint32_t now, next; /* time, and the number of the next event */
    uint8_t bytes[BYTES_MAX];
    size_t size;
    unsigned writes, refused_from, refused; /* writes that the sink refuses */
    unsigned steps, at;                     /* the interrupt comes at this step; 0: it does not */
    deed in_handler;
    bool came;
} world;
static world w;

/* Sizes of a case. */
typedef struct room {
    size_t frame, hold; /* bytes; words */
    bool spare;
} room;

WEFT_RECORDER_DEF(trace, WEFT_RECORDER_BYTES_MIN + 100, 8, 0);
static uint8_t spare[sizeof trace_bytes];
WEFT_HOLD_DEF(held, 16384);
static weft_function sampled;

uint32_t weft_image_identity(void)
{
    return 0x1234567;
}

static weft_status keep_bytes(void *context, const uint8_t *bytes, size_t size)
{
    (void)context;
    unsigned number = w.writes++;
    if (number - w.refused_from < w.refused || size > BYTES_MAX - w.size)
        return WEFT_AGAIN;
    memcpy(w.bytes + w.size, bytes, size);
    w.size += size;
    return WEFT_OK;
}
static const weft_sink sink = {NULL, keep_bytes};

/* ---- what is done, and logged */

static order_logged *begin(order what, uint32_t number)
{
    order_logged *entry = &w.log[w.count++];
    if (w.count == LOG_MAX)
        abort();
    *entry = (order_logged){.what = what, .context = simulated_exception, .number = number, .begin = w.now++};
    return entry;
}

static void end(order_logged *entry, weft_status status)
{
    entry->status = status;
    entry->end = w.now++;
}

static void make(order what)
{
    uint32_t number = w.next++;
    order_logged *entry = begin(what, number);
    if (what == ORDER_PATH)
        __weft_path(number);
    else if (what == ORDER_MARK)
        weft_event(number, number);
    else
        __weft_kept_path(number, __weft_enter(&sampled, 7));
    end(entry, WEFT_OK);
}

static void make_events(unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++) {
        make(ORDER_PATH);
        make(ORDER_MARK);
        __weft_access(i & 7, (const void *)(uintptr_t)(w.next * 4099u));
        make(ORDER_PATH);
        make(ORDER_PATH);
    }
}

static void make_in_handler(void)
{
    uint32_t before = simulated_exception;
    simulated_exception = HANDLER;
    make_events(1);
    simulated_exception = before;
}

static weft_status flush_and_start(void)
{
    return weft_start(&trace, &trace_config);
}

static weft_status arm(order_logged *entry, uint32_t before, bool at_path)
{
    entry->before = before;
    entry->after = 5;
    entry->at_path = at_path;
    entry->number = w.next + 5;
    weft_trigger trigger = {.number = 3, .before = before, .after = 5, .hold = before ? &held : NULL};
    if (at_path) {
        trigger.first = entry->number;
        trigger.count = 3;
    }
    return weft_trigger_arm(&trigger);
}

static weft_status come(void)
{
    weft_trigger_now();
    return WEFT_OK;
}

static weft_status keep(uint32_t number)
{
    sampled.keep = number;
    return WEFT_OK;
}

static void call(deed what)
{
    static const order orders[DEEDS] = {
        [START] = ORDER_START,     [STOP] = ORDER_STOP,       [PAUSE] = ORDER_PAUSE,
        [RESUME] = ORDER_RESUME,   [POLL] = ORDER_POLL,       [ONLY_THREAD] = ORDER_ONLY,
        [OUT_HANDLER] = ORDER_OUT, [ALL] = ORDER_ALL,         [ARM_BEFORE] = ORDER_ARM,
        [ARM] = ORDER_ARM,         [ARM_AT_PATH] = ORDER_ARM, [ARM_AT_PATH_BEFORE] = ORDER_ARM,
        [TRIGGER] = ORDER_TRIGGER, [KEEP_THIRD] = ORDER_KEEP};
    order_logged *entry = begin(orders[what], what == OUT_HANDLER ? HANDLER : what == KEEP_THIRD ? 3 : 0);
    weft_status status = what == START         ? flush_and_start()
                         : what == STOP        ? weft_stop()
                         : what == PAUSE       ? weft_pause()
                         : what == RESUME      ? weft_resume()
                         : what == POLL        ? (weft_poll() ? WEFT_OK : WEFT_AGAIN)
                         : what == ONLY_THREAD ? weft_filter_only(0)
                         : what == OUT_HANDLER ? weft_filter_out(HANDLER)
                         : what == ALL         ? weft_filter_all()
                         : what == TRIGGER     ? come()
                         : what == KEEP_THIRD  ? keep(3)
                                               : arm(entry, what == ARM_BEFORE || what == ARM_AT_PATH_BEFORE ? 6 : 0,
                                                     what == ARM_AT_PATH || what == ARM_AT_PATH_BEFORE);
    end(entry, status);
}

static void act(deed what)
{
    switch (what) {
    case EVENTS:
        make_events(1);
        break;
    case MANY:
        make_events(25);
        break;
    case FROM_HANDLER:
        make_in_handler();
        break;
    case SAMPLED:
        for (unsigned i = 0; i < 4; i++)
            make(ORDER_ENTRY);
        break;
    default:
        call(what);
    }
}

void simulated_step(void)
{
    if (simulated_primask || simulated_exception || !w.at || ++w.steps != w.at)
        return;
    simulated_exception = HANDLER;
    w.came = true;
    act(w.in_handler);
    if (w.in_handler > SAMPLED)
        make(ORDER_PATH);
    simulated_exception = 0;
}

/* ---- a case */

static void begin_case(const room *r)
{
    memset(&w, 0, offsetof(world, bytes));
    w.size = w.writes = w.refused = w.steps = w.at = 0;
    w.came = false;
    sampled = (weft_function){.keep = 0};
    trace_config.sink = &sink;
    trace_config.bytes_size = r->frame;
    trace_config.spare = r->spare ? spare : NULL;
    held.size = (uint32_t)r->hold;
    simulated_exception = simulated_primask = 0;
}

/* WEFT_SHOW=FILE: a look at what failed. The recordings are in FILE0, FILE1... */
static void show_log(void)
{
    static unsigned shown;
    char name[200];
    const char *to = getenv("WEFT_SHOW");
    if (!to)
        return;
    snprintf(name, sizeof name, "%s%u", to, shown++);
    FILE *file = fopen(name, "wb");
    if (file) {
        fwrite(w.bytes, 1, w.size, file);
        fclose(file);
    }
    printf("# %s\n", name);
    for (size_t i = 0; i < w.count; i++)
        printf("#   %u to %u: context %u, %s %u, status %d\n", w.log[i].begin, w.log[i].end, w.log[i].context,
               order_names[w.log[i].what], w.log[i].number, w.log[i].status);
}

/* The program's last events, and the end of its recording. Then whether all is right. */
static bool end_case(const room *r, const char *name, const deed *deeds, size_t count)
{
    make_events(1);
    for (unsigned i = 0; i < TRIES && (i == 0 || weft_target_started()); i++)
        call(STOP);
    order_log log = {w.log, w.count, !w.refused && !w.came, r->hold == WEFT_COUNT(held_words)};
    const char *why = orders_check(&log, w.bytes, w.size);
    if (!why)
        return true;
    printf("# %s: %s\n#  ", name, why);
    for (size_t i = 0; i < count; i++)
        printf(" %s,", names[deeds[i]]);
    printf(" frame %zu, %s, hold %zu, ", r->frame, r->spare ? "two buffers" : "one buffer", r->hold);
    if (w.at)
        printf("at step %u a handler: %s, ", w.at, names[w.in_handler]);
    printf("writes %u to %u refused\n", w.refused_from, w.refused_from + w.refused);
    show_log();
    return false;
}

static const room rooms[] = {{WEFT_RECORDER_BYTES_MIN, WEFT_COUNT(held_words), false},
                             {WEFT_RECORDER_BYTES_MIN + 100, WEFT_COUNT(held_words), true},
                             {WEFT_RECORDER_BYTES_MIN + 100, 300, false},
                             {WEFT_RECORDER_BYTES_MIN, 100, true}};

static bool try_order(const room *r, deed first, const deed *deeds, size_t count)
{
    begin_case(r);
    call(START);
    act(first);
    for (size_t i = 0; i < count; i++) {
        act(deeds[i]);
        act(EVENTS);
        act(FROM_HANDLER);
        act(SAMPLED);
    }
    return end_case(r, "all orders", deeds, count);
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

static bool try_random(check_random *random, bool interrupt, bool refuse)
{
    enum { LENGTH = 24 };
    deed deeds[LENGTH];
    room r = rooms[check_random_below(random, WEFT_COUNT(rooms))];
    begin_case(&r);
    size_t count = 2 + check_random_below(random, LENGTH - 2);
    if (interrupt) {
        w.at = 1 + check_random_below(random, 1 << (4 + check_random_below(random, 9)));
        w.in_handler = (deed)check_random_below(random, DEEDS);
    }
    if (refuse) {
        w.refused_from = check_random_below(random, 20);
        w.refused = 1 + check_random_below(random, 12);
    }
    if (check_random_below(random, 8))
        call(START);
    for (size_t i = 0; i < count; i++) {
        deeds[i] = (deed)check_random_below(random, DEEDS);
        act(deeds[i]);
    }
    return end_case(&r, interrupt ? "with an interrupt" : refuse ? "with refusals" : "random", deeds, count);
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
    RUN(random_orders_are_as_promised);
    RUN(orders_with_an_interrupt_in_the_middle_are_as_promised);
    RUN(orders_with_a_sink_that_refuses_are_as_promised);
    RUN(orders_with_both_are_as_promised);
    return check_failed();
}
