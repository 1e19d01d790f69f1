/* SPDX-License-Identifier: MIT */
/* Starts the recording when the kernel's services are there, before devices and threads of the application. Nothing
 * ends it: main is a thread among others. */
#include <zephyr/init.h>
#include <zephyr/irq.h>
#include <zephyr/kernel.h>
#if __has_include(<zephyr/version.h>)
#include <zephyr/version.h>
#else
#include <version.h>
#endif

#include "weft.h"

#ifdef CONFIG_TRACING_USER
#include "rtos/zephyr.h"

/* The linker's --wrap puts this in the place of the kernel's own, which may do nothing. */
void __wrap_sys_trace_k_thread_switched_in(void);

WEFT_ZEPHYR_HOOK __wrap_sys_trace_k_thread_switched_in(void)
{
    weft_zephyr_switched_in();
}
#else
#define weft_zephyr_begin()
#endif

#ifdef CONFIG_WEFT_WORKER
/* Defined by weft.c. The vector table leads to it, without the kernel's wrapper. */
void weft_zephyr_worker(void);

__attribute__((no_instrument_function)) static void connect_worker(void)
{
    IRQ_DIRECT_CONNECT(CONFIG_WEFT_WORKER_IRQ, 0, weft_zephyr_worker, 0);
}
#else
#define connect_worker()
#endif

#ifdef CONFIG_WEFT_WORKER_AUTO
#include <zephyr/sw_isr_table.h>

bool weft_zephyr_irq_free(unsigned irq);

/* Called by weft.c. All interrupts may lead to one wrapper, which looks into a table of the kernel's. One that is
 * connected directly does not lead there. */
__attribute__((no_instrument_function)) bool weft_zephyr_irq_free(unsigned irq)
{
    typedef void handler(void);
    handler *const *table = (handler *const *)(uintptr_t)WEFT_SCB_VTOR;
    if (irq >= CONFIG_NUM_IRQS)
        return false;
#ifdef CONFIG_GEN_SW_ISR_TABLE
    return table[16 + irq] == _isr_wrapper && _sw_isr_table[irq].isr == z_irq_spurious;
#else
    return table[16 + irq] == (handler *)z_irq_spurious;
#endif
}
#endif

#if KERNEL_VERSION_NUMBER >= 0x30400
#define NOTHING void
#else
#define NOTHING const struct device *unused
#endif

__attribute__((no_instrument_function)) static int begin(NOTHING)
{
    connect_worker();
    weft_target_begin();
    weft_zephyr_begin();
    return 0;
}
SYS_INIT(begin, POST_KERNEL, 0);
