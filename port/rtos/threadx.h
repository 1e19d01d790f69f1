/* SPDX-License-Identifier: MIT */
/* ThreadX under Weft: include this in one C or C++ file of the application, and build ThreadX with
 * TX_ENABLE_EXECUTION_CHANGE_NOTIFY (in its assembler files too) and without its own tx_execution_profile.c. Then each
 * thread is a context of its own, by the name that it was created with, and interrupts that the port announces begin
 * and end with stamps of time (where a clock is chosen, port/cortex-m/stamps.h). Other handlers may announce themselves
 * by _tx_execution_isr_enter and _exit.
 *
 * Operations on queues, semaphores and mutexes are events with the object's address if the link has
 *     -Wl,--wrap=_tx_queue_send,--wrap=_tx_queue_receive,--wrap=_tx_semaphore_put,--wrap=_tx_semaphore_get
 *     -Wl,--wrap=_tx_mutex_put,--wrap=_tx_mutex_get
 * and WEFT_THREADX_OPERATIONS is defined before this header.
 *
 * Call weft_threadx_begin() after weft_start (with the recording from main on: at the end of tx_application_define);
 * the recorder's configuration needs room for names: one per thread, and seven for the events. Name threads that are
 * created later by weft_threadx_name. A thread's number is made of its address: right for 4 MB of RAM. */
#ifndef WEFT_PORT_THREADX_H
#define WEFT_PORT_THREADX_H

#include <tx_api.h>

#include "port/cortex-m/weft_target.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Linked where a clock is. */
extern void weft_stamp(void) __attribute__((weak));
extern TX_THREAD *_tx_thread_current_ptr, *_tx_thread_created_ptr;
extern ULONG _tx_thread_created_count;

/* Compiled without probes: they run in the middle of the kernel. */
#define WEFT_THREADX_HOOK __attribute__((no_instrument_function))

WEFT_THREADX_HOOK static inline uint32_t weft_threadx_number(const TX_THREAD *thread)
{
    return (uint32_t)((uintptr_t)thread >> 2) & 0xfffffu;
}

WEFT_THREADX_HOOK static inline void weft_threadx_name(TX_THREAD *thread)
{
    if (thread->tx_thread_name)
        (void)weft_thread_name(weft_threadx_number(thread), thread->tx_thread_name);
}

void _tx_execution_initialize(void);
void _tx_execution_thread_enter(void);
void _tx_execution_thread_exit(void);
void _tx_execution_isr_enter(void);
void _tx_execution_isr_exit(void);

WEFT_THREADX_HOOK void _tx_execution_initialize(void)
{
}

WEFT_THREADX_HOOK void _tx_execution_thread_enter(void)
{
    weft_thread_switch(weft_threadx_number(_tx_thread_current_ptr));
}

WEFT_THREADX_HOOK void _tx_execution_thread_exit(void)
{
    weft_thread_switch(WEFT_NO_THREAD);
}

WEFT_THREADX_HOOK void _tx_execution_isr_enter(void)
{
    if (weft_stamp)
        weft_stamp();
}

WEFT_THREADX_HOOK void _tx_execution_isr_exit(void)
{
    if (weft_stamp)
        weft_stamp();
}

enum {
    WEFT_THREADX_SEND = 0x5458000,
    WEFT_THREADX_RECEIVE,
    WEFT_THREADX_PUT,
    WEFT_THREADX_GET,
    WEFT_THREADX_UNLOCK,
    WEFT_THREADX_LOCK,
    WEFT_THREADX_FAILED
};

#ifdef WEFT_THREADX_OPERATIONS

WEFT_THREADX_HOOK static inline UINT weft_threadx_event(uint32_t id, const void *object, UINT status)
{
    weft_event(status == TX_SUCCESS ? id : (uint32_t)WEFT_THREADX_FAILED, (uint32_t)(uintptr_t)object);
    return status;
}

/* Calls the operation, then records its event. */
#define WEFT_THREADX_WRAP(function, id, object, parameters, arguments)                                                 \
    UINT __real_##function parameters;                                                                                 \
    UINT __wrap_##function parameters;                                                                                 \
    WEFT_THREADX_HOOK UINT __wrap_##function parameters                                                                \
    {                                                                                                                  \
        return weft_threadx_event(id, object, __real_##function arguments);                                            \
    }

WEFT_THREADX_WRAP(_tx_queue_send, WEFT_THREADX_SEND, queue, (TX_QUEUE * queue, VOID *from, ULONG wait),
                  (queue, from, wait))
WEFT_THREADX_WRAP(_tx_queue_receive, WEFT_THREADX_RECEIVE, queue, (TX_QUEUE * queue, VOID *to, ULONG wait),
                  (queue, to, wait))
WEFT_THREADX_WRAP(_tx_semaphore_put, WEFT_THREADX_PUT, semaphore, (TX_SEMAPHORE * semaphore), (semaphore))
WEFT_THREADX_WRAP(_tx_semaphore_get, WEFT_THREADX_GET, semaphore, (TX_SEMAPHORE * semaphore, ULONG wait),
                  (semaphore, wait))
WEFT_THREADX_WRAP(_tx_mutex_put, WEFT_THREADX_UNLOCK, mutex, (TX_MUTEX * mutex), (mutex))
WEFT_THREADX_WRAP(_tx_mutex_get, WEFT_THREADX_LOCK, mutex, (TX_MUTEX * mutex, ULONG wait), (mutex, wait))

#endif

/* After weft_start: names the events, and the threads that there are. */
static inline void weft_threadx_begin(void)
{
    static const char *const names[] = {"queue send %p",   "queue receive %p", "semaphore put %p",   "semaphore get %p",
                                        "mutex unlock %p", "mutex lock %p",    "operation failed %p"};
    TX_THREAD *thread = _tx_thread_created_ptr;
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        (void)weft_event_name(WEFT_THREADX_SEND + i, names[i]);
    for (ULONG i = 0; i < _tx_thread_created_count; i++, thread = thread->tx_thread_created_next)
        weft_threadx_name(thread);
}

#ifdef __cplusplus
}
#endif

#endif
