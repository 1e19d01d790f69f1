/* SPDX-License-Identifier: MIT */
/* Records a whole program without a change to it: starts before main, and stops at exit or at a fault. The build
 * chooses sink, coder and sizes by the macros named here: port/app.mk for `make firmware`; packaging/weft.mk and its
 * kin for a program with a start-up of its own, which defines no WEFT_AUTO_BOARD
 * (port/cortex-m/program/around_main.c). */
#ifdef WEFT_AUTO_BOARD
#include "boards/board.h"
#endif
#include "core/own.h"
#include "port/cortex-m/places.h"
#include "port/cortex-m/program/auto_choices.h"
#include "port/cortex-m/program/auto_clock.h"
#include "port/cortex-m/program/auto_coders.h"
#include "port/cortex-m/program/auto_sink.h"
#include "port/cortex-m/program/auto_worker.h"
#include "port/cortex-m/program/runtime.h"
#include "port/cortex-m/semihost.h"
#include "port/cortex-m/weft_target.h"

#define TEXT_(name) #name
#define TEXT(name) TEXT_(name)

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
/* What weft_start would refuse at run time, when the report may reach no one. */
#define IS_POWER(count) (((count) & ((count)-1)) == 0)
_Static_assert(WEFT_AUTO_FRAME >= WEFT_RECORDER_BYTES_MIN, "WEFT_AUTO_FRAME is less than WEFT_RECORDER_BYTES_MIN");
_Static_assert(IS_POWER(WEFT_AUTO_SLOTS), "WEFT_AUTO_SLOTS is not a power of two");
_Static_assert(IS_POWER(WEFT_AUTO_VALUE_SLOTS), "WEFT_AUTO_VALUE_SLOTS is not a power of two");
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

void weft_target_begin(void)
{
    add_board();
    auto_clock = auto_clock_start();
    trace_config.clock = &auto_clock;
    trace_config.time_base = auto_time_base;
    auto_sink_open();
    trace_config.sink = &auto_sink;
    trace_config.meta_every = AUTO_META_EVERY;
    trace_config.names = names;
    trace_config.names_max = WEFT_AUTO_NAMES;
    trace_config.spare = SPARE;
    trace_config.probes = WEFT_PROBE_PATHS | (WEFT_AUTO_ACCESSES ? WEFT_PROBE_ACCESSES : 0) |
                          (WEFT_AUTO_VALUES ? WEFT_PROBE_VALUES : 0) | (WEFT_AUTO_INPUTS ? WEFT_PROBE_INPUTS : 0);
#ifdef WEFT_AUTO_PLACES
    weft_places();
#endif
    bool fit = auto_worker_start() && auto_add_coders(&trace_config);
    weft_status status = fit ? weft_start(&trace, &trace_config) : WEFT_CONFIG;
    if (status != WEFT_OK)
        refuse(status);
}

void weft_target_end(void)
{
    weft_status status = weft_stop_for_good();
    if (status != WEFT_OK)
        report_broken(status);
    auto_sink_close();
}
