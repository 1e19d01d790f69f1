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
