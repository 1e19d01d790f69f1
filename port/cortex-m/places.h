/* SPDX-License-Identifier: MIT */
/* Where interrupts stand: when the recording goes over to an exception's handler, it also says at which instruction the
 * code stood that the exception interrupted, and a check sum of what the processor stacked (core/FORMAT.md, section 5,
 * `place` and `frame`).
 *
 *     weft_places();
 *     weft_start(&trace, &trace_config);
 *
 * A handler keeps its return value, EXC_RETURN, on its stack, above all else that it pushes. What the processor stacked
 * lies right above, or on the other stack if EXC_RETURN says so. It is looked for from the probe's frame upwards, among
 * WEFT_PLACES_WORDS words at most, and up to the stack's top in the vector table. So it is not found in a handler that
 * moves its stack pointer to align it, or uses more stack than that. What is found must be a frame of the code that is
 * interrupted now: of thread mode if no other exception is active (where the processor says that), else of an active
 * one. A place that is not found is not recorded.
 *
 * An old frame may lie in a handler's local variables before it writes them, and look the same. The check sum is there
 * to tell: a host that replays the program knows what must have been stacked.
 *
 * Each switch to a handler takes the long way then. Not with DELIVERY=ring. */
#ifndef WEFT_PORT_PLACES_H
#define WEFT_PORT_PLACES_H

#include "core/recorder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* words: of the stack that are looked at. Reasonable range 64 to 512: less time, or handlers with more variables */
#ifndef WEFT_PLACES_WORDS
#define WEFT_PLACES_WORDS 128u
#endif

/* Recordings that weft_start begins from now on have places. */
void weft_places(void);

#ifdef __cplusplus
}
#endif

#endif
