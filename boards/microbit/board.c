/* SPDX-License-Identifier: MIT */
/* BBC micro:bit. The nRF51822 has no SysTick (the emulator has one): TIMER 0 is the clock, TIMER 1 interrupts. */
#include "boards/board.h"
#include "core/own.h"
#include "port/cortex-m/cortexm.h"

#define TIMER(n, offset) WEFT_REGISTER(0x40008000 + 0x1000 * (n) + (offset))
enum {
    START = 0x000,
    STOP = 0x004,
    CLEAR = 0x00c,
    CAPTURE0 = 0x040,
    COMPARE0 = 0x140,
    SHORTS = 0x200,
    INTENSET = 0x304
};
enum { BITMODE = 0x508, PRESCALER = 0x510, CC0 = 0x540, COMPARE0_CLEAR = 1, COMPARE0_INTERRUPT = 1 << 16 };
enum { BITS_32 = 3, BITS_16 = 0, DIVIDE_BY_16 = 4, TIMER_HZ = 1000000, UART_CLOCK_HZ = 16000000 };
#define UART_PIN_TX WEFT_REGISTER(0x4000250c)
#define UART_PIN_RX WEFT_REGISTER(0x40002514)

const uint32_t weft_board_hz = UART_CLOCK_HZ;
const weft_uart weft_board_uart = {&weft_nrf51_uart, 0x40002000, UART_CLOCK_HZ, 2};

void weft_board_init(void)
{
    UART_PIN_TX = 24;
    UART_PIN_RX = 25;
}

/* 32 bits at 1 MHz: right when read at least every 71 minutes. */
static uint64_t now(void *context)
{
    static uint64_t wide;
    (void)context;
    TIMER(0, CAPTURE0) = 1;
    wide += (uint32_t)(TIMER(0, CC0) - (uint32_t)wide);
    return wide;
}

weft_clock weft_board_clock(void)
{
    TIMER(0, BITMODE) = BITS_32;
    TIMER(0, PRESCALER) = DIVIDE_BY_16;
    TIMER(0, CLEAR) = 1;
    TIMER(0, START) = 1;
    return (weft_clock){NULL, now, TIMER_HZ};
}

weft_clock weft_board_timer_clock(void)
{
    return weft_board_clock();
}

/* 16 bits at 1 MHz: 16 Hz at the slowest. */
void weft_board_timer_start(uint32_t hz)
{
    TIMER(1, BITMODE) = BITS_16;
    TIMER(1, PRESCALER) = DIVIDE_BY_16;
    TIMER(1, CC0) = TIMER_HZ / hz;
    TIMER(1, SHORTS) = COMPARE0_CLEAR;
    TIMER(1, INTENSET) = COMPARE0_INTERRUPT;
    TIMER(1, CLEAR) = 1;
    TIMER(1, START) = 1;
}

void weft_board_timer_acknowledge(void)
{
    TIMER(1, COMPARE0) = 0;
}

void weft_board_timer_stop(void)
{
    TIMER(1, STOP) = 1;
    TIMER(1, COMPARE0) = 0;
}
