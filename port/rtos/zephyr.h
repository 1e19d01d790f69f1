/* SPDX-License-Identifier: MIT */
/* Zephyr under Weft, with CONFIG_TRACING=y and CONFIG_TRACING_USER=y. Weft's Zephyr module includes this and calls
 * weft_zephyr_begin; without the module, do so in one C or C++ file of the application. Then each thread is a context
 * of its own by its name (CONFIG_THREAD_NAME), interrupts begin and end with stamps of time (where a clock is chosen,
 * port/cortex-m/stamps.h), and operations on semaphores, mutexes and message queues are events with the object's
 * address, where the kernel has hooks for them (its tracing_user.h declares sys_trace_k_sem_give_enter_user; older ones
 * have threads and interrupts only). Without the module, kernels of 2022 and 2023 announce no threads where
 * CONFIG_UART_CONSOLE is set.
 *
 * The recorder's configuration needs room for names: one per thread, and nine for the events. A thread's number is made
 * of its address: right for 4 MB of RAM. */
#ifndef WEFT_PORT_ZEPHYR_H
#define WEFT_PORT_ZEPHYR_H

#include <zephyr/kernel.h>
#include <zephyr/kernel_structs.h>

#include "port/cortex-m/weft_target.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WEFT_ZEPHYR_GIVE = 0x5a45000,
    WEFT_ZEPHYR_TAKE,
    WEFT_ZEPHYR_TAKE_FAILED,
    WEFT_ZEPHYR_UNLOCK,
    WEFT_ZEPHYR_LOCK,
    WEFT_ZEPHYR_LOCK_FAILED,
    WEFT_ZEPHYR_PUT,
    WEFT_ZEPHYR_GET,
    WEFT_ZEPHYR_QUEUE_FAILED
};

/* Compiled without probes: they run in the middle of the kernel. */
#define WEFT_ZEPHYR_HOOK __attribute__((no_instrument_function)) void

/* Kernels differ in what they pass to these, and their headers declare it: names of their own here. */

/* A thread runs from now on. */
void weft_zephyr_switched_in(void) __asm__("sys_trace_thread_switched_in_user");
/* A thread runs no longer. */
void weft_zephyr_switched_out(void) __asm__("sys_trace_thread_switched_out_user");
/* A handler begins. */
void weft_zephyr_isr_enter(void) __asm__("sys_trace_isr_enter_user");
/* A handler ends. */
void weft_zephyr_isr_exit(void) __asm__("sys_trace_isr_exit_user");

/* Linked where a clock is. */
extern void weft_stamp(void) __attribute__((weak));

__attribute__((no_instrument_function)) static inline uint32_t weft_zephyr_number(const struct k_thread *thread)
{
    return (uint32_t)((uintptr_t)thread >> 2) & 0xfffffu;
}

__attribute__((no_instrument_function)) static inline void weft_zephyr_event(uint32_t id, const void *object)
{
    weft_event(id, (uint32_t)(uintptr_t)object);
}

WEFT_ZEPHYR_HOOK sys_trace_thread_name_set_user(struct k_thread *thread)
{
    const char *name = k_thread_name_get(thread);
    if (name && *name)
        (void)weft_thread_name(weft_zephyr_number(thread), name);
}

WEFT_ZEPHYR_HOOK sys_trace_thread_create_user(struct k_thread *thread)
{
    sys_trace_thread_name_set_user(thread);
}

/* The name's memory goes with the thread. Readers keep the name. */
WEFT_ZEPHYR_HOOK sys_trace_thread_abort_user(struct k_thread *thread)
{
    (void)weft_thread_name(weft_zephyr_number(thread), "");
}

/* Not k_current_get: with thread-local storage it is not set yet. */
WEFT_ZEPHYR_HOOK weft_zephyr_switched_in(void)
{
    weft_thread_switch(weft_zephyr_number(_current_cpu->current));
}

#if defined(CONFIG_USE_SWITCH) && !defined(CONFIG_SMP)
/* Cortex-M kernels with arch_switch announce which thread ends its turn, and only of main that one begins its own. The
 * next one is the first that is ready. */
WEFT_ZEPHYR_HOOK weft_zephyr_switched_out(void)
{
    weft_thread_switch(weft_zephyr_number(_kernel.ready_q.cache));
}
#endif

static inline void weft_zephyr_stamp(void)
{
    if (weft_stamp)
        weft_stamp();
}

WEFT_ZEPHYR_HOOK weft_zephyr_isr_enter(void)
{
    weft_zephyr_stamp();
}

WEFT_ZEPHYR_HOOK weft_zephyr_isr_exit(void)
{
    weft_zephyr_stamp();
}

WEFT_ZEPHYR_HOOK sys_trace_k_sem_give_enter_user(struct k_sem *sem)
{
    weft_zephyr_event(WEFT_ZEPHYR_GIVE, sem);
}

WEFT_ZEPHYR_HOOK sys_trace_k_sem_take_exit_user(struct k_sem *sem, k_timeout_t timeout, int ret)
{
    (void)timeout;
    weft_zephyr_event(ret ? WEFT_ZEPHYR_TAKE_FAILED : WEFT_ZEPHYR_TAKE, sem);
}

WEFT_ZEPHYR_HOOK sys_trace_k_mutex_unlock_enter_user(struct k_mutex *mutex)
{
    weft_zephyr_event(WEFT_ZEPHYR_UNLOCK, mutex);
}

WEFT_ZEPHYR_HOOK sys_trace_k_mutex_lock_exit_user(struct k_mutex *mutex, k_timeout_t timeout, int ret)
{
    (void)timeout;
    weft_zephyr_event(ret ? WEFT_ZEPHYR_LOCK_FAILED : WEFT_ZEPHYR_LOCK, mutex);
}

WEFT_ZEPHYR_HOOK sys_trace_k_msgq_put_exit_user(struct k_msgq *queue, k_timeout_t timeout, int ret)
{
    (void)timeout;
    weft_zephyr_event(ret ? WEFT_ZEPHYR_QUEUE_FAILED : WEFT_ZEPHYR_PUT, queue);
}

/* Current kernels put to the front of a queue, too. */
WEFT_ZEPHYR_HOOK sys_trace_k_msgq_put_front_exit_user(struct k_msgq *queue, k_timeout_t timeout, int ret)
{
    sys_trace_k_msgq_put_exit_user(queue, timeout, ret);
}

WEFT_ZEPHYR_HOOK sys_trace_k_msgq_get_exit_user(struct k_msgq *queue, k_timeout_t timeout, int ret)
{
    (void)timeout;
    weft_zephyr_event(ret ? WEFT_ZEPHYR_QUEUE_FAILED : WEFT_ZEPHYR_GET, queue);
}

#ifdef CONFIG_THREAD_MONITOR
__attribute__((no_instrument_function)) static void weft_zephyr_name(const struct k_thread *thread, void *nothing)
{
    (void)nothing;
    sys_trace_thread_name_set_user((struct k_thread *)thread);
}
#endif

/* After weft_start: names the events; with CONFIG_THREAD_MONITOR, the threads that there are already; and says which
 * thread runs. */
static inline void weft_zephyr_begin(void)
{
    static const char *const names[] = {"semaphore give %p", "semaphore take %p", "semaphore take failed %p",
                                        "mutex unlock %p",   "mutex lock %p",     "mutex lock failed %p",
                                        "queue put %p",      "queue get %p",      "queue operation failed %p"};
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        (void)weft_event_name(WEFT_ZEPHYR_GIVE + i, names[i]);
#ifdef CONFIG_THREAD_MONITOR
    k_thread_foreach(weft_zephyr_name, NULL);
#endif
    weft_zephyr_switched_in();
}

#ifdef __cplusplus
}
#endif

#endif
