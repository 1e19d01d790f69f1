/* SPDX-License-Identifier: MIT */
/* MPS2+, Cortex-M3, M4 and M7: UART 0 and TIMER 0 of the CMSDK, 25 MHz. */
#include "boards/board.h"
#include "core/own.h"
#include "port/cortex-m/cmsdk_timer.h"
#include "port/cortex-m/systick_clock.h"

enum { CLOCK_HZ = 25000000 };

const weft_uart weft_board_uart = {&weft_cmsdk_uart, 0x40004000, CLOCK_HZ, 0};

void weft_board_init(void)
{
}

weft_clock weft_board_clock(void)
{
    return weft_systick_clock(CLOCK_HZ);
}

void weft_board_timer_start(uint32_t hz)
{
    weft_cmsdk_timer_start(0x40000000, CLOCK_HZ / hz);
}

void weft_board_timer_acknowledge(void)
{
    weft_cmsdk_timer_acknowledge(0x40000000);
}

void weft_board_timer_stop(void)
{
    weft_cmsdk_timer_stop(0x40000000);
}
