/* SPDX-License-Identifier: MIT */
/* Whether a probe that is interrupted has recorded its event. The place of an interrupt within a probe is an address in
 * that probe (port/cortex-m/places.h). It does not tell whether the probe's event stands before the place in the
 * recording, or after it. Probes take most events by one store, or with interrupts masked: before that, the event comes
 * after the place. Else they say that it is *under way*, with a byte for each exception, from before interrupts are on
 * again until the event has its place in the recording. A byte, not a bit: it is stored with interrupts masked, so it
 * must take few instructions. */
#ifndef WEFT_PORT_UNDER_WAY_H
#define WEFT_PORT_UNDER_WAY_H

#include <stdbool.h>
#include <stdint.h>

#include "port/cortex-m/cortexm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* exceptions that the core may have */
#if defined(__ARM_ARCH_6M__)
#define WEFT_UNDER_WAY_SIZE 48u
#elif defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__) || defined(__ARM_ARCH_8M_BASE__)
#define WEFT_UNDER_WAY_SIZE 256u
#else
#define WEFT_UNDER_WAY_SIZE 496u
#endif
/* Whether the probe of an exception has an event under way; 0 stands for threads. In places.c, so linked where that
 * is. */
extern bool weft_under_way[WEFT_UNDER_WAY_SIZE] __attribute__((weak));

/* Says whether an event of the caller is under way. What interrupts this leaves the byte as it was. */
static inline void weft_note_under_way(bool is)
{
    if (weft_under_way)
        *(volatile bool *)&weft_under_way[weft_ipsr()] = is;
}

#ifdef __cplusplus
}
#endif

#endif
