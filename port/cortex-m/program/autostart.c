/* SPDX-License-Identifier: MIT */
/* Records a whole program without a change to it: starts before main, and stops at exit or at a fault. The build
 * chooses sink, coder and sizes by the macros named here: port/app.mk for `make firmware`; packaging/weft.mk and its
 * kin for a program with a start-up of its own, which defines no WEFT_AUTO_BOARD
 * (port/cortex-m/program/around_main.c). */
#ifdef WEFT_AUTO_BOARD
#include "boards/board.h"
#endif
#include "core/own.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/program/auto_clock.h"
#include "port/cortex-m/program/runtime.h"
#include "port/cortex-m/semihost.h"
#include "port/cortex-m/sinks.h"
#include "port/cortex-m/weft_target.h"

#include <string.h>

#define TEXT_(name) #name
#define TEXT(name) TEXT_(name)

/* The least that there is to choose; port/app.mk chooses all of them. */
#ifndef WEFT_AUTO_ACCESSES
#define WEFT_AUTO_ACCESSES 1
#endif
#ifndef WEFT_AUTO_VALUES
#define WEFT_AUTO_VALUES 0
#endif
#ifndef WEFT_AUTO_KSF
#define WEFT_AUTO_KSF 0
#endif
#ifndef WEFT_AUTO_KSF_ONLY
#define WEFT_AUTO_KSF_ONLY 0
#endif
#ifndef WEFT_AUTO_KSF_HOLDS
#define WEFT_AUTO_KSF_HOLDS 0
#endif

/* Sizes in bytes and elements; a board with little RAM lowers them in board.mk. */
#ifdef WEFT_AUTO_BOARD
#define LARGE_OR(large, small) (large)
#else /* another's program, which needs its RAM */
#define LARGE_OR(large, small) (small)
#endif
#ifndef WEFT_AUTO_FRAME
#define WEFT_AUTO_FRAME LARGE_OR(2048, 1024)
#endif
#ifndef WEFT_AUTO_SLOTS
#define WEFT_AUTO_SLOTS LARGE_OR(256, 128)
#endif
#ifndef WEFT_AUTO_VALUE_SLOTS
#define WEFT_AUTO_VALUE_SLOTS LARGE_OR(256, 128)
#endif
#ifndef WEFT_AUTO_RING
#define WEFT_AUTO_RING LARGE_OR(65536, 16384)
#endif
#ifndef WEFT_AUTO_FIFO
#define WEFT_AUTO_FIFO 8192
#endif
#ifndef WEFT_AUTO_BAUD
#define WEFT_AUTO_BAUD 115200
#endif
#ifndef BOARD_COMMAND_LINE_SIZE
#define BOARD_COMMAND_LINE_SIZE 256
#endif

/* Plain coders use slots of the recorder; others have their own. */
#if defined(WEFT_AUTO_BUS_BFCM) || defined(WEFT_AUTO_BUS_TRE_BFCM)
#define PLAIN_SLOTS 0
#else
#define PLAIN_SLOTS (WEFT_AUTO_ACCESSES ? WEFT_AUTO_SLOTS : 0)
#endif
#if defined(WEFT_AUTO_VALUES_BFCM)
#define PLAIN_VALUE_SLOTS 0
#else
#define PLAIN_VALUE_SLOTS (WEFT_AUTO_VALUES ? WEFT_AUTO_VALUE_SLOTS : 0)
#endif
WEFT_RECORDER_DEF(trace, WEFT_AUTO_FRAME, PLAIN_SLOTS, PLAIN_VALUE_SLOTS);

/* A second buffer, so that events go on while a frame is sealed and sent. */
#ifndef WEFT_AUTO_SPARE
#define WEFT_AUTO_SPARE 1
#endif
#if WEFT_AUTO_SPARE
static uint8_t spare_bytes[WEFT_AUTO_FRAME];
#define SPARE spare_bytes
#else
#define SPARE NULL
#endif

#if WEFT_AUTO_KSF
#include "core/recorder_ksf.h"

#ifndef WEFT_AUTO_KSF_NODES
#define WEFT_AUTO_KSF_NODES 2000
#endif
WEFT_KSF_DEF(forest, WEFT_AUTO_KSF, WEFT_AUTO_KSF_NODES, 256);

static bool add_profile(void)
{
    trace_config.profiler = &weft_profiler_ksf;
    trace_config.profiler_state = &forest;
    trace_config.profile_only = WEFT_AUTO_KSF_ONLY;
    trace_config.profile_holds = WEFT_AUTO_KSF_HOLDS;
    return weft_ksf_init(&forest, &forest_config) == WEFT_OK;
}
#else
static bool add_profile(void)
{
    return true;
}
#endif

#if defined(WEFT_AUTO_CODER_GRAMMAR)
#include "core/recorder_grammar.h"

#ifndef WEFT_AUTO_GRAMMAR
#define WEFT_AUTO_GRAMMAR 512
#endif
WEFT_SEQ_DEF(grammar, WEFT_AUTO_GRAMMAR, WEFT_AUTO_GRAMMAR, WEFT_AUTO_GRAMMAR * 3 / 8, WEFT_AUTO_GRAMMAR / 2, false);

static bool add_control_coder(void)
{
    trace_config.control_coder = &weft_control_coder_grammar;
    trace_config.control_coder_state = &grammar;
    return weft_seq_init(&grammar, &grammar_config) == WEFT_OK;
}
#elif defined(WEFT_AUTO_CODER_LOOPS)
#include "core/recorder_loops.h"

#ifndef WEFT_AUTO_LOOPS_WINDOW
#define WEFT_AUTO_LOOPS_WINDOW 32
#endif
#ifndef WEFT_AUTO_LOOPS_DEPTH
#define WEFT_AUTO_LOOPS_DEPTH 6
#endif
WEFT_LOOPNEST_DEF(nest, WEFT_AUTO_LOOPS_WINDOW, WEFT_AUTO_LOOPS_DEPTH);

static bool add_control_coder(void)
{
    trace_config.control_coder = &weft_control_coder_loops;
    trace_config.control_coder_state = &nest;
    return weft_loopnest_init(&nest, &nest_config) == WEFT_OK;
}
#else
static bool add_control_coder(void)
{
    return true;
}
#endif

#if defined(WEFT_AUTO_BUS_TRE) || defined(WEFT_AUTO_BUS_TRE_BFCM)
#include "core/recorder_tre.h"

#ifndef WEFT_AUTO_ENGINES
#define WEFT_AUTO_ENGINES 16
#endif
#ifndef WEFT_AUTO_LEVELS
#define WEFT_AUTO_LEVELS 3
#endif
WEFT_TRE_POOL_DEF(engines, WEFT_AUTO_ENGINES, WEFT_AUTO_LEVELS);

static bool add_model_coder(void)
{
    trace_config.model_coder = &weft_model_coder_tre;
    trace_config.model_coder_state = &engines;
    return weft_tre_pool_init(&engines, &engines_config) == WEFT_OK;
}
#else
static bool add_model_coder(void)
{
    return true;
}
#endif

#if defined(WEFT_AUTO_BUS_BFCM) || defined(WEFT_AUTO_BUS_TRE_BFCM)
#include "core/recorder_bfcm.h"

WEFT_BFCM_CODER_DEF(addresses, WEFT_AUTO_SLOTS);

static bool add_bus_coder(void)
{
    trace_config.bus_coder = &weft_bus_coder_bfcm;
    trace_config.bus_coder_state = &addresses;
    return weft_bfcm_coder_init(&addresses, &addresses_config) == WEFT_OK;
}
#else
static bool add_bus_coder(void)
{
    return true;
}
#endif

#if defined(WEFT_AUTO_VALUES_BFCM)
#include "core/recorder_bfcm.h"

WEFT_BFCM_CODER_DEF(values, WEFT_AUTO_VALUE_SLOTS);

static bool add_value_coder(void)
{
    trace_config.value_coder = &weft_value_coder_bfcm;
    trace_config.value_coder_state = &values;
    return weft_bfcm_coder_init(&values, &values_config) == WEFT_OK;
}
#else
static bool add_value_coder(void)
{
    return true;
}
#endif

/* The interrupt that records what takes long, so that tasks need little stack for it; -1: the probes do. Its handler's
 * name is that of the program's vector table. */
#ifndef WEFT_AUTO_IRQ
#ifdef WEFT_AUTO_BOARD
#define WEFT_AUTO_IRQ 31
#else
#define WEFT_AUTO_IRQ (-1)
#endif
#endif

#if WEFT_AUTO_IRQ >= 0
#ifndef WEFT_AUTO_IRQ_HANDLER
#define HANDLER_(number) IRQ##number##_Handler
#define HANDLER(number) HANDLER_(number)
#define WEFT_AUTO_IRQ_HANDLER HANDLER(WEFT_AUTO_IRQ)
#endif
void WEFT_AUTO_IRQ_HANDLER(void);

void WEFT_AUTO_IRQ_HANDLER(void)
{
    (void)weft_poll();
}

/* False: the vector table leads elsewhere. */
static bool start_worker(void)
{
    void (*const volatile *vectors)(void) = (void (*const volatile *)(void))(uintptr_t)WEFT_SCB_VTOR;
    if (vectors[16 + WEFT_AUTO_IRQ] != WEFT_AUTO_IRQ_HANDLER)
        return false;
    weft_irq_priority(WEFT_AUTO_IRQ, 0xc0);
    weft_irq_enable(WEFT_AUTO_IRQ);
    weft_poll_in(WEFT_AUTO_IRQ);
    return true;
}
#else
static bool start_worker(void)
{
    return true;
}
#endif

static weft_sink sink;

#ifdef WEFT_AUTO_BOARD

static void add_board(void)
{
    trace_config.note = TEXT(WEFT_AUTO_BOARD);
}

static void refuse(weft_status status)
{
    (void)status;
    weft_semihost_print("weft: the recorder's configuration cannot work\n");
    weft_semihost_exit(124);
}

static void report_broken(weft_status status)
{
    (void)status;
    weft_semihost_print("weft: the trace sink is broken; the trace is not complete\n");
}

#else

volatile weft_status weft_target_status;

/* Only a debugger calls weft_target_catch: named here, it is linked. */
static void add_board(void)
{
    __asm volatile("" : : "r"(weft_target_catch));
}

/* The program runs without its trace: there may be no debugger to say so to. */
static void refuse(weft_status status)
{
    weft_target_status = status;
}

static void report_broken(weft_status status)
{
    weft_target_status = status;
}

#endif

/* Names of threads, interrupts and events: 8 bytes each. */
#ifndef WEFT_AUTO_NAMES
#define WEFT_AUTO_NAMES 24
#endif
static weft_recorder_name_entry names[WEFT_AUTO_NAMES ? WEFT_AUTO_NAMES : 1];

static void open_sink(void);
static void close_sink(void);

#if defined(WEFT_AUTO_SINK_SEMIHOST)

/* The file is named on the emulator's command line: all after `weft-trace=`. */
static void open_sink(void)
{
    static weft_semihost_sink state;
    char text[BOARD_COMMAND_LINE_SIZE];
    weft_semihost_command_line(text, sizeof text);
    const char *name = strstr(text, "weft-trace=");
    sink = weft_semihost_sink_open(&state, name ? name + strlen("weft-trace=") : "trace.weft");
}

static void close_sink(void)
{
}

#elif defined(WEFT_AUTO_SINK_UART) || defined(WEFT_AUTO_SINK_UARTFIFO)

static weft_uart_sink uart_state;

/* uart: waits, so nothing is lost. uartfifo: at WEFT_AUTO_BAUD, refusing what the line cannot carry. */
static void open_sink(void)
{
    weft_board_uart.driver->init(weft_board_uart.base, weft_board_uart.clock_hz, WEFT_AUTO_BAUD);
#ifdef WEFT_AUTO_SINK_UARTFIFO
    static uint8_t fifo[WEFT_AUTO_FIFO];
    sink = weft_uart_sink_init(&uart_state, &weft_board_uart, fifo, sizeof fifo);
    weft_uart_sink_pace(&uart_state, &auto_clock, WEFT_AUTO_BAUD);
#else
    sink = weft_uart_sink_init(&uart_state, &weft_board_uart, NULL, 0);
#endif
}

static void close_sink(void)
{
    weft_uart_sink_drain(&uart_state);
}

#elif defined(WEFT_AUTO_SINK_HOOK)

static void open_sink(void)
{
    sink = weft_target_sink();
}

static void close_sink(void)
{
}

#elif defined(WEFT_AUTO_SINK_RTT)

#ifndef WEFT_AUTO_RTT
#define WEFT_AUTO_RTT 4096
#endif
#ifndef WEFT_AUTO_RTT_FLAGS
#define WEFT_AUTO_RTT_FLAGS WEFT_RTT_REFUSE
#endif
WEFT_RTT_DEF(WEFT_AUTO_RTT);

static void open_sink(void)
{
    weft_rtt_begin(&_SEGGER_RTT.block, 1);
    sink = weft_rtt_channel_open(&_SEGGER_RTT.block.up[0], weft_rtt_bytes, WEFT_AUTO_RTT, WEFT_AUTO_RTT_FLAGS);
}

static void close_sink(void)
{
    weft_rtt_channel_drain(&_SEGGER_RTT.block.up[0]);
}

#elif defined(WEFT_AUTO_SINK_ITM)

#if !WEFT_MAINLINE
#error "Cortex-M0, M0+ and M23 have no ITM: take another sink"
#endif
#ifndef WEFT_AUTO_ITM_PORT
#define WEFT_AUTO_ITM_PORT 1
#endif
static weft_itm_sink itm_state;

/* WEFT_AUTO_SWO_BAUD, WEFT_AUTO_SWO_HZ: no debugger sets the pin up. */
static void open_sink(void)
{
    sink = weft_itm_sink_init(&itm_state, WEFT_AUTO_ITM_PORT);
#ifdef WEFT_AUTO_SWO_BAUD
    weft_itm_swo_begin(&itm_state, WEFT_AUTO_SWO_HZ, WEFT_AUTO_SWO_BAUD);
#endif
}

static void close_sink(void)
{
}

#else /* WEFT_AUTO_SINK_RING */

/* The ring forgets the oldest frames, so what names contexts and events comes again and again. */
#define META_EVERY 8

#ifdef WEFT_AUTO_BOARD
WEFT_RAM_RING_DEF(weft_trace_ring, WEFT_AUTO_RING);
#else
/* In .bss: a linker script that knows no .noinit may give that memory to the heap as well. */
union {
    uint32_t words[(sizeof(weft_ram_ring) + (WEFT_AUTO_RING) + 3) / 4];
    weft_ram_ring ring;
} weft_trace_ring;
#endif

static void open_sink(void)
{
    weft_ram_ring_init(&weft_trace_ring.ring, sizeof weft_trace_ring);
    sink = weft_ram_ring_sink(&weft_trace_ring.ring);
}

static void close_sink(void)
{
}

#endif

#ifndef META_EVERY
#define META_EVERY 0
#endif

void weft_target_begin(void)
{
    add_board();
    auto_clock = auto_clock_start();
    trace_config.clock = &auto_clock;
    trace_config.time_base = auto_time_base;
    open_sink();
    trace_config.sink = &sink;
    trace_config.meta_every = META_EVERY;
    trace_config.names = names;
    trace_config.names_max = WEFT_AUTO_NAMES;
    trace_config.spare = SPARE;
    trace_config.probes =
        WEFT_PROBE_PATHS | (WEFT_AUTO_ACCESSES ? WEFT_PROBE_ACCESSES : 0) | (WEFT_AUTO_VALUES ? WEFT_PROBE_VALUES : 0);
    bool fit = start_worker() && add_control_coder() && add_model_coder() && add_bus_coder() && add_value_coder() &&
               add_profile();
    weft_status status = fit ? weft_start(&trace, &trace_config) : WEFT_CONFIG;
    if (status != WEFT_OK)
        refuse(status);
}

void weft_target_end(void)
{
    weft_status status = weft_stop_for_good();
    if (status != WEFT_OK)
        report_broken(status);
    close_sink();
}
