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
    uint64_t base;    /* ticks when `wraps` began to be what it is */
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

/* Step 1, which is rare: out of line, so that the rest needs few registers. `back`: ticks from when no wrap was counted
 * to the latest time, below 2^25. */
static __attribute__((noinline)) void set_period(uint32_t period, uint32_t back)
{
    followed.period = period;
    followed.wraps = followed.counted = followed.elapsed = 0;
    followed.base = latest - back;
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
    bool wrapped = began && !followed.ticked;
    if (period != followed.period) /* step 1; that wrap is in the time before */
        set_period(period, (value ? period - value : 0) + (wrapped ? period : 0));
    uint32_t wraps = followed.counted + wrapped;
    if (WEFT_SCB_ICSR & WEFT_ICSR_PENDSTSET) { /* step 2 */
        value = WEFT_SYST_CVR;
        wraps++;
    }
    uint32_t elapsed = value ? period - value : 0;
    if (wraps < followed.wraps)
        wraps = followed.wraps;
    if (wraps == followed.wraps && elapsed < followed.elapsed) /* step 3 */
        wraps++;
    /* At most two more, of at most 2^24 ticks: what weft_systick_tick counts is in followed.wraps already. */
    followed.base += (wraps - followed.wraps) * period;
    followed.wraps = wraps;
    followed.elapsed = elapsed;
    uint64_t time = followed.base + elapsed;
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
        if (followed.counted == followed.wraps) {
            followed.wraps++;
            followed.base += followed.period;
            followed.elapsed = 0;
        }
        followed.counted = followed.wraps;
        followed.ticked = true;
    }
    weft_critical_leave(state);
    return following;
}

weft_clock weft_systick_follow(uint32_t hz)
{
    latest = 0;
    followed.period = 0;
    (void)follow(NULL);
    return (weft_clock){NULL, follow, hz};
}
