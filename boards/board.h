/* SPDX-License-Identifier: MIT */
/* What a board supplies. One C file defines all of it: boards/NAME/board.c, or the file that BOARD_SOURCE_NAME in
 * board.mk names. */
#ifndef WEFT_BOARDS_BOARD_H
#define WEFT_BOARDS_BOARD_H

#include "hal/clock.h"
#include "port/cortex-m/uart.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes kept of the emulator's command line. Boards with little RAM lower it in board.mk. */
#ifndef BOARD_COMMAND_LINE_SIZE
#define BOARD_COMMAND_LINE_SIZE 512
#endif

/* The UART that carries the trace; the interrupt workload also receives from it. Call its driver's init before any
 * other function of the driver. */
extern const weft_uart weft_board_uart;

/* Clocks and pins. Called once, before main and before the trace starts. */
void weft_board_init(void);
/* A clock for the frames, running from here on. */
weft_clock weft_board_clock(void);
/* The same, from a timer that nothing else uses, so that SysTick is left to the program. Where the emulator counts no
 * such timer, this is weft_board_clock. */
weft_clock weft_board_timer_clock(void);
/* Cycles of the core per second. */
extern const uint32_t weft_board_hz;

/* A timer beside SysTick, which the tests interrupt a program with. The program defines the handler,
 * BOARD_TIMER_HANDLER. BOARD_TIMER_IRQ, the interrupt's number, comes from board.mk. */
#define BOARD_IRQ_HANDLER_(n) IRQ##n##_Handler
#define BOARD_IRQ_HANDLER(n) BOARD_IRQ_HANDLER_(n)
#define BOARD_TIMER_HANDLER BOARD_IRQ_HANDLER(BOARD_TIMER_IRQ)
/* Starts the timer: from now on it requests its interrupt `hz` times a second. A period must be 2 ticks of the timer or
 * more, and fit it (microbit: 16 bits of 1 us, so 16 Hz or more); nothing checks that. The program enables the
 * interrupt itself, in the NVIC. */
void weft_board_timer_start(uint32_t hz);
/* Clears the request. The handler calls it once per interrupt: without it the handler is entered again at once. */
void weft_board_timer_acknowledge(void);
/* Stops the timer, and clears a request that the timer still makes. An interrupt that is pending in the NVIC still
 * comes. */
void weft_board_timer_stop(void);

#ifdef __cplusplus
}
#endif

#endif
