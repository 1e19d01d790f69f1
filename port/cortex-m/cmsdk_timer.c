/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/cmsdk_timer.h"
#include "core/own.h"

#include "port/cortex-m/cortexm.h"

#define CTRL WEFT_REGISTER(base + 0x0)
#define VALUE WEFT_REGISTER(base + 0x4)
#define RELOAD WEFT_REGISTER(base + 0x8)
#define INTCLEAR WEFT_REGISTER(base + 0xc)
enum { ENABLE = 1, INTERRUPT = 8 };

void weft_cmsdk_timer_start(uintptr_t base, uint32_t period)
{
    RELOAD = period - 1;
    VALUE = period - 1;
    CTRL = ENABLE | INTERRUPT;
}

void weft_cmsdk_timer_count(uintptr_t base)
{
    RELOAD = UINT32_MAX;
    VALUE = UINT32_MAX;
    CTRL = ENABLE;
}

/* The counter goes down. */
uint32_t weft_cmsdk_timer_ticks(uintptr_t base)
{
    return ~VALUE;
}

void weft_cmsdk_timer_acknowledge(uintptr_t base)
{
    INTCLEAR = 1;
}

void weft_cmsdk_timer_stop(uintptr_t base)
{
    CTRL = 0;
    INTCLEAR = 1;
}
