/* SPDX-License-Identifier: MIT */
#include "tests/lib/controlled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/simulated_core.h" /* in place of headers of the port */

#include "port/cortex-m/activations.h"
#include "port/cortex-m/controls.h"
#include "port/cortex-m/delivery.h"
#include "port/cortex-m/identity.h"
#include "port/cortex-m/probes_kept.h"
#include "port/cortex-m/trigger.h"
#include "port/cortex-m/weft_target.h"
#include "tests/lib/orders.h"

enum { HANDLER = 20, LOG_MAX = 4000, BYTES_MAX = 1 << 17, KIND_AT = 2, TRIES = 40 };

uint32_t simulated_exception, simulated_primask;

static const char *const names[DEEDS] = {
    "events",      "many",   "handler",    "sampled", "start",       "stop",
    "pause",       "resume", "poll",       "flush",   "only thread", "only handler",
    "out handler", "all",    "arm before", "arm",     "arm at path", "arm at path before",
    "trigger",     "keep"};

static const char *const order_names[ORDERS] = {"path",  "mark", "entry", "start", "stop", "pause",   "resume", "poll",
                                                "flush", "only", "out",   "all",   "arm",  "trigger", "keep"};

typedef struct world {
    order_logged log[LOG_MAX];
    size_t count;
    uint32_t now, next; /* time, and the number of the next event */
    uint8_t bytes[BYTES_MAX];
    size_t size;
    unsigned writes, refused_from, refused; /* writes that the sink refuses */
    unsigned steps, at;                     /* the interrupt comes at this step; 0: it does not */
    deed in_handler;
    bool came, ended; /* ended: by a stop that was refused */
    room size_of;
} world;
static world w;

WEFT_RECORDER_DEF(trace, WEFT_RECORDER_BYTES_MIN + CONTROLLED_FRAME_MORE, 8, 0);
static uint8_t spare[sizeof trace_bytes];
WEFT_HOLD_DEF(held, CONTROLLED_HOLD * sizeof(uint32_t));
static weft_function sampled;

uint32_t weft_image_identity(void)
{
    return 0x1234567;
}

static weft_status keep_bytes(void *context, const uint8_t *bytes, size_t size)
{
    (void)context;
    simulated_step();
    unsigned number = w.writes++;
    if (number - w.refused_from < w.refused || size > BYTES_MAX - w.size)
        return WEFT_AGAIN;
    memcpy(w.bytes + w.size, bytes, size);
    simulated_step();
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

/* The model does not look at accesses. What comes in the middle of one is logged as if it came in a poll. */
static void make_access(uint32_t number)
{
    order_logged *entry = begin(ORDER_POLL, number);
    __weft_access(number & 7, (const void *)(uintptr_t)(w.next * 4099u));
    end(entry, WEFT_OK);
}

static void make_events(unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++) {
        make(ORDER_PATH);
        make(ORDER_MARK);
        make_access(i);
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

static weft_status begin_recording(void)
{
    return weft_start(&trace, &trace_config);
}

static weft_status arm(order_logged *entry, uint32_t before, bool at_path)
{
    entry->before = before;
    entry->after = at_path && !before ? 70 : 5;
    entry->at_path = at_path;
    entry->number = w.next + 5;
    weft_trigger trigger = {.number = 3, .before = before, .after = entry->after, .hold = before ? &held : NULL};
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

/* One that is refused ends the recording only if the sink does not take all. */
static weft_status stop(order_logged *entry)
{
    bool ended = weft_target_stopping();
    weft_status status = weft_stop();
    entry->going_on = status == WEFT_AGAIN && !weft_target_stopping();
    w.ended |= status == WEFT_AGAIN && !ended && !entry->going_on && !w.refused;
    return status;
}

static void call(deed what)
{
    static const order orders[DEEDS] = {[START] = ORDER_START,      [STOP] = ORDER_STOP,
                                        [PAUSE] = ORDER_PAUSE,      [RESUME] = ORDER_RESUME,
                                        [POLL] = ORDER_POLL,        [FLUSH] = ORDER_FLUSH,
                                        [ONLY_THREAD] = ORDER_ONLY, [ONLY_HANDLER] = ORDER_ONLY,
                                        [OUT_HANDLER] = ORDER_OUT,  [ALL] = ORDER_ALL,
                                        [ARM_BEFORE] = ORDER_ARM,   [ARM] = ORDER_ARM,
                                        [ARM_AT_PATH] = ORDER_ARM,  [ARM_AT_PATH_BEFORE] = ORDER_ARM,
                                        [TRIGGER] = ORDER_TRIGGER,  [KEEP_THIRD] = ORDER_KEEP};
    order_logged *entry = begin(orders[what], what == OUT_HANDLER || what == ONLY_HANDLER ? HANDLER
                                              : what == KEEP_THIRD                        ? 3
                                                                                          : 0);
    weft_status status = what == START          ? begin_recording()
                         : what == STOP         ? stop(entry)
                         : what == PAUSE        ? weft_pause()
                         : what == RESUME       ? weft_resume()
                         : what == POLL         ? (weft_poll() ? WEFT_OK : WEFT_AGAIN)
                         : what == FLUSH        ? weft_flush()
                         : what == ONLY_THREAD  ? weft_filter_only(0)
                         : what == ONLY_HANDLER ? weft_filter_only(HANDLER)
                         : what == OUT_HANDLER  ? weft_filter_out(HANDLER)
                         : what == ALL          ? weft_filter_all()
                         : what == TRIGGER      ? come()
                         : what == KEEP_THIRD   ? keep(3)
                                                : arm(entry, what == ARM_BEFORE || what == ARM_AT_PATH_BEFORE ? 6 : 0,
                                                      what == ARM_AT_PATH || what == ARM_AT_PATH_BEFORE);
    end(entry, status);
}

void controlled_act(deed what)
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
    controlled_act(w.in_handler);
    if (w.in_handler > SAMPLED)
        make(ORDER_PATH);
    simulated_exception = 0;
}

/* ---- a case */

void controlled_begin(const room *r)
{
    memset(&w, 0, offsetof(world, bytes));
    w.size = w.writes = w.refused = w.steps = w.at = 0;
    w.came = w.ended = false;
    w.size_of = *r;
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

/* Without one of its frames of events: NULL, or what is wrong. */
static const char *check_without_frames(const order_log *log)
{
    static uint8_t rest[BYTES_MAX];
    order_log cut = *log;
    const char *why = NULL;
    cut.cut = true;
    for (size_t at = WEFT_CONTAINER_HEAD_SIZE, next; at < w.size && !why; at = next) {
        next = at + strlen((const char *)w.bytes + at) + 1;
        if (next <= at + KIND_AT || w.bytes[at + KIND_AT] != WEFT_FRAME_TRACE)
            continue;
        memcpy(rest, w.bytes, at);
        memcpy(rest + at, w.bytes + next, w.size - next);
        why = orders_check(&cut, rest, w.size - (next - at));
    }
    return why;
}

/* The program's last events, and the end of its recording. Then whether all is right. */
bool controlled_end(const char *name, const deed *deeds, size_t count)
{
    make_events(1);
    for (unsigned i = 0; i < TRIES && (i == 0 || weft_target_started()); i++)
        call(STOP);
    bool strict = !w.refused && !w.came;
    order_log log = {w.log, w.count, strict, false, w.size_of.hold == CONTROLLED_HOLD};
    const char *why = w.ended ? "a stop that was refused has ended the recording" : orders_check(&log, w.bytes, w.size);
    if (!why && log.strict && w.count < 400)
        why = check_without_frames(&log);
    if (!why)
        return true;
    printf("# %s: %s\n#  ", name, why);
    for (size_t i = 0; i < count; i++)
        printf(" %s,", names[deeds[i]]);
    printf(" frame %zu, %s, hold %zu, ", w.size_of.frame, w.size_of.spare ? "two buffers" : "one buffer",
           w.size_of.hold);
    if (w.at)
        printf("at step %u a handler: %s, ", w.at, names[w.in_handler]);
    printf("writes %u to %u refused\n", w.refused_from, w.refused_from + w.refused);
    show_log();
    return false;
}

void controlled_interrupt(unsigned step, deed in_handler)
{
    w.steps = 0;
    w.at = step;
    w.in_handler = in_handler;
}

bool controlled_came(void)
{
    return w.came;
}

void controlled_refuse(unsigned from, unsigned count)
{
    w.refused_from = from;
    w.refused = count;
}
