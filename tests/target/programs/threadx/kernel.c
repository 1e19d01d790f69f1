/* SPDX-License-Identifier: MIT */
/* A kernel that only takes turns, and calls the execution change hooks as ThreadX does. */
#include "tx_api.h"

static CHAR producer[] = "Producer", consumer[] = "Consumer";
static TX_THREAD threads[2] = {{1, producer, &threads[1]}, {2, consumer, &threads[0]}};
TX_THREAD *_tx_thread_current_ptr, *_tx_thread_created_ptr = threads;
ULONG _tx_thread_created_count = 2;

void _tx_execution_thread_enter(void);
void _tx_execution_thread_exit(void);
void _tx_execution_isr_enter(void);
void _tx_execution_isr_exit(void);
void SysTick_Handler(void);
volatile ULONG kernel_ticks;

void kernel_run(TX_THREAD *thread)
{
    if (_tx_thread_current_ptr)
        _tx_execution_thread_exit();
    _tx_thread_current_ptr = thread;
    _tx_execution_thread_enter();
}

UINT _tx_queue_send(TX_QUEUE *queue, VOID *from, ULONG wait)
{
    (void)wait;
    if (queue->used == 4)
        return TX_QUEUE_FULL;
    queue->items[queue->used++] = *(ULONG *)from;
    return TX_SUCCESS;
}

UINT _tx_queue_receive(TX_QUEUE *queue, VOID *to, ULONG wait)
{
    (void)wait;
    *(ULONG *)to = queue->items[--queue->used];
    return TX_SUCCESS;
}

UINT _tx_semaphore_put(TX_SEMAPHORE *semaphore)
{
    semaphore->count++;
    return TX_SUCCESS;
}

UINT _tx_semaphore_get(TX_SEMAPHORE *semaphore, ULONG wait)
{
    (void)wait;
    semaphore->count--;
    return TX_SUCCESS;
}

UINT _tx_mutex_put(TX_MUTEX *mutex)
{
    mutex->owned = 0;
    return TX_SUCCESS;
}

UINT _tx_mutex_get(TX_MUTEX *mutex, ULONG wait)
{
    (void)wait;
    mutex->owned = 1;
    return TX_SUCCESS;
}

void SysTick_Handler(void)
{
    _tx_execution_isr_enter();
    kernel_ticks++;
    _tx_execution_isr_exit();
}
