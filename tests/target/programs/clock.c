/* SPDX-License-Identifier: MIT */
/* Reports the time of TIMER 1 of the board as the value of an event, right where the event is recorded. Interrupted
 * by TIMER 0, and by SysTick, which belongs to the program. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "boards/board.h"
#include "port/cortex-m/cmsdk_timer.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/program/runtime.h"
#include "port/cortex-m/systick_clock.h"
#include "port/cortex-m/weft_target.h"
#include "port/cortex-m/wide_clock.h"

enum { TIMER_1 = 0x40001000, NOW = 1, ROUNDS = 400, SYSTICK_PERIOD = 3000 };

/* Ticks of TIMER 0 between its interrupts. */
#ifndef PERIOD
#define PERIOD 15000
#endif

void BOARD_TIMER_HANDLER(void);
void SysTick_Handler(void);

static volatile uint32_t timer_runs, systick_runs, bits;

#define UNTRACED __attribute__((noinline, no_instrument_function))

UNTRACED static uint32_t ticks(void)
{
    return weft_cmsdk_timer_ticks(TIMER_1);
}

/* CLOCK=hook. The first call starts the timer, if nothing has before. */
UNTRACED weft_clock weft_target_clock(void)
{
    static weft_wide wide;
    weft_cmsdk_timer_count(TIMER_1);
    return weft_wide_clock(&wide, ticks, weft_board_hz);
}

/* Nothing may come between reading the time and recording the event. */
UNTRACED static void say_time(void)
{
    uint32_t primask = weft_mask_interrupts(), now = ticks();
    weft_event(NOW, now);
    weft_restore_interrupts(primask);
}

__attribute__((noinline)) static uint32_t work(uint32_t amount)
{
    for (uint32_t i = 0; i < amount; i++)
        bits = bits >> 1 ^ (0xedb88320u & -(bits & 1)) ^ i;
    return bits;
}

void BOARD_TIMER_HANDLER(void)
{
    weft_board_timer_acknowledge();
    work(timer_runs++ % 32);
    say_time();
}

void SysTick_Handler(void)
{
#ifdef LATE /* as in a kernel's hook, which runs after the kernel's own work */
    work(systick_runs % 8);
#endif
#ifndef UNCOUNTED
    weft_systick_tick();
#endif
    systick_runs++;
}

/* The handler comes late: it is masked past the wrap, for another while each time. */
UNTRACED static void hold_systick(uint32_t round)
{
    uint32_t primask = weft_mask_interrupts();
    while (!(WEFT_SCB_ICSR & WEFT_ICSR_PENDSTSET))
        ;
    uint32_t since = ticks();
    while (ticks() - since < 60 * (round * 13 % 32))
        ;
    say_time();
    weft_restore_interrupts(primask);
}

int main(void)
{
    if (ticks() == UINT32_MAX) /* it stands still */
        weft_cmsdk_timer_count(TIMER_1);
    weft_irq_enable(BOARD_TIMER_IRQ);
    weft_board_timer_start(PERIOD);
    WEFT_SYST_RVR = SYSTICK_PERIOD - 1;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        work(round * 7 % 100);
        say_time();
#ifdef LATE
        hold_systick(round);
#endif
    }
    WEFT_SYST_CSR = 0;
    weft_board_timer_stop();
    printf("%lu and %lu interrupts, %08lx\n", (unsigned long)timer_runs, (unsigned long)systick_runs,
           (unsigned long)bits);
    return 0;
}
