/* SPDX-License-Identifier: MIT */
/* MPS3, Cortex-M55 in secure state: UART 0 and the timer of 32 kHz at their secure aliases, a core of 32 MHz. */
#include "boards/board.h"
#include "core/own.h"
#include "port/cortex-m/cmsdk_timer.h"
#include "port/cortex-m/systick_clock.h"

enum { CLOCK_HZ = 32000000, BUS_HZ = 25000000, TIMER_HZ = 32768, TIMER = 0x5802f000 };

const uint32_t weft_board_hz = CLOCK_HZ;
const weft_uart weft_board_uart = {&weft_cmsdk_uart, 0x59303000, BUS_HZ, 33};

void weft_board_init(void)
{
}

weft_clock weft_board_clock(void)
{
    return weft_systick_clock(CLOCK_HZ);
}

weft_clock weft_board_timer_clock(void)
{
    return weft_board_clock();
}

void weft_board_timer_start(uint32_t hz)
{
    weft_cmsdk_timer_start(TIMER, TIMER_HZ / hz ? TIMER_HZ / hz : 1);
}

void weft_board_timer_acknowledge(void)
{
    weft_cmsdk_timer_acknowledge(TIMER);
}

void weft_board_timer_stop(void)
{
    weft_cmsdk_timer_stop(TIMER);
}
