/* SPDX-License-Identifier: MIT */
/* Random orders of events and control calls, from thread mode and from an interrupt that comes anywhere. Prints what it
 * did and the bytes of the recordings: build/host/tests/target/orders_check compares the two. Build with PROBES=none;
 * the calls of the probes stand here. FIRST_SEED, CASES: which orders. */
#include <stdio.h>
#include <string.h>

#include "port/cortex-m/activations.h"
#include "port/cortex-m/controls.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/probes_kept.h"
#include "port/cortex-m/trigger.h"
#include "port/cortex-m/weft_target.h"
#include "tests/lib/orders.h"

#ifndef FIRST_SEED
#define FIRST_SEED 1
#endif
#ifndef CASES
#define CASES 10
#endif
enum { HANDLER = 15, LOG_MAX = 84, BYTES_MAX = 1500, DEEDS_MAX = 14, STOPS_MAX = 50, FILTERED = HANDLER };

void SysTick_Handler(void);

WEFT_RECORDER_DEF(trace, WEFT_RECORDER_BYTES_MIN + 40, 8, 0);
WEFT_HOLD_DEF(held, 600);
static weft_function sampled;
static order_logged entries[LOG_MAX];
static volatile uint32_t count, now, next;
static uint8_t bytes[BYTES_MAX];
static uint32_t size;
static uint32_t seed;
static volatile bool came;
static uint32_t in_handler; /* random */

static weft_status keep_bytes(void *context, const uint8_t *frame, size_t frame_size)
{
    (void)context;
    if (frame_size > BYTES_MAX - size)
        return WEFT_AGAIN;
    memcpy(bytes + size, frame, frame_size);
    size += frame_size;
    return WEFT_OK;
}
static const weft_sink sink = {NULL, keep_bytes};

static uint32_t below(uint32_t bound)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % bound;
}

/* The handler may come anywhere: what both change is changed with interrupts masked. */
static order_logged *begin(order what, uint32_t number)
{
    uint32_t primask = weft_mask_interrupts();
    order_logged *entry = &entries[count];
    count = count + 1;
    *entry = (order_logged){.what = what, .context = weft_ipsr(), .number = number, .begin = now};
    now = now + 1;
    weft_restore_interrupts(primask);
    return entry;
}

static void end(order_logged *entry, weft_status status)
{
    uint32_t primask = weft_mask_interrupts();
    entry->status = status;
    entry->end = now;
    now = now + 1;
    weft_restore_interrupts(primask);
}

static uint32_t next_number(void)
{
    uint32_t primask = weft_mask_interrupts(), number = next;
    next = next + 1;
    weft_restore_interrupts(primask);
    return number;
}

static bool has_room(void)
{
    return count + 16 < LOG_MAX;
}

static void make(order what)
{
    uint32_t number = next_number();
    order_logged *entry = begin(what, number);
    if (what == ORDER_PATH)
        __weft_path(number);
    else if (what == ORDER_MARK)
        weft_event(number, number);
    else
        __weft_kept_path(number, __weft_enter(&sampled, 7));
    end(entry, WEFT_OK);
}

static weft_status arm(order_logged *entry, uint32_t before, bool at_path)
{
    entry->before = before;
    entry->after = 5;
    entry->at_path = at_path;
    entry->number = next + 2;
    weft_trigger trigger = {.number = 3, .before = before, .after = 5, .hold = before ? &held : NULL};
    trigger.first = entry->number;
    trigger.count = at_path ? 3 : 0;
    return weft_trigger_arm(&trigger);
}

static weft_status call(order_logged *entry, uint32_t random)
{
    switch (entry->what) {
    case ORDER_START:
        return weft_start(&trace, &trace_config);
    case ORDER_STOP:
        return weft_stop();
    case ORDER_PAUSE:
        return weft_pause();
    case ORDER_RESUME:
        return weft_resume();
    case ORDER_POLL:
        return weft_poll() ? WEFT_OK : WEFT_AGAIN;
    case ORDER_FLUSH:
        return weft_flush();
    case ORDER_ONLY:
        return weft_filter_only(entry->number);
    case ORDER_OUT:
        return weft_filter_out(entry->number);
    case ORDER_ALL:
        return weft_filter_all();
    case ORDER_ARM:
        return arm(entry, random & 1 ? 6 : 0, random & 2);
    case ORDER_TRIGGER:
        weft_trigger_now();
        return WEFT_OK;
    default:
        sampled.keep = entry->number;
        return WEFT_OK;
    }
}

static void act(uint32_t random)
{
    order what = (order)(random % (ORDERS + 4));
    if (what > ORDER_KEEP || what < ORDER_EVENTS) {
        make(ORDER_PATH);
        make(what == ORDER_ENTRY ? ORDER_ENTRY : ORDER_MARK);
        make(ORDER_PATH);
        return;
    }
    bool names = what == ORDER_ONLY || what == ORDER_OUT;
    order_logged *entry = begin(what, what == ORDER_KEEP ? 3 : names && (random & 64) ? FILTERED : 0);
    end(entry, call(entry, random >> 7));
}

void SysTick_Handler(void)
{
    WEFT_SYST_CSR = 0;
    if (came || !has_room())
        return;
    came = true;
    act(in_handler);
    make(ORDER_PATH);
}

static void set_timer(uint32_t ticks)
{
    came = false;
    in_handler = seed >> 3;
    WEFT_SYST_RVR = ticks;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
}

static void run(uint32_t number)
{
    count = now = next = size = 0;
    memset(&sampled, 0, sizeof sampled);
    seed = number;
    set_timer(30 + below(4000));
    for (uint32_t i = 0; i < DEEDS_MAX && has_room(); i++) {
        uint32_t random = i ? below(1u << 24) : ORDER_START;
        if (has_room())
            act(random);
    }
    WEFT_SYST_CSR = 0;
    for (uint32_t i = 0; i < STOPS_MAX && (i == 0 || weft_target_started()) && count < LOG_MAX; i++) {
        order_logged *entry = begin(ORDER_STOP, 0);
        end(entry, weft_stop());
    }
}

static void print(uint32_t number)
{
    printf("case %u\n", (unsigned)number);
    for (uint32_t i = 0; i < count; i++) {
        const order_logged *e = &entries[i];
        printf("log %u %u %u %u %u %u %d %u %u\n", (unsigned)e->what, (unsigned)e->context, (unsigned)e->number,
               (unsigned)e->before, (unsigned)e->after, (unsigned)e->at_path, e->status, (unsigned)e->begin,
               (unsigned)e->end);
    }
    for (uint32_t i = 0; i < size; i += 64) {
        char line[130];
        uint32_t length = 0;
        for (uint32_t j = i; j < size && j < i + 64; j++, length += 2) {
            line[length] = "0123456789abcdef"[bytes[j] >> 4];
            line[length + 1] = "0123456789abcdef"[bytes[j] & 15];
        }
        line[length] = 0;
        printf("bytes %s\n", line);
    }
    printf("end\n");
}

int main(void)
{
    trace_config.sink = &sink;
    for (uint32_t i = 0; i < CASES; i++) {
        run(FIRST_SEED + i);
        print(FIRST_SEED + i);
    }
    return 0;
}
