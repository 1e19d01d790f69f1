/* SPDX-License-Identifier: MIT */
/* Probes that no mask protects from interrupts: in a thread without privilege, whose cpsid does nothing, and in a
 * handler of NMI that interrupts a handler. The paths of each context have consecutive numbers, so that a decoder
 * sees what is missing. Build with SINK=uart and PROBES=none; the calls of the probes stand here. */
#include <stdio.h>

#include "boards/board.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/sinks.h"
#include "port/cortex-m/weft_target.h"

enum { THREAD_PATHS = 6000, HANDLER_PATHS = 4, TICK = 701, NMI_EVERY = 3, NMI_PENDING = 31 };

void SysTick_Handler(void);
void NMI_Handler(void);
void SVC_Handler(void);

WEFT_RECORDER_DEF(trace, 512, 16, 0);
static weft_uart_sink uart;
static weft_sink sink;
static volatile uint32_t ticks, nmis, in_thread, in_systick, in_nmi;

void NMI_Handler(void)
{
    nmis = nmis + 1;
    for (uint32_t i = 0; i < HANDLER_PATHS; i++) {
        __weft_path(in_nmi);
        in_nmi = in_nmi + 1;
    }
}

void SysTick_Handler(void)
{
    ticks = ticks + 1;
    for (uint32_t i = 0; i < HANDLER_PATHS; i++) {
        __weft_path(in_systick);
        in_systick = in_systick + 1;
        if (ticks % NMI_EVERY == 0 && i == 1)
            WEFT_SCB_ICSR = 1u << NMI_PENDING;
    }
}

/* Gives thread mode its privilege back. */
void SVC_Handler(void)
{
    __asm volatile("msr control, %0\n\tisb" : : "r"(0) : "memory");
}

static void give_up_privilege(void)
{
    __asm volatile("msr control, %0\n\tisb" : : "r"(1) : "memory");
}

int main(void)
{
    weft_board_uart.driver->init(weft_board_uart.base, weft_board_uart.clock_hz, 115200);
    sink = weft_uart_sink_init(&uart, &weft_board_uart, NULL, 0);
    trace_config.sink = &sink;
    weft_start(&trace, &trace_config);
    WEFT_SYST_RVR = TICK;
    WEFT_SYST_CVR = 0;
#ifndef CALM /* see app.mk */
    WEFT_SYST_CSR = 7;
#endif
    give_up_privilege();
    for (; in_thread < THREAD_PATHS; in_thread = in_thread + 1)
        __weft_path(in_thread);
    __asm volatile("svc 0" : : : "memory");
    WEFT_SYST_CSR = 0;
    int status = weft_stop();
    printf("unmasked: %u in the thread, %u in SysTick, %u in NMI, stop %d\n", (unsigned)in_thread, (unsigned)in_systick,
           (unsigned)in_nmi, status);
    return 0;
}
