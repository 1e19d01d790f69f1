/* SPDX-License-Identifier: MIT */
/* Code on the process stack that a handler interrupts, with and without floats in the frame; before it and after it the
 * main stack alone. The handler reads both stack pointers, as does what sets them. */
#include <stdint.h>
#include <stdio.h>

#include "port/cortex-m/cortexm.h"

enum { STACK_DOUBLES = 64, PUT_ASIDE = 64 };

void PendSV_Handler(void);

static uint64_t stack[STACK_DOUBLES];
static volatile uint32_t main_seen, process_seen, handled, total;
static volatile float level = 1.5f;

__attribute__((noinline)) static void look(uint32_t number)
{
    uint32_t main_stack, process_stack;
    __asm volatile("mrs %0, msp" : "=r"(main_stack));
    __asm volatile("mrs %0, psp" : "=r"(process_stack));
    main_seen = main_stack;
    process_seen = process_stack;
    handled += number;
}

void PendSV_Handler(void)
{
    volatile uint32_t kept[6] = {0};
    kept[handled % 6] = handled;
    look(kept[handled % 6] % 2 + 1);
    kept[0]++;
}

__attribute__((noinline)) static void interrupt(void)
{
    WEFT_SCB_ICSR = WEFT_ICSR_PENDSVSET;
    __asm volatile("dsb\n\tisb" ::: "memory");
}

__attribute__((noinline)) static uint32_t work(uint32_t number)
{
    volatile uint32_t kept[5] = {0};
    kept[number % 5] = number;
    if (number & 1)
        level = level * 2.0f + 1.0f;
    interrupt();
    return kept[number % 5] + 1;
}

/* The main stack pointer is set aside meanwhile, as a kernel does. */
__attribute__((naked, noinline)) static void use_process_stack(uint64_t *top)
{
    (void)top;
    __asm volatile("msr psp, r0\n\t"
                   "movs r1, #2\n\t"
                   "msr control, r1\n\t"
                   "isb\n\t"
                   "mrs r0, msp\n\t"
                   "sub r0, r0, %0\n\t"
                   "msr msp, r0\n\t"
                   "bx lr" ::"i"(PUT_ASIDE));
}

__attribute__((naked, noinline)) static void use_main_stack(void)
{
    __asm volatile("mrs r0, msp\n\t"
                   "add r0, r0, %0\n\t"
                   "msr msp, r0\n\t"
                   "movs r1, #0\n\t"
                   "msr control, r1\n\t"
                   "isb\n\t"
                   "bx lr" ::"i"(PUT_ASIDE));
}

__attribute__((noinline)) static void process(void)
{
    for (uint32_t number = 0; number < 4; number++)
        total += work(number);
}

int main(void)
{
    interrupt();
    use_process_stack(&stack[STACK_DOUBLES]);
    process();
    use_main_stack();
    interrupt();
    printf("%lu %lu %lu\n", (unsigned long)total, (unsigned long)handled, (unsigned long)(main_seen ^ process_seen));
    return 0;
}
