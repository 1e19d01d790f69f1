/* SPDX-License-Identifier: MIT */
/* The cycle counter of the DWT as a clock of 64 bits. Cores of ARMv7-M and ARMv8-M mainline have it, but a vendor may
 * leave it out; Cortex-M0, M0+ and M23 do not; QEMU does not count. It has 32 bits: see port/cortex-m/wide_clock.h. In
 * most parts it stands still while the core sleeps (WFI), so the time of sleep is missing. */
#ifndef WEFT_PORT_DWT_CLOCK_H
#define WEFT_PORT_DWT_CLOCK_H

#include "hal/clock.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Enables the counter, unless it counts already, and does not reset it. `now` is NULL where none counts. */
weft_clock weft_dwt_clock(uint32_t hz);

#ifdef __cplusplus
}
#endif

#endif
