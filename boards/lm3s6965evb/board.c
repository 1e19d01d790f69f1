/* SPDX-License-Identifier: MIT */
/* Stellaris LM3S6965 evaluation board: UART 0 on PA0 and PA1, general-purpose timer 0, 50 MHz from the PLL. */
#include "boards/board.h"
#include "core/own.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/systick_clock.h"

#define RIS WEFT_REGISTER(0x400fe050)
#define RCC WEFT_REGISTER(0x400fe060)
#define RCGC1 WEFT_REGISTER(0x400fe104)
#define RCGC2 WEFT_REGISTER(0x400fe108)
#define GPIOA_AFSEL WEFT_REGISTER(0x40004420)
#define GPIOA_DEN WEFT_REGISTER(0x4000451c)
#define TIMER0(offset) WEFT_REGISTER(0x40030000 + (offset))
enum { CFG = 0x00, TAMR = 0x04, CTL = 0x0c, IMR = 0x18, ICR = 0x24, TAILR = 0x28, PERIODIC = 2, TIMEOUT = 1 };
enum { RCC_BYPASS = 1 << 11, PLL_LOCKED = 1 << 6, CLOCK_HZ = 50000000 };

const uint32_t weft_board_hz = CLOCK_HZ;
const weft_uart weft_board_uart = {&weft_pl011_uart, 0x4000c000, CLOCK_HZ, 5};

/* The crystal runs at 8 MHz; the PLL's 200 MHz is divided by 4. */
void weft_board_init(void)
{
    RCC = 0x01c00380 | RCC_BYPASS;
    while (!(RIS & PLL_LOCKED))
        ;
    RCC &= ~(uint32_t)RCC_BYPASS;
    RCGC1 |= 1u << 0 | 1u << 16; /* UART 0, timer 0 */
    RCGC2 |= 1u << 0;            /* GPIO port A */
    GPIOA_AFSEL |= 3;
    GPIOA_DEN |= 3;
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
    TIMER0(CTL) = 0;
    TIMER0(CFG) = 0; /* 32 bits */
    TIMER0(TAMR) = PERIODIC;
    TIMER0(TAILR) = CLOCK_HZ / hz - 1;
    TIMER0(IMR) = TIMEOUT;
    TIMER0(CTL) = 1;
}

void weft_board_timer_acknowledge(void)
{
    TIMER0(ICR) = TIMEOUT;
}

void weft_board_timer_stop(void)
{
    TIMER0(CTL) = 0;
    TIMER0(ICR) = TIMEOUT;
}
