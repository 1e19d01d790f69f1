/* SPDX-License-Identifier: MIT */
/* A short critical section, for what the port and its drivers share with interrupts. Only one can exist in a program,
 * so it is chosen at link time: the port defines both functions. */
#ifndef WEFT_HAL_CRITICAL_H
#define WEFT_HAL_CRITICAL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From enter to leave, no other context of this processor that may call the recorder runs. Sections nest, so one may be
 * entered with interrupts already masked. Both functions are compiler barriers, cost a few instructions, never wait,
 * and cannot fail. */

/* Begins a section. Returns the state that it found, which the matching leave needs. */
uint32_t weft_critical_enter(void);
/* Ends a section: restores exactly `state`, which the matching enter returned. */
void weft_critical_leave(uint32_t state);

#ifdef __cplusplus
}
#endif

#endif
