/* SPDX-License-Identifier: MIT */
/* Netduino Plus 2, STM32F405: USART 1 on PA9 and PA10, TIM 2. Clocks as the emulator models them after reset (168 MHz
 * core, 84 MHz buses); on the board itself the PLL has to be started first. */
#include "boards/board.h"
#include "core/own.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/systick_clock.h"

#define RCC_AHB1ENR WEFT_REGISTER(0x40023830)
#define RCC_APB1ENR WEFT_REGISTER(0x40023840)
#define RCC_APB2ENR WEFT_REGISTER(0x40023844)
#define GPIOA_MODER WEFT_REGISTER(0x40020000)
#define GPIOA_AFRH WEFT_REGISTER(0x40020024)
#define TIM2(offset) WEFT_REGISTER(0x40000000 + (offset))
enum { CR1 = 0x00, DIER = 0x0c, SR = 0x10, EGR = 0x14, PSC = 0x28, ARR = 0x2c };
enum { CORE_HZ = 168000000, BUS_HZ = 84000000 };

const uint32_t weft_board_hz = CORE_HZ;
const weft_uart weft_board_uart = {&weft_stm32_usart, 0x40011000, BUS_HZ, 37};

void weft_board_init(void)
{
    RCC_AHB1ENR |= 1u << 0; /* GPIOA */
    RCC_APB1ENR |= 1u << 0; /* TIM2 */
    RCC_APB2ENR |= 1u << 4; /* USART1 */
    GPIOA_MODER = (GPIOA_MODER & ~(15u << 18)) | 10u << 18;
    GPIOA_AFRH = (GPIOA_AFRH & ~(0xffu << 4)) | 0x77u << 4;
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
    TIM2(PSC) = 0;
    TIM2(ARR) = BUS_HZ / hz - 1;
    TIM2(EGR) = 1;
    TIM2(SR) = 0;
    TIM2(DIER) = 1;
    TIM2(CR1) = 1;
}

void weft_board_timer_acknowledge(void)
{
    TIM2(SR) = 0;
}

void weft_board_timer_stop(void)
{
    TIM2(CR1) = 0;
    TIM2(SR) = 0;
}
