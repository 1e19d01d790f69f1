/* SPDX-License-Identifier: MIT */
/* A counter of 32 bits as a clock of 64 bits: of a timer or a cycle counter that counts up and wraps at 2^32. It is
 * right as long as it is read at least once while the counter goes round (25 s at 168 MHz). Each frame and each stamp
 * reads it; a program that may record nothing for longer calls clock.now(clock.context) from any periodic handler. */
#ifndef WEFT_PORT_WIDE_CLOCK_H
#define WEFT_PORT_WIDE_CLOCK_H

#include "hal/clock.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_wide {
    uint32_t (*ticks)(void); /* the counter; any context may call it */
    uint64_t latest;
} weft_wide;

/* The state is the caller's and lives as long as the clock. Privileged code of any priority may read the clock. */
weft_clock weft_wide_clock(weft_wide *state, uint32_t (*ticks)(void), uint32_t hz);

#ifdef __cplusplus
}
#endif

#endif
