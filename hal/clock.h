/* SPDX-License-Identifier: MIT */
/* Time for the frames. */
#ifndef WEFT_HAL_CLOCK_H
#define WEFT_HAL_CLOCK_H

#include "core/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The contract of now: ticks since some start. It is never smaller than at an earlier call and does not wrap; a port
 * that has only a narrow counter widens it (port/cortex-m/wide_clock.h). Called once per frame; calls never overlap.
 * With stamps of time (port/cortex-m/stamps.h) handlers call it too, and may interrupt a call. */
typedef struct weft_clock {
    void *context;
    uint64_t (*now)(void *context);
    uint32_t hz; /* ticks per second; 0: unknown */
} weft_clock;

#ifdef __cplusplus
}
#endif

#endif
