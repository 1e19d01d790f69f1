/* SPDX-License-Identifier: MIT */
/* Emcraft's SmartFusion2 kit: UART 0 and timer 1 of the microcontroller, clocks as its design sets them: 142 MHz, half
 * of it for the devices. The design in the FPGA connects the pins. */
#include "boards/board.h"
#include "core/own.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/systick_clock.h"

#define SOFT_RESET WEFT_REGISTER(0x40038048)
#define TIMER1(offset) WEFT_REGISTER(0x40004000 + (offset))
enum { LOAD = 0x04, CONTROL = 0x0c, STATUS = 0x10, ENABLE = 1 << 0, INTERRUPT = 1 << 2 };
enum { RESET_TIMER = 1 << 6, RESET_UART0 = 1 << 7 };
enum { CORE_HZ = 142000000, DEVICE_HZ = CORE_HZ / 2 };

const uint32_t weft_board_hz = CORE_HZ;
const weft_uart weft_board_uart = {&weft_ns16550_uart, 0x40000000, DEVICE_HZ, 10};

void weft_board_init(void)
{
    SOFT_RESET &= ~(uint32_t)(RESET_TIMER | RESET_UART0);
}

weft_clock weft_board_clock(void)
{
    return weft_systick_clock(CORE_HZ);
}

weft_clock weft_board_timer_clock(void)
{
    return weft_board_clock();
}

void weft_board_timer_start(uint32_t hz)
{
    TIMER1(CONTROL) = 0;
    TIMER1(LOAD) = DEVICE_HZ / hz - 1;
    TIMER1(CONTROL) = ENABLE | INTERRUPT;
}

void weft_board_timer_acknowledge(void)
{
    TIMER1(STATUS) = 1;
}

void weft_board_timer_stop(void)
{
    TIMER1(CONTROL) = 0;
    TIMER1(STATUS) = 1;
}
