/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/systick_clock.h"
#include "core/own.h"

#include "hal/critical.h"
#include "port/cortex-m/cortexm.h"

enum { ENABLE = 1, INTERRUPT = 2, CLOCK_PROCESSOR = 4, COUNT_FLAG = 1 << 16, RELOAD_MAX = 0xffffff };

/* Linked where systick_follow.c is. False: that clock is not in use. */
extern bool weft_systick_count(void) __attribute__((weak));

/* Ticks of all wraps seen so far. There is one SysTick. */
static uint64_t wrapped;
static uint64_t latest;

/* The counter steps from 1 to 0 (COUNTFLAG is set there), then to the reload value. Reading CSR clears COUNTFLAG: if it
 * was set the counter is read again, surely after the wrap; a wrap after that is left for the next reading. */
static uint64_t read_locked(void)
{
    uint32_t period = WEFT_SYST_RVR + 1;
    uint32_t before = WEFT_SYST_CVR;
    if (WEFT_SYST_CSR & COUNT_FLAG) {
        wrapped += period;
        before = WEFT_SYST_CVR;
    }
    uint32_t elapsed = before ? period - before : 0;
    uint64_t now = wrapped + elapsed;
    if (now < latest)
        now = latest;
    return latest = now;
}

static uint64_t now(void *context)
{
    (void)context;
    uint32_t state = weft_critical_enter();
    uint64_t ticks = read_locked();
    weft_critical_leave(state);
    return ticks;
}

void weft_systick_tick(void)
{
    if (!weft_systick_count || !weft_systick_count())
        now(NULL);
}

weft_clock weft_systick_clock(uint32_t hz)
{
    wrapped = 0;
    latest = 0;
    if (!(WEFT_SYST_CSR & ENABLE)) {
        WEFT_SYST_RVR = RELOAD_MAX;
        WEFT_SYST_CVR = 0;
        WEFT_SYST_CSR = ENABLE | INTERRUPT | CLOCK_PROCESSOR;
    }
    return (weft_clock){NULL, now, hz};
}
