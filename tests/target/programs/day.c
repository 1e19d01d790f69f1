/* SPDX-License-Identifier: MIT */
/* Two days of a device that keeps a profile: 100 rounds, then 50, in a function that never returns in between.
 * SysTick interrupts it. */
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/semihost.h"
#include "port/cortex-m/sinks.h"
#include "port/cortex-m/weft_profile.h"

#ifndef DAY_NODES
#define DAY_NODES 300
#endif
WEFT_PROFILE_DEF(day, 4, DAY_NODES);

static volatile unsigned level, ticks;

void SysTick_Handler(void);
void SysTick_Handler(void)
{
    ticks++;
    if (ticks % 4 == 0)
        level++;
}

__attribute__((noinline)) static unsigned step(unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n % 7; i++)
        sum += i & 1 ? level : n;
    return sum;
}

#ifdef DAY_TWO /* another profile from round 110 to 129, then the first one again */
WEFT_PROFILE_DEF(other, 4, DAY_NODES);
#endif

#ifdef DAY_MANY /* as many profiles begin and end in one call at round 110, while main waits */
static weft_status drop(void *context, const uint8_t *frame, size_t size)
{
    (void)context, (void)frame, (void)size;
    return WEFT_OK;
}

static weft_status many(const weft_sink *sink)
{
    static const weft_sink dropping = {NULL, drop};
    weft_status status = weft_stop();
    for (unsigned i = 0; i < DAY_MANY && status == WEFT_OK; i++) {
        status = weft_profile_begin(&day, &dropping, NULL);
        if (status == WEFT_OK)
            status = weft_stop();
    }
    return status == WEFT_OK ? weft_profile_begin(&day, sink, NULL) : status;
}
#endif

int main(void)
{
    static weft_semihost_sink state;
    unsigned sum = 0;
    weft_status status = weft_stop(); /* the recording that began before main */
    weft_sink sink = weft_semihost_sink_open(&state, "day.weft");
    if (status == WEFT_OK)
        status = weft_profile_begin(&day, &sink, NULL);
    WEFT_SYST_RVR = 1999;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
    for (unsigned round = 0; round < 150; round++) {
        sum += step(round);
        if (round % 100 == 99 && status == WEFT_OK)
            status = weft_profile_send(&day);
#ifdef DAY_TWO
        if (round == 109 && status == WEFT_OK)
            status = weft_stop();
        if (round == 109 && status == WEFT_OK)
            status = weft_profile_begin(&other, &sink, NULL);
        if (round == 129 && status == WEFT_OK)
            status = weft_profile_send(&day);
#endif
#ifdef DAY_MANY
        if (round == 109 && status == WEFT_OK)
            status = many(&sink);
#endif
    }
    WEFT_SYST_CSR = 0;
    if (status == WEFT_OK)
        status = weft_stop();
    return status == WEFT_OK ? (int)(sum & 0) : 1;
}
