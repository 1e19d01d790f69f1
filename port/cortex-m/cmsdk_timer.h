/* SPDX-License-Identifier: MIT */
/* The timer of Arm's Cortex-M System Design Kit (DDI 0479, 4.4). */
#ifndef WEFT_PORT_CMSDK_TIMER_H
#define WEFT_PORT_CMSDK_TIMER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `base` is the address of the timer's registers. None of these functions can fail. */

/* Requests the timer's interrupt every `period` ticks, 2 or more, from now on. */
void weft_cmsdk_timer_start(uintptr_t base, uint32_t period);
/* Counts over all 32 bits from now on, without interrupts. */
void weft_cmsdk_timer_count(uintptr_t base);
/* Ticks since weft_cmsdk_timer_count, modulo 2^32. */
uint32_t weft_cmsdk_timer_ticks(uintptr_t base);
/* Clears the interrupt's request. */
void weft_cmsdk_timer_acknowledge(uintptr_t base);
/* Stops the timer and clears its request. */
void weft_cmsdk_timer_stop(uintptr_t base);

#ifdef __cplusplus
}
#endif

#endif
