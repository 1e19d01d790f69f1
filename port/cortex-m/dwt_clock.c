/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/dwt_clock.h"
#include "core/own.h"

#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/wide_clock.h"

#define DEMCR WEFT_REGISTER(0xe000edfc)
#define DWT_CTRL WEFT_REGISTER(0xe0001000)
#define DWT_CYCCNT WEFT_REGISTER(0xe0001004)
#define DWT_LAR WEFT_REGISTER(0xe0001fb0) /* Cortex-M7: writes are ignored until it is unlocked */
enum { TRCENA = 1 << 24, CYCCNTENA = 1, NOCYCCNT = 1 << 25 };
#define LAR_KEY 0xc5acce55u

#if WEFT_MAINLINE

static uint32_t cycles(void)
{
    return DWT_CYCCNT;
}

/* Some parts, and QEMU, read registers that they lack as zero, so the counter exists only if it is seen to move. */
static bool counts(void)
{
    if (DWT_CTRL & NOCYCCNT)
        return false;
    uint32_t before = cycles();
    weft_barrier();
    return cycles() != before;
}

weft_clock weft_dwt_clock(uint32_t hz)
{
    static weft_wide wide;
    DEMCR |= TRCENA;
    weft_barrier();
    if (!(DWT_CTRL & CYCCNTENA)) {
        DWT_LAR = LAR_KEY;
        DWT_CTRL |= CYCCNTENA;
        weft_barrier();
    }
    return counts() ? weft_wide_clock(&wide, cycles, hz) : (weft_clock){NULL, NULL, 0};
}

#else

weft_clock weft_dwt_clock(uint32_t hz)
{
    (void)hz;
    return (weft_clock){NULL, NULL, 0};
}

#endif
