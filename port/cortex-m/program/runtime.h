/* SPDX-License-Identifier: MIT */
/* How start-up, faults and exit fit together, and the two hooks that a traced program fills in. */
#ifndef WEFT_PORT_RUNTIME_H
#define WEFT_PORT_RUNTIME_H

#include <stdbool.h>

#include "hal/clock.h"
#include "hal/sink.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The two hooks are weak and empty in the port. A program that starts the recorder itself leaves them alone;
 * port/cortex-m/program/autostart.c defines them for `make firmware`. */

/* Called once, before the constructors and main. */
void weft_target_begin(void);
/* Called once, at exit or at a fault. */
void weft_target_end(void);

/* Ends the trace and leaves the emulator; called by exit and by the fault handler. Calls of it never nest: a fault
 * while it runs leaves at once. */
void weft_target_exit(int code) __attribute__((noreturn));

/* A program with a start-up of its own, recorded without a change to it (WEFT_AUTO, port/cortex-m/program/autostart.c):
 * what the recorder said that could not start, or whose sink broke; 0: all went well. A debugger reads it. */
extern volatile weft_status weft_target_status;
/* Of such a program whose main is wrapped: its recording began, or was refused. Read by `weft capture`. */
extern volatile bool weft_target_begun;
/* For a debugger that has stopped such a program anywhere and puts the pc here, not inside an IT block: ends the
 * recording and comes to weft_target_done; or to weft_target_busy, in the middle of an event: then it restores the
 * registers, lets the program go on, and tries again. */
void weft_target_catch(void);
/* Does nothing: the debugger's breakpoint for that. */
void weft_target_busy(void);
/* Its way out, if WEFT_AUTO_SINK_HOOK chose a sink that the program supplies. Called once, by weft_target_begin. */
weft_sink weft_target_sink(void);
/* Its time, if WEFT_AUTO_CLOCK_HOOK says that the program has a clock of its own; weft_wide_clock
 * (port/cortex-m/wide_clock.h) makes one of a counter of 32 bits. Called once, by weft_target_begin, before main. It,
 * and what it gives, are compiled without probes or marked no_instrument_function. */
weft_clock weft_target_clock(void);

#ifdef __cplusplus
}
#endif

#endif
