/* SPDX-License-Identifier: MIT */
/* Stamps of time among the recorded events: after the first event of each stretch (a switch of context, of a thread or
 * by an interrupt), about every N paths, and wherever weft_stamp is called, which the compiler plugin does at entry and
 * exit of the functions that its option stamp=GLOB chooses. Frames say when they began and ended in any case.
 *
 *     clock = weft_stamps_clock(weft_dwt_clock(SystemCoreClock), 1024);
 *     trace_config.clock = &clock;
 *     trace_config.time_base = WEFT_TIME_CYCLES;
 *     weft_start(&trace, &trace_config);
 *
 * The time is that of the event, not of its recording: an event that waits in the ring takes its time along. Where
 * others come between an event and its place, its time is that of its place. So what was recorded between two stamps
 * ended between their times. Code without privilege masks nothing, and no mask holds back an NMI: the stamp after what
 * comes in between there may be earlier than that by its length. (Values, and events of the firmware's own, have no
 * room for a time: they count as made right after what stands before them.) Costs about 6 bytes per stamp, and nothing
 * at paths that take the fast way. */
#ifndef WEFT_PORT_STAMPS_H
#define WEFT_PORT_STAMPS_H

#include "hal/clock.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Gives the clock that the configuration names, and from the next weft_start on stamps are written, also every `paths`
 * paths; 0: not by number. `clock` is read in every context that may run probes, with interrupts masked or on, and it
 * is compiled without probes: those of this port allow that, but the registers of SysTick and DWT need privilege. A
 * clock without `now`: the same, and no stamps. */
weft_clock weft_stamps_clock(weft_clock clock, uint32_t paths);

/* A stamp here. Any context that may run probes; does nothing without weft_stamps_clock. Without room for it no
 * stamp is made, and nothing is counted. */
void weft_stamp(void);
/* What the plugin calls for its option stamp=. */
__attribute__((used)) void __weft_stamp(void);

#ifdef __cplusplus
}
#endif

#endif
