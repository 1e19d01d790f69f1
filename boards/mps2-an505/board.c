/* SPDX-License-Identifier: MIT */
/* MPS2+, Cortex-M33 in secure state: UART 0 and TIMER 0 at their secure aliases, 20 MHz. */
#include "boards/board.h"
#include "core/own.h"
#include "port/cortex-m/cmsdk_timer.h"
#include "port/cortex-m/systick_clock.h"

enum { CLOCK_HZ = 20000000 };

const weft_uart weft_board_uart = {&weft_cmsdk_uart, 0x50200000, CLOCK_HZ, 32};

void weft_board_init(void)
{
}

weft_clock weft_board_clock(void)
{
    return weft_systick_clock(CLOCK_HZ);
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
