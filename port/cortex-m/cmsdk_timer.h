/* SPDX-License-Identifier: MIT */
/* The timer of Arm's Cortex-M System Design Kit (DDI 0479, 4.4). */
#ifndef WEFT_PORT_CMSDK_TIMER_H
#define WEFT_PORT_CMSDK_TIMER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Interrupts every `period` ticks, >= 2. */
void weft_cmsdk_timer_start(uintptr_t base, uint32_t period);
/* Counts freely over 32 bits without interrupts; weft_cmsdk_timer_ticks reads the count. */
void weft_cmsdk_timer_count(uintptr_t base);
uint32_t weft_cmsdk_timer_ticks(uintptr_t base);
void weft_cmsdk_timer_acknowledge(uintptr_t base);
void weft_cmsdk_timer_stop(uintptr_t base);

#ifdef __cplusplus
}
#endif

#endif
