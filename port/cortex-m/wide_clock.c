/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/wide_clock.h"
#include "core/own.h"

#include "hal/critical.h"

static uint64_t wide_now(void *context)
{
    weft_wide *wide = context;
    uint32_t state = weft_critical_enter();
    uint64_t now = wide->latest += (uint32_t)(wide->ticks() - (uint32_t)wide->latest);
    weft_critical_leave(state);
    return now;
}

weft_clock weft_wide_clock(weft_wide *state, uint32_t (*ticks)(void), uint32_t hz)
{
    *state = (weft_wide){ticks, ticks()};
    return (weft_clock){state, wide_now, hz};
}
