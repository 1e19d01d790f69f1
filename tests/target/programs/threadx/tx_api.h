/* SPDX-License-Identifier: MIT */
/* What port/rtos/threadx.h uses of ThreadX's tx_api.h, for a kernel that only takes turns. */
#ifndef TX_API_H
#define TX_API_H

#include <stddef.h>
#include <stdint.h>

#define VOID void
#define TX_SUCCESS 0
#define TX_QUEUE_FULL 11
#define TX_NO_WAIT 0
typedef unsigned UINT;
typedef unsigned long ULONG;
typedef char CHAR;

typedef struct TX_THREAD_STRUCT {
    ULONG tx_thread_id;
    CHAR *tx_thread_name;
    struct TX_THREAD_STRUCT *tx_thread_created_next;
} TX_THREAD;
typedef struct TX_QUEUE_STRUCT {
    ULONG items[4];
    UINT used;
} TX_QUEUE;
typedef struct TX_SEMAPHORE_STRUCT {
    ULONG count;
} TX_SEMAPHORE;
typedef struct TX_MUTEX_STRUCT {
    UINT owned;
} TX_MUTEX;

UINT _tx_queue_send(TX_QUEUE *queue, VOID *from, ULONG wait);
UINT _tx_queue_receive(TX_QUEUE *queue, VOID *to, ULONG wait);
UINT _tx_semaphore_put(TX_SEMAPHORE *semaphore);
UINT _tx_semaphore_get(TX_SEMAPHORE *semaphore, ULONG wait);
UINT _tx_mutex_put(TX_MUTEX *mutex);
UINT _tx_mutex_get(TX_MUTEX *mutex, ULONG wait);
void kernel_run(TX_THREAD *thread);

#endif
