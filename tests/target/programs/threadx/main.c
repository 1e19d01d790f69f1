/* SPDX-License-Identifier: MIT */
/* The hooks of port/rtos/threadx.h. */
#include <stdio.h>

#define WEFT_THREADX_OPERATIONS
#include "port/cortex-m/cortexm.h"
#include "port/rtos/threadx.h"

enum { ROUNDS = 100 };
static TX_QUEUE queue;
static TX_SEMAPHORE items;
extern volatile ULONG kernel_ticks;

__attribute__((noinline)) static void produce(ULONG round)
{
    for (ULONG i = 0; i <= round % 5; i++) { /* a fifth does not fit */
        ULONG item = round + i;
        if (_tx_queue_send(&queue, &item, TX_NO_WAIT) == TX_SUCCESS)
            (void)_tx_semaphore_put(&items);
    }
}

__attribute__((noinline)) static ULONG consume(void)
{
    ULONG sum = 0, item;
    while (items.count) {
        (void)_tx_semaphore_get(&items, TX_NO_WAIT);
        (void)_tx_queue_receive(&queue, &item, TX_NO_WAIT);
        sum += item;
    }
    return sum;
}

int main(void)
{
    ULONG sum = 0;
    weft_threadx_begin();
    WEFT_SYST_RVR = 4000 - 1;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
    for (ULONG round = 0; round < ROUNDS; round++) {
        kernel_run(_tx_thread_created_ptr);
        produce(round);
        kernel_run(_tx_thread_created_ptr->tx_thread_created_next);
        sum += consume();
    }
    WEFT_SYST_CSR = 0;
    weft_thread_switch(WEFT_NO_THREAD);
    printf("sum %lu, %lu ticks\n", sum, kernel_ticks);
    return 0;
}
