/* SPDX-License-Identifier: MIT */
/* The clock of autostart.c, by macro:
 *
 *     WEFT_AUTO_CLOCK_DWT       the core's cycle counter (port/cortex-m/dwt_clock.h). Where it does not count: the
 *                               board's timer; without a board, none
 *     WEFT_AUTO_CLOCK_SYSTICK   SysTick, which is the program's: only read (weft_systick_follow)
 *     WEFT_AUTO_CLOCK_TIMER     a timer of the board
 *     WEFT_AUTO_CLOCK_HOOK      weft_target_clock(), which is the program's
 *     WEFT_AUTO_CLOCK_NONE      none
 *     none of these             boards have the clock that board.c says, for frames; other programs none
 *     WEFT_AUTO_STAMPS          paths between two stamps of time among the events (port/cortex-m/stamps.h); 0: only at
 *                               switches of context, and in functions that the plugin's stamp= names; undefined: frames
 *                               have the time, and nothing else
 *     WEFT_AUTO_CLOCK_HZ        what DWT and SysTick count in a second, where there is no board to ask; 0: not known */
#ifndef WEFT_PORT_AUTO_CLOCK_H
#define WEFT_PORT_AUTO_CLOCK_H

#ifdef WEFT_AUTO_BOARD
#include "boards/board.h"
#endif
#include "core/format.h"
#include "port/cortex-m/dwt_clock.h"
#include "port/cortex-m/program/runtime.h"
#include "port/cortex-m/stamps.h"
#include "port/cortex-m/systick_clock.h"

#ifndef WEFT_AUTO_CLOCK_HZ
#ifdef WEFT_AUTO_BOARD
#define WEFT_AUTO_CLOCK_HZ weft_board_hz
#else
#define WEFT_AUTO_CLOCK_HZ 0
#endif
#endif

static weft_clock auto_clock;
static uint8_t auto_time_base; /* weft_time_base; 0: not said */

#if defined(WEFT_AUTO_CLOCK_DWT)

static weft_clock auto_clock_chosen(void)
{
    weft_clock clock = weft_dwt_clock(WEFT_AUTO_CLOCK_HZ);
    auto_time_base = clock.now ? WEFT_TIME_CYCLES : 0;
#ifdef WEFT_AUTO_BOARD
    if (!clock.now) {
        clock = weft_board_timer_clock();
        auto_time_base = WEFT_TIME_TIMER;
    }
#endif
    return clock;
}

#elif defined(WEFT_AUTO_CLOCK_SYSTICK)

static weft_clock auto_clock_chosen(void)
{
    auto_time_base = WEFT_TIME_CYCLES;
    return weft_systick_follow(WEFT_AUTO_CLOCK_HZ);
}

#elif defined(WEFT_AUTO_CLOCK_HOOK)

static weft_clock auto_clock_chosen(void)
{
    auto_time_base = WEFT_TIME_OWN;
    return weft_target_clock();
}

#elif defined(WEFT_AUTO_CLOCK_TIMER)

static weft_clock auto_clock_chosen(void)
{
    auto_time_base = WEFT_TIME_TIMER;
    return weft_board_timer_clock();
}

#elif defined(WEFT_AUTO_BOARD) && !defined(WEFT_AUTO_CLOCK_NONE)

static weft_clock auto_clock_chosen(void)
{
    return weft_board_clock();
}

#else

static weft_clock auto_clock_chosen(void)
{
    return (weft_clock){NULL, NULL, 0};
}

#endif

static weft_clock auto_clock_start(void)
{
#ifdef WEFT_AUTO_STAMPS
    return weft_stamps_clock(auto_clock_chosen(), WEFT_AUTO_STAMPS);
#else
    return auto_clock_chosen();
#endif
}

#endif
