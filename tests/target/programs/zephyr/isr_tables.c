/* SPDX-License-Identifier: MIT */
#ifdef CONFIG_NUM_IRQS /* a build of the kernel (CMakeLists.txt); `make firmware` of this folder has no interrupts */
/* A kernel with two threads, whose vectors lead to one wrapper. All interrupts are served but 5, 6 and 7. 6 is on; the
 * vector of 7 leads to a handler of its own. So only 5 is free; with FULL none is. */
#include <zephyr/kernel.h>
#include <zephyr/sw_isr_table.h>

#define NVIC_ISER (*(volatile uint32_t *)0xe000e100)

void direct_handler(void);
void sys_trace_k_thread_switched_in(void);

static struct k_thread threads[2] = {{.name = "first"}, {.name = "second"}};
static struct k_cpu cpu = {&threads[0]};
struct k_cpu *const _current_cpu = &cpu;

__attribute__((noreturn)) static void stop(void)
{
    for (;;)
        ;
}

void z_irq_spurious(const void *arg)
{
    (void)arg;
    stop();
}

static void driver(const void *arg)
{
    (void)arg;
}

void _isr_wrapper(void)
{
    stop();
}

void direct_handler(void)
{
    stop();
}

#ifdef FULL
#define FREE driver
#else
#define FREE z_irq_spurious
#endif
struct _isr_table_entry _sw_isr_table[CONFIG_NUM_IRQS] = {[0 ... 4] = {0, driver},
                                                          [5] = {0, FREE},
                                                          [6 ... 7] = {0, z_irq_spurious},
                                                          [8 ... CONFIG_NUM_IRQS - 1] = {0, driver}};

const char *k_thread_name_get(k_tid_t thread)
{
    return thread->name;
}

void k_thread_foreach(void (*use)(const struct k_thread *thread, void *own), void *own)
{
    use(&threads[0], own);
    use(&threads[1], own);
}

/* Before the recording starts. */
__attribute__((constructor(101))) static void turn_on(void)
{
    NVIC_ISER = 1u << 6;
}

/* After it. */
__attribute__((constructor(200))) static void switch_threads(void)
{
    cpu.current = &threads[1];
    sys_trace_k_thread_switched_in();
}

#endif
