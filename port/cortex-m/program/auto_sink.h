/* SPDX-License-Identifier: MIT */
/* The sink of autostart.c, by macro. port/cortex-m/sinks.h describes each.
 *
 *     WEFT_AUTO_SINK_SEMIHOST   a file of the host
 *     WEFT_AUTO_SINK_UART       a UART that waits, so nothing is lost
 *     WEFT_AUTO_SINK_UARTFIFO   a UART with a FIFO, at WEFT_AUTO_BAUD: refuses what the line cannot carry
 *     WEFT_AUTO_SINK_RTT        SEGGER's RTT, up-buffer 0
 *     WEFT_AUTO_SINK_ITM        a stimulus port of the ITM
 *     WEFT_AUTO_SINK_HOOK       the program's own: weft_target_sink
 *     else                      a ring in RAM
 *
 * Defines auto_sink; auto_sink_open before the recording, auto_sink_close after it. Only for autostart.c. */
#ifndef WEFT_PORT_AUTO_SINK_H
#define WEFT_PORT_AUTO_SINK_H

#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/program/auto_choices.h"
#include "port/cortex-m/program/auto_clock.h"
#include "port/cortex-m/program/runtime.h"
#include "port/cortex-m/semihost.h"
#include "port/cortex-m/sinks.h"

#include <string.h>

static weft_sink auto_sink;

#if defined(WEFT_AUTO_SINK_SEMIHOST)

/* The file is named on the emulator's command line: all after `weft-trace=`. */
static void auto_sink_open(void)
{
    static weft_semihost_sink state;
    char text[BOARD_COMMAND_LINE_SIZE];
    weft_semihost_command_line(text, sizeof text);
    const char *name = strstr(text, "weft-trace=");
    auto_sink = weft_semihost_sink_open(&state, name ? name + strlen("weft-trace=") : "trace.weft");
}

static void auto_sink_close(void)
{
}

#elif defined(WEFT_AUTO_SINK_UART) || defined(WEFT_AUTO_SINK_UARTFIFO)

static weft_uart_sink auto_uart;

/* uart: waits, so nothing is lost. uartfifo: at WEFT_AUTO_BAUD, refusing what the line cannot carry. */
static void auto_sink_open(void)
{
    weft_board_uart.driver->init(weft_board_uart.base, weft_board_uart.clock_hz, WEFT_AUTO_BAUD);
#ifdef WEFT_AUTO_SINK_UARTFIFO
    static uint8_t fifo[WEFT_AUTO_FIFO];
    auto_sink = weft_uart_sink_init(&auto_uart, &weft_board_uart, fifo, sizeof fifo);
    weft_uart_sink_pace(&auto_uart, &auto_clock, WEFT_AUTO_BAUD);
#else
    auto_sink = weft_uart_sink_init(&auto_uart, &weft_board_uart, NULL, 0);
#endif
}

static void auto_sink_close(void)
{
    weft_uart_sink_drain(&auto_uart);
}

#elif defined(WEFT_AUTO_SINK_HOOK)

static void auto_sink_open(void)
{
    auto_sink = weft_target_sink();
}

static void auto_sink_close(void)
{
}

#elif defined(WEFT_AUTO_SINK_RTT)

#ifndef WEFT_AUTO_RTT
#define WEFT_AUTO_RTT 4096
#endif
#ifndef WEFT_AUTO_RTT_FLAGS
#define WEFT_AUTO_RTT_FLAGS WEFT_RTT_REFUSE
#endif
WEFT_RTT_DEF(WEFT_AUTO_RTT);

static void auto_sink_open(void)
{
    weft_rtt_begin(&_SEGGER_RTT.block, 1);
    auto_sink = weft_rtt_channel_open(&_SEGGER_RTT.block.up[0], weft_rtt_bytes, WEFT_AUTO_RTT, WEFT_AUTO_RTT_FLAGS);
}

static void auto_sink_close(void)
{
    weft_rtt_channel_drain(&_SEGGER_RTT.block.up[0]);
}

#elif defined(WEFT_AUTO_SINK_ITM)

#if !WEFT_MAINLINE
#error "Cortex-M0, M0+ and M23 have no ITM: take another sink"
#endif
#ifndef WEFT_AUTO_ITM_PORT
#define WEFT_AUTO_ITM_PORT 1
#endif
static weft_itm_sink auto_itm;

/* WEFT_AUTO_SWO_BAUD, WEFT_AUTO_SWO_HZ: no debugger sets the pin up. */
static void auto_sink_open(void)
{
    auto_sink = weft_itm_sink_init(&auto_itm, WEFT_AUTO_ITM_PORT);
#ifdef WEFT_AUTO_SWO_BAUD
    weft_itm_swo_begin(&auto_itm, WEFT_AUTO_SWO_HZ, WEFT_AUTO_SWO_BAUD);
#endif
}

static void auto_sink_close(void)
{
}

#else /* WEFT_AUTO_SINK_RING */

/* The ring forgets the oldest frames, so what names contexts and events comes again and again. */
#define AUTO_META_EVERY 8

#ifdef WEFT_AUTO_BOARD
WEFT_RAM_RING_DEF(weft_trace_ring, WEFT_AUTO_RING);
#else
/* In .bss: a linker script that knows no .noinit may give that memory to the heap as well. */
union {
    uint32_t words[(sizeof(weft_ram_ring) + (WEFT_AUTO_RING) + 3) / 4];
    weft_ram_ring ring;
} weft_trace_ring;
#endif

static void auto_sink_open(void)
{
    weft_ram_ring_init(&weft_trace_ring.ring, sizeof weft_trace_ring);
    auto_sink = weft_ram_ring_sink(&weft_trace_ring.ring);
}

static void auto_sink_close(void)
{
}

#endif

#ifndef AUTO_META_EVERY
#define AUTO_META_EVERY 0
#endif

#endif
