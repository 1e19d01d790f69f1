/* SPDX-License-Identifier: MIT */
/* NMI comes at each of many consecutive instructions, with ring delivery: while probes append, while the ring is
 * polled, and while the recording is stopped. Its handler calls probes. The paths of each context have consecutive
 * numbers, so that a decoder sees what is missing; of the stops, the program compares what the recorder counted.
 *
 * For QEMU's mps2-an385, whose watchdog raises NMI, also if it is built for another board with RAM at the same address.
 * Build with PROBES=none. Run with -icount shift=6, where an instruction takes 1.6 ticks of the watchdog. */
#include <stdio.h>

#include "port/cortex-m/context.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/delivery_choice.h"
#include "port/cortex-m/weft_target.h"

#define UART_DATA WEFT_REGISTER(0x40004000)
#define UART_STATE WEFT_REGISTER(0x40004004)
#define UART_CTRL WEFT_REGISTER(0x40004008)
#define UART_BAUDDIV WEFT_REGISTER(0x40004010)
#define WATCHDOG_LOAD WEFT_REGISTER(0x40008000)
#define WATCHDOG_CONTROL WEFT_REGISTER(0x40008008)
#define WATCHDOG_CLEAR WEFT_REGISTER(0x4000800c)

/* The watchdog starts again when it raises NMI, so the handler must have set it by then. */
enum { UART_FULL = 1, FIRST_TICK = 40 };
/* The last instants, in ticks, and after how many instants the ring is polled. */
enum { APPENDS = 900, POLLS = 6000, POLLS_BY = 7, STOPS = 6000, POLL_EVERY = 8 };
/* Paths of the thread at each instant of an append, and before each stop. */
enum { THREAD_PATHS = 4, STOP_PATHS = 3 };

void NMI_Handler(void);

WEFT_RECORDER_DEF(trace, 512, 16, 0);
static volatile uint32_t in_thread, in_nmi, nmis, masked; /* masked: NMI came where interrupts were masked */
static volatile bool before_the_end;                      /* NMI came */
static bool quiet;                                        /* nobody needs the bytes */

void NMI_Handler(void)
{
    WATCHDOG_LOAD = UINT32_MAX;
    WATCHDOG_CLEAR = 1;
    masked = masked + weft_primask();
    before_the_end = weft_target_recorder && !weft_delivery_choice.ring->full;
    for (uint32_t i = 0; i <= (quiet ? 0 : nmis % 3); i++) {
        __weft_path(in_nmi);
        in_nmi = in_nmi + 1;
    }
    nmis = nmis + 1;
}

static void come_in(uint32_t ticks)
{
    before_the_end = false;
    WATCHDOG_LOAD = ticks;
}

static weft_status write(void *context, const uint8_t *bytes, size_t size)
{
    (void)context;
    for (size_t i = 0; i < size && !quiet; i++) {
        while (UART_STATE & UART_FULL)
            ;
        UART_DATA = bytes[i];
    }
    return WEFT_OK;
}
static const weft_sink sink = {NULL, write};

static void append(void)
{
    for (uint32_t i = 0; i < THREAD_PATHS; i++) {
        __weft_path(in_thread);
        in_thread = in_thread + 1;
    }
}

static void wait_for_it(uint32_t count)
{
    while ((int32_t)(nmis - count) < 0)
        ;
}

/* Returns the instants that were tried. */
static uint32_t try_probes(void)
{
    uint32_t count = 0;
    for (uint32_t ticks = FIRST_TICK; ticks < APPENDS; ticks++) {
        come_in(ticks);
        append();
        wait_for_it(++count);
        if (count % POLL_EVERY == 0)
            (void)weft_poll();
    }
    for (uint32_t ticks = FIRST_TICK; ticks < POLLS; ticks += POLLS_BY) {
        append();
        come_in(ticks);
        (void)weft_poll();
        append();
        wait_for_it(++count);
    }
    return count;
}

/* How many recordings do not have what was made before their end. */
static uint32_t try_stops(uint32_t *tried, uint32_t *taken)
{
    uint32_t wrong = 0;
    quiet = true;
    for (uint32_t ticks = FIRST_TICK; ticks < STOPS; ticks++) {
        uint32_t before = nmis;
        wrong += weft_start(&trace, &trace_config) != WEFT_OK;
        for (uint32_t i = 0; i < STOP_PATHS; i++)
            __weft_path(i);
        come_in(ticks);
        while (weft_stop() != WEFT_OK)
            ;
        wait_for_it(before + 1);
        uint32_t made = STOP_PATHS + before_the_end;
        wrong += trace.before.paths != made || trace.lost.paths != 0;
        *taken += before_the_end;
        ++*tried;
    }
    return wrong;
}

int main(void)
{
    UART_BAUDDIV = 16;
    UART_CTRL = 1;
    WATCHDOG_LOAD = UINT32_MAX;
    WATCHDOG_CONTROL = 1;
    trace_config.sink = &sink;
    weft_status status = weft_start(&trace, &trace_config);
    uint32_t instants = try_probes();
    int stopped = weft_stop();
    printf("nmi: %u in the thread, %u in NMI, %u instants, %u masked, start %d, stop %d\n", (unsigned)in_thread,
           (unsigned)in_nmi, (unsigned)instants, (unsigned)masked, status, stopped);
    uint32_t tried = 0, taken = 0, wrong = try_stops(&tried, &taken);
    printf("stops: %u tried, %u with a path of NMI, %u wrong\n", (unsigned)tried, (unsigned)taken, (unsigned)wrong);
    return 0;
}
