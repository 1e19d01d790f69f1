/* SPDX-License-Identifier: MIT */
/* A short critical section, for what the port and its drivers share with interrupts. Only one can exist in a program,
 * so it is chosen at link time: the port defines both functions. */
#ifndef WEFT_HAL_CRITICAL_H
#define WEFT_HAL_CRITICAL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From enter to leave, no other context of this processor that may call the recorder runs. Sections nest: leave
 * restores exactly the state that the matching enter found and returned, so that one may be entered with interrupts
 * already masked. Both are compiler barriers. They cost a few instructions and never wait. */
uint32_t weft_critical_enter(void);
void weft_critical_leave(uint32_t state);

#ifdef __cplusplus
}
#endif

#endif
