/* SPDX-License-Identifier: MIT */
/* What port/rtos/zephyr.h uses of Zephyr's kernel.h and tracing_user.h, for a kernel that only takes turns. */
#ifndef ZEPHYR_KERNEL_H
#define ZEPHYR_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#define CONFIG_THREAD_MONITOR 1

struct k_thread {
    uint32_t state[4];
    const char *name;
};
struct k_sem {
    unsigned count;
};
struct k_mutex {
    unsigned locked;
};
struct k_msgq {
    uint32_t items[4];
    unsigned used;
};
typedef struct k_timeout {
    int64_t ticks;
} k_timeout_t;
typedef struct k_thread *k_tid_t;

#ifdef __cplusplus
extern "C" {
#endif

const char *k_thread_name_get(k_tid_t thread);
struct k_cpu {
    k_tid_t current;
};
extern struct k_cpu *const _current_cpu;
struct z_kernel {
    struct {
        k_tid_t cache; /* runs next */
    } ready_q;
};
extern struct z_kernel _kernel;
void k_thread_foreach(void (*use)(const struct k_thread *thread, void *own), void *own);

void sys_trace_thread_create_user(struct k_thread *thread);
void sys_trace_thread_abort_user(struct k_thread *thread);
void sys_trace_thread_name_set_user(struct k_thread *thread);
void sys_trace_thread_switched_in_user(void);
void sys_trace_thread_switched_out_user(void);
void sys_trace_isr_enter_user(void);
void sys_trace_isr_exit_user(void);
void sys_trace_k_sem_give_enter_user(struct k_sem *sem);
void sys_trace_k_sem_take_exit_user(struct k_sem *sem, k_timeout_t timeout, int ret);
void sys_trace_k_mutex_unlock_enter_user(struct k_mutex *mutex);
void sys_trace_k_mutex_lock_exit_user(struct k_mutex *mutex, k_timeout_t timeout, int ret);
void sys_trace_k_msgq_put_exit_user(struct k_msgq *queue, k_timeout_t timeout, int ret);
void sys_trace_k_msgq_put_front_exit_user(struct k_msgq *queue, k_timeout_t timeout, int ret);
void sys_trace_k_msgq_get_exit_user(struct k_msgq *queue, k_timeout_t timeout, int ret);

#ifdef __cplusplus
}
#endif

#endif
