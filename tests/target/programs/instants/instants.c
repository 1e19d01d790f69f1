/* SPDX-License-Identifier: MIT */
/* An interrupt at each of INSTANTS consecutive ticks of a timer, while probes are called: its handler polls, stops, or
 * starts a recording. Then what was recorded and what was counted as lost must be what the program knows to have made.
 * Build with PROBES=none; the calls of the probes stand here. Run with -icount shift=6, where an instruction takes
 * longer than a tick: so every instruction of two stretches is interrupted, one with the first probes, and one where
 * frames end. */
#include <stdio.h>

#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/weft_target.h"

#ifndef INSTANTS
#define INSTANTS 400
#endif
enum { EVENTS = 3000, FIRST_TICK = 100, STEP = 13 };

typedef enum action { POLL, STOP, START, START_OTHER, STOP_AND_START, ACTIONS } action;

void SysTick_Handler(void);

WEFT_RECORDER_DEF(trace, WEFT_RECORDER_BYTES_MIN, 16, 0);
WEFT_RECORDER_DEF(other, WEFT_RECORDER_BYTES_MIN, 16, 0);

static weft_status take(void *context, const uint8_t *frame, size_t size)
{
    (void)context, (void)frame, (void)size;
    return WEFT_OK;
}
static const weft_sink sink = {.write = take};

static action now;
static volatile uint32_t begun, returned;           /* probes */
static volatile uint32_t begun_then, returned_then; /* when the handler ran */
static volatile bool fired;
static volatile weft_status stopped, started;

void SysTick_Handler(void)
{
    WEFT_SYST_CSR = 0;
    if (fired)
        return;
    fired = true;
    begun_then = begun;
    returned_then = returned;
    if (now == POLL)
        (void)weft_poll();
    if (now == STOP || now == STOP_AND_START)
        stopped = weft_stop();
    if (now == START)
        started = weft_start(&trace, &trace_config);
    if (now == START_OTHER || now == STOP_AND_START)
        started = weft_start(&other, &other_config);
}

static uint64_t events(const weft_recorder *recorder)
{
    return recorder->before.paths + recorder->before.accesses;
}

/* Passes of a loop: none, few, or more than a run of predicted paths. */
static uint32_t passes(uint32_t i)
{
    return i % 4 ? i % 7 : 600;
}

static void probe(uint32_t i)
{
    uint32_t made = i % 3 || i % 2 ? 1 : passes(i / 6);
    begun += made;
    if (i % 3)
        __weft_access(i % 16, (const void *)(uintptr_t)(i * 2654435761u)); /* not predicted: frames end often */
    else if (i % 2)
        __weft_path(i % 5);
    else
        (void)__weft_loop(i % 5, 5, 1, made);
    returned = begun;
}

static void run(uint32_t tick)
{
    fired = false;
    begun = returned = 0;
    stopped = started = WEFT_AGAIN;
    WEFT_SYST_RVR = tick;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
    for (uint32_t i = 0; i < EVENTS && !(fired && returned > returned_then + 5000); i++)
        probe(i);
    WEFT_SYST_CSR = 0;
}

/* All that was made is in the recordings. */
static bool whole(void)
{
    uint64_t first = events(&trace);
    if (!fired)
        return false;
    if (stopped != WEFT_OK)
        return first == begun && started == WEFT_AGAIN;
    if (first < returned_then || first > begun_then)
        return false;
    if (now == STOP)
        return started == WEFT_AGAIN;
    return started == WEFT_OK ? first + events(&other) == begun : started == WEFT_AGAIN;
}

int main(void)
{
    uint32_t wrong = 0, done = 0, refused = 0;
    trace_config.sink = other_config.sink = &sink;
    for (now = POLL; now < ACTIONS; now++)
        for (uint32_t i = 0; i < INSTANTS; i++) {
            uint32_t tick = FIRST_TICK + (i % 2 ? i / 2 : i / 2 * STEP);
            if (weft_start(&trace, &trace_config) != WEFT_OK)
                wrong++;
            run(tick);
            if (weft_stop() != WEFT_OK || !whole()) {
                if (!wrong++)
                    printf("first wrong: action %d, tick %u: %u of %u begun, %u in trace, stop %d, start %d\n",
                           (int)now, (unsigned)tick, (unsigned)begun_then, (unsigned)begun, (unsigned)events(&trace),
                           (int)stopped, (int)started);
            }
            done++;
            refused += (now == STOP || now == STOP_AND_START) && stopped != WEFT_OK;
        }
    printf("instants: %u tried, %u wrong, %u stops refused\n", (unsigned)done, (unsigned)wrong, (unsigned)refused);
    return wrong != 0;
}
