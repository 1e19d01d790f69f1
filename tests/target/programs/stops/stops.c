/* SPDX-License-Identifier: MIT */
/* A handler calls weft_stop while weft_poll is at work: with DELIVERY=ring, it interrupts the sink. Build with
 * SINK=uart. */
#include <stdio.h>

#include "boards/board.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/sinks.h"
#include "port/cortex-m/weft_target.h"

enum { IRQ = 20, NOT_CALLED = 99 };

void IRQ20_Handler(void);

WEFT_RECORDER_DEF(trace, 512, 16, 0);
static weft_uart_sink uart;
static weft_sink uart_sink, sink;
static volatile int stopped = NOT_CALLED;
static volatile uint32_t sum;

/* Called by the recorder, so it has no probes. */
static __attribute__((no_instrument_function)) weft_status write(void *context, const uint8_t *frame, size_t size)
{
    (void)context;
    if (stopped == NOT_CALLED && size > 100) {
        weft_irq_pend(IRQ);
        weft_barrier();
    }
    return uart_sink.write(uart_sink.context, frame, size);
}

void IRQ20_Handler(void)
{
    if (stopped == NOT_CALLED)
        stopped = weft_stop();
}

int main(void)
{
    weft_board_uart.driver->init(weft_board_uart.base, weft_board_uart.clock_hz, 115200);
    uart_sink = weft_uart_sink_init(&uart, &weft_board_uart, NULL, 0);
    sink.write = write;
    trace_config.sink = &sink;
    weft_irq_enable(IRQ);
    weft_start(&trace, &trace_config);
    for (uint32_t i = 0, random = 1; i < 3000; i++) { /* paths that cannot be predicted fill many frames */
        random = random * 1664525 + 1013904223;
        sum += random >> 31 ? i : 1;
    }
    int status = weft_stop();
    printf("stops: %d from the handler, %d at the end\n", stopped, status);
    return 0;
}
