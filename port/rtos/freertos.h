/* SPDX-License-Identifier: MIT */
/* FreeRTOS under Weft: include this at the end of FreeRTOSConfig.h, with configUSE_TRACE_FACILITY 1. Then each task is
 * a context of its own, by the name that it was created with, and operations on queues, semaphores and mutexes (which
 * are queues) are events with the queue's address. Give the recorder's configuration room for names: one per task, and
 * six for the events (weft_freertos_begin). Interrupts that the kernel announces (from V11 on its tick, and where a
 * handler ends by portYIELD_FROM_ISR) begin and end with stamps of time, where a clock is chosen
 * (port/cortex-m/stamps.h). A handler may announce itself by traceISR_ENTER() and traceISR_EXIT().
 *
 * Task numbers are the kernel's uxTCBNumber: 1, 2, 3 in the order of creation. */
#ifndef WEFT_PORT_FREERTOS_H
#define WEFT_PORT_FREERTOS_H

#ifndef __ASSEMBLER__

#include "port/cortex-m/weft_target.h"

#if !defined(configUSE_TRACE_FACILITY) || configUSE_TRACE_FACILITY != 1
#error "port/rtos/freertos.h needs #define configUSE_TRACE_FACILITY 1 before it"
#endif

/* 1: operations are recorded, each of which takes some hundred instructions. 0: only tasks are. Range: 0 or 1. */
#ifndef WEFT_FREERTOS_OPERATIONS
#define WEFT_FREERTOS_OPERATIONS 1
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WEFT_FREERTOS_SEND = 0x4652000,
    WEFT_FREERTOS_SEND_FAILED,
    WEFT_FREERTOS_RECEIVE,
    WEFT_FREERTOS_RECEIVE_FAILED,
    WEFT_FREERTOS_BLOCKED_ON_SEND,
    WEFT_FREERTOS_BLOCKED_ON_RECEIVE
};

/* After weft_start: names the events. */
static inline void weft_freertos_begin(void)
{
    (void)weft_event_name(WEFT_FREERTOS_SEND, "queue send %p");
    (void)weft_event_name(WEFT_FREERTOS_SEND_FAILED, "queue send failed %p");
    (void)weft_event_name(WEFT_FREERTOS_RECEIVE, "queue receive %p");
    (void)weft_event_name(WEFT_FREERTOS_RECEIVE_FAILED, "queue receive failed %p");
    (void)weft_event_name(WEFT_FREERTOS_BLOCKED_ON_SEND, "blocked on queue send %p");
    (void)weft_event_name(WEFT_FREERTOS_BLOCKED_ON_RECEIVE, "blocked on queue receive %p");
}

/* Linked where a clock is. */
extern void weft_stamp(void) __attribute__((weak));
/* Compiled without probes: it runs in the middle of the kernel. */
__attribute__((no_instrument_function)) static inline void weft_freertos_stamp(void)
{
    if (weft_stamp)
        weft_stamp();
}

#ifdef __cplusplus
}
#endif

#define WEFT_FREERTOS_EVENT(id, queue) weft_event((id), (uint32_t)(uintptr_t)(queue))

/* The kernel's files expand these where the names are in scope. */
#define traceTASK_SWITCHED_IN() weft_thread_switch((uint32_t)pxCurrentTCB->uxTCBNumber)
#define traceTASK_CREATE(pxNewTCB) (void)weft_thread_name((uint32_t)(pxNewTCB)->uxTCBNumber, (pxNewTCB)->pcTaskName)
/* The name's memory goes with the task. Readers keep the name. */
#define traceTASK_DELETE(pxTCB) (void)weft_thread_name((uint32_t)(pxTCB)->uxTCBNumber, "")
#define traceISR_ENTER() weft_freertos_stamp()
#define traceISR_EXIT() weft_freertos_stamp()
#define traceISR_EXIT_TO_SCHEDULER() weft_freertos_stamp()
#if WEFT_FREERTOS_OPERATIONS
#define traceQUEUE_SEND(pxQueue) WEFT_FREERTOS_EVENT(WEFT_FREERTOS_SEND, pxQueue)
#define traceQUEUE_SEND_FAILED(pxQueue) WEFT_FREERTOS_EVENT(WEFT_FREERTOS_SEND_FAILED, pxQueue)
#define traceQUEUE_SEND_FROM_ISR(pxQueue) WEFT_FREERTOS_EVENT(WEFT_FREERTOS_SEND, pxQueue)
#define traceQUEUE_SEND_FROM_ISR_FAILED(pxQueue) WEFT_FREERTOS_EVENT(WEFT_FREERTOS_SEND_FAILED, pxQueue)
#define traceQUEUE_RECEIVE(pxQueue) WEFT_FREERTOS_EVENT(WEFT_FREERTOS_RECEIVE, pxQueue)
#define traceQUEUE_RECEIVE_FAILED(pxQueue) WEFT_FREERTOS_EVENT(WEFT_FREERTOS_RECEIVE_FAILED, pxQueue)
#define traceQUEUE_RECEIVE_FROM_ISR(pxQueue) WEFT_FREERTOS_EVENT(WEFT_FREERTOS_RECEIVE, pxQueue)
#define traceQUEUE_RECEIVE_FROM_ISR_FAILED(pxQueue) WEFT_FREERTOS_EVENT(WEFT_FREERTOS_RECEIVE_FAILED, pxQueue)
#define traceBLOCKING_ON_QUEUE_SEND(pxQueue) WEFT_FREERTOS_EVENT(WEFT_FREERTOS_BLOCKED_ON_SEND, pxQueue)
#define traceBLOCKING_ON_QUEUE_RECEIVE(pxQueue) WEFT_FREERTOS_EVENT(WEFT_FREERTOS_BLOCKED_ON_RECEIVE, pxQueue)
#endif

#endif

#endif
