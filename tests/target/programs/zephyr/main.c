/* SPDX-License-Identifier: MIT */
/* The hooks of port/rtos/zephyr.h, called by a kernel that only takes turns, as Zephyr calls its own. With
 * CONFIG_USE_SWITCH it announces threads as Zephyr 4.4 does on a Cortex-M. */
#include <stdio.h>

#include "port/cortex-m/cortexm.h"
#include "port/rtos/zephyr.h"

enum { ROUNDS = 100 };
static const k_timeout_t forever = {-1};
static struct k_thread threads[2] = {{.name = "Producer"}, {.name = "Consumer"}};
static struct k_cpu cpu;
struct k_cpu *const _current_cpu = &cpu;
struct z_kernel _kernel;
static struct k_msgq queue;
static struct k_sem items;
static volatile uint32_t ticks;

const char *k_thread_name_get(k_tid_t thread)
{
    return thread->name;
}

void k_thread_foreach(void (*use)(const struct k_thread *thread, void *own), void *own)
{
    use(&threads[0], own);
}

static void switch_to(struct k_thread *thread)
{
    _kernel.ready_q.cache = thread;
#ifdef CONFIG_USE_SWITCH
    sys_trace_thread_switched_out_user();
    cpu.current = thread;
#else
    cpu.current = thread;
    sys_trace_thread_switched_in_user();
#endif
}

static int put(uint32_t item)
{
    int status = queue.used == 4 ? -1 : 0;
    if (!status)
        queue.items[queue.used++] = item;
#ifdef CONFIG_USE_SWITCH
    if (item % 2) {
        sys_trace_k_msgq_put_front_exit_user(&queue, forever, status);
        return status;
    }
#endif
    sys_trace_k_msgq_put_exit_user(&queue, forever, status);
    return status;
}

static uint32_t get(void)
{
    uint32_t item = queue.items[--queue.used];
    sys_trace_k_msgq_get_exit_user(&queue, forever, 0);
    return item;
}

__attribute__((noinline)) static void produce(uint32_t round)
{
    for (uint32_t i = 0; i <= round % 5; i++) /* a fifth does not fit */
        if (put(round + i) == 0) {
            sys_trace_k_sem_give_enter_user(&items);
            items.count++;
        }
}

__attribute__((noinline)) static uint32_t consume(void)
{
    uint32_t sum = 0;
    while (items.count) {
        items.count--;
        sys_trace_k_sem_take_exit_user(&items, forever, 0);
        sum += get();
    }
    return sum;
}

void SysTick_Handler(void);
void SysTick_Handler(void)
{
    sys_trace_isr_enter_user();
    ticks++;
    sys_trace_isr_exit_user();
}

int main(void)
{
    uint32_t sum = 0;
    cpu.current = &threads[0];
    weft_zephyr_begin();
    sys_trace_thread_create_user(&threads[1]);
    WEFT_SYST_RVR = 4000 - 1;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        switch_to(&threads[0]);
        produce(round);
        switch_to(&threads[1]);
        sum += consume();
    }
    WEFT_SYST_CSR = 0;
    weft_thread_switch(WEFT_NO_THREAD);
    printf("sum %lu, %lu ticks\n", (unsigned long)sum, (unsigned long)ticks);
    return 0;
}
