/* SPDX-License-Identifier: MIT */
/* MPS2+, Cortex-M33 in secure state: UART 0 and TIMER 0 at their secure aliases, 20 MHz. */
#include "boards/board.h"
#include "core/own.h"
#include "port/cortex-m/cmsdk_timer.h"
#include "port/cortex-m/systick_clock.h"
#include "port/cortex-m/wide_clock.h"

enum { CLOCK_HZ = 20000000 };

const uint32_t weft_board_hz = CLOCK_HZ;
const weft_uart weft_board_uart = {&weft_cmsdk_uart, 0x50200000, CLOCK_HZ, 32};

void weft_board_init(void)
{
}

weft_clock weft_board_clock(void)
{
    return weft_systick_clock(CLOCK_HZ);
}

static uint32_t timer_1(void)
{
    return weft_cmsdk_timer_ticks(0x50001000);
}

weft_clock weft_board_timer_clock(void)
{
    static weft_wide wide;
    weft_cmsdk_timer_count(0x50001000);
    return weft_wide_clock(&wide, timer_1, CLOCK_HZ);
}

void weft_board_timer_start(uint32_t hz)
{
    weft_cmsdk_timer_start(0x50000000, CLOCK_HZ / hz);
}

void weft_board_timer_acknowledge(void)
{
    weft_cmsdk_timer_acknowledge(0x50000000);
}

void weft_board_timer_stop(void)
{
    weft_cmsdk_timer_stop(0x50000000);
}
