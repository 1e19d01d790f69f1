/* SPDX-License-Identifier: MIT */
/* The firmware's own events and their names, in threads and in a handler that interrupts the probes. Uses the hooks
 * of FreeRTOS, on a kernel that only takes turns. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define configUSE_TRACE_FACILITY 1
#include "port/cortex-m/cortexm.h"
#include "port/rtos/freertos.h"

enum { TASKS = 2, ROUNDS = 200, LEVEL = 7, TICK = 8, SLICE = 20000 };

typedef struct task {
    uint32_t uxTCBNumber;
    char pcTaskName[8];
} task;

static task tasks[TASKS] = {{1, "Rx"}, {2, "Tx"}};
static task *pxCurrentTCB;
static uint32_t queue[4], used;
static volatile uint32_t ticks;

void SysTick_Handler(void);
void SysTick_Handler(void)
{
    traceISR_ENTER();
    ticks++;
    weft_event(TICK, ticks);
    traceISR_EXIT();
}

__attribute__((noinline)) static void send(uint32_t value)
{
    if (used == 4) {
        traceQUEUE_SEND_FAILED(queue);
        return;
    }
    queue[used++] = value;
    traceQUEUE_SEND(queue);
}

__attribute__((noinline)) static uint32_t receive(void)
{
    if (used == 0) {
        traceQUEUE_RECEIVE_FAILED(queue);
        return 0;
    }
    traceQUEUE_RECEIVE(queue);
    return queue[--used];
}

static void run(task *next)
{
    pxCurrentTCB = next;
    traceTASK_SWITCHED_IN();
}

int main(void)
{
    uint32_t sum = 0;
    weft_freertos_begin();
    weft_event_name(LEVEL, "level %u, %u");
    weft_event_name(TICK, "tick");
    for (int i = 0; i < TASKS; i++)
        traceTASK_CREATE(&tasks[i]);
    WEFT_SYST_RVR = SLICE - 1;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        run(&tasks[1]);
        for (uint32_t i = 0; i <= round % 6; i++)
            send(round + i);
        run(&tasks[0]);
        weft_event2(LEVEL, round, used);
        for (uint32_t i = 0; i < 5; i++)
            sum = sum * 31 + receive();
    }
    weft_thread_switch(WEFT_NO_THREAD);
    WEFT_SYST_CSR = 0;
    for (int i = 0; i < TASKS; i++) {
        traceTASK_DELETE(&tasks[i]);
        memset(tasks[i].pcTaskName, '?', sizeof tasks[i].pcTaskName - 1); /* another's memory now */
    }
    printf("sum %lu, %lu ticks\n", (unsigned long)sum, (unsigned long)ticks);
    return 0;
}
