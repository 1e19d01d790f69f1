/* SPDX-License-Identifier: MIT */
#include "core/own.h"
#include "port/cortex-m/systick_clock.h"

#include "hal/critical.h"
#include "port/cortex-m/cortexm.h"

bool weft_systick_count(void);

enum { SYSTICK = 15, SYSTICK_ACTIVE = 1 << 11 };

static uint64_t latest;

/* What the last reading of weft_systick_follow saw. */
static struct {
    uint32_t period, elapsed;
    uint32_t wraps;   /* counted by weft_systick_tick, and by readings that came before it */
    uint32_t counted; /* by weft_systick_tick */
    bool ticked;      /* weft_systick_tick was called in this run of the handler */
    uint64_t base;    /* ticks when `wraps` was 0 */
} followed;

/* The handler has begun, and may be interrupted now. On v6-M and the v8-M baseline only the exception that runs is
 * known, so a later run of the handler is told from this one by a reading in thread mode between them. */
static bool handler_began(void)
{
    uint32_t exception = weft_ipsr();
    bool began = exception == SYSTICK || (WEFT_MAINLINE && WEFT_SCB_SHCSR & SYSTICK_ACTIVE);
    if (WEFT_MAINLINE ? !began : !exception)
        followed.ticked = false;
    return began;
}

/* Steps:
 *   1. another period, or SysTick was started: go on from the latest time
 *   2. the handler began, and has not called weft_systick_tick yet; or the interrupt is pending: a wrap that is not
 *      counted yet. In the second case read again, surely after it
 *   3. the counter went back, but no wrap was counted: there was one */
static uint64_t follow_locked(void)
{
    bool began = handler_began();
    uint32_t period = WEFT_SYST_RVR + 1, value = WEFT_SYST_CVR;
    if (period != followed.period) { /* step 1 */
        followed.base = latest - (value ? period - value : 0);
        followed.period = period;
        followed.wraps = followed.counted = followed.elapsed = 0;
        followed.base -= began && !followed.ticked ? period : 0; /* that wrap is in the time before */
    }
    uint32_t wraps = followed.counted + (began && !followed.ticked);
    if (WEFT_SCB_ICSR & WEFT_ICSR_PENDSTSET) { /* step 2 */
        value = WEFT_SYST_CVR;
        wraps++;
    }
    uint32_t elapsed = value ? period - value : 0;
    if (wraps < followed.wraps)
        wraps = followed.wraps;
    if (wraps == followed.wraps && elapsed < followed.elapsed) /* step 3 */
        wraps++;
    followed.wraps = wraps;
    followed.elapsed = elapsed;
    uint64_t time = followed.base + (uint64_t)wraps * period + elapsed;
    return latest = time > latest ? time : latest;
}

static uint64_t follow(void *context)
{
    (void)context;
    uint32_t state = weft_critical_enter();
    uint64_t ticks = follow_locked();
    weft_critical_leave(state);
    return ticks;
}

/* A wrap that a reading has counted before is not counted again. */
bool weft_systick_count(void)
{
    uint32_t state = weft_critical_enter();
    bool following = followed.period;
    if (following) {
        followed.counted = followed.counted < followed.wraps ? followed.wraps : followed.counted + 1;
        followed.ticked = true;
    }
    weft_critical_leave(state);
    return following;
}

weft_clock weft_systick_follow(uint32_t hz)
{
    latest = 0;
    followed.period = 0;
    (void)follow_locked();
    return (weft_clock){NULL, follow, hz};
}
