/* SPDX-License-Identifier: MIT */
/* SysTick as a clock of 64 bits. The counter has 24 bits; its wraps are counted at each reading and by the SysTick
 * interrupt, so none is lost as long as interrupts are not masked for a whole period (0.67 s at 25 MHz). Time never
 * runs backwards. There is one SysTick, so use one of the two clocks. */
#ifndef WEFT_PORT_SYSTICK_CLOCK_H
#define WEFT_PORT_SYSTICK_CLOCK_H

#include "hal/clock.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Starts SysTick and its interrupt at the full period, unless the program has started it already: then its period is
 * taken over. Readings clear SysTick's COUNTFLAG. */
weft_clock weft_systick_clock(uint32_t hz);

/* SysTick belongs to an RTOS or to the program. The clock only reads, and nothing that a reading changes (COUNTFLAG).
 * It stands still while SysTick is off, and loses up to a period when the owner sets another one. A wrap that no
 * weft_systick_tick counts is found by the next reading if that comes within a period. */
weft_clock weft_systick_follow(uint32_t hz);

/* Called by the default SysTick_Handler. A program with a SysTick_Handler of its own calls it there, first; with
 * FreeRTOS, in vApplicationTickHook. */
void weft_systick_tick(void);

#ifdef __cplusplus
}
#endif

#endif
