/* SPDX-License-Identifier: MIT */
/* How firmware adds Weft: it needs only the lines between the marks. */
#include <stdio.h>

/* [weft */
#include "boards/board.h"
#include "port/cortex-m/sinks.h"
#include "port/cortex-m/stamps.h"
#include "port/cortex-m/weft_target.h"

WEFT_RECORDER_DEF(trace, 1024, 256, 0); /* bytes of the frame buffer, slots for addresses, slots for values */
static weft_uart_sink uart;
static weft_sink sink;
static weft_clock ticks;

static void trace_begin(void)
{
    weft_board_uart.driver->init(weft_board_uart.base, weft_board_uart.clock_hz, 115200);
    sink = weft_uart_sink_init(&uart, &weft_board_uart, NULL, 0);
    ticks = weft_stamps_clock(weft_board_timer_clock(), 1024); /* each switch of context, each 1,024th path */
    trace_config.sink = &sink;
    trace_config.clock = &ticks;
    weft_start(&trace, &trace_config);
}
/* weft] */

static unsigned table[32];

int main(void)
{
    trace_begin(); /* weft */
    for (unsigned i = 2; i < 32; i++)
        table[i] = i % 3 ? table[i - 1] + i : table[i - 2] ^ i;
    weft_stop(); /* weft */
    printf("adding: %u\n", table[31]);
    return 0;
}
