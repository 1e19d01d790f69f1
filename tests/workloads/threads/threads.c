/* SPDX-License-Identifier: MIT */
/* A small pre-emptive scheduler: SysTick requests PendSV, which switches between two threads and main. PendSV calls
 * weft_thread_switch, as the port of an RTOS does. Threads use no floating point. */
#include <stdint.h>
#include <stdio.h>

#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/systick_clock.h"
#include "port/cortex-m/weft_target.h"

#ifndef ROUNDS
#define ROUNDS 40
#endif

enum { THREADS = 2, STACK_WORDS = 192, SYSTICK = 15, PENDSV = 14, SLICE_CYCLES = 15000 };

void SysTick_Handler(void);
void PendSV_Handler(void);
uint32_t *threads_next(uint32_t *stack);

static uint64_t stacks[THREADS][STACK_WORDS / 2];
static uint32_t *saved[THREADS + 1]; /* the last is main's */
static volatile uint32_t current = THREADS, done;
static volatile uint32_t results[THREADS];

/* Sums of divisors of 1 to 60, by trial. */
static uint32_t work(uint32_t seed)
{
    uint32_t sum = seed;
    for (uint32_t n = 1; n <= 60; n++)
        for (uint32_t d = 1; d <= n; d++)
            if (n % d == 0)
                sum = sum * 31 + d;
    return sum;
}

static void thread(uint32_t number)
{
    uint32_t sum = number;
    for (int round = 0; round < ROUNDS; round++)
        sum = work(sum);
    results[number] = sum;
    uint32_t primask = weft_mask_interrupts();
    done++;
    weft_restore_interrupts(primask);
    for (;;)
        weft_wait_for_interrupt();
}

void SysTick_Handler(void)
{
    weft_systick_tick();
    WEFT_SCB_ICSR = WEFT_ICSR_PENDSVSET;
}

/* Called by PendSV with the stack of the thread that it stopped. Returns the next thread's stack. */
__attribute__((used, no_instrument_function)) uint32_t *threads_next(uint32_t *stack)
{
    saved[current] = stack;
    current = current >= THREADS - 1 ? (done == THREADS ? THREADS : 0) : current + 1;
    weft_thread_switch(current == THREADS ? WEFT_NO_THREAD : current);
    return saved[current];
}

/* Every thread, main too, runs on the process stack, so all are switched alike. r4 to r11 go below the frame; where
 * there are floats, s16 to s31, which the core does not store, and EXC_RETURN, which says whether it stored the
 * others. */
#ifdef __ARM_FP
__attribute__((naked, no_instrument_function)) void PendSV_Handler(void)
{
    __asm volatile(".syntax unified\n\t"
                   "mrs r0, psp\n\t"
                   "tst lr, #16\n\t"
                   "it eq\n\t"
                   "vstmdbeq r0!, {s16-s31}\n\t"
                   "stmdb r0!, {r4-r11, lr}\n\t"
                   "bl threads_next\n\t"
                   "ldmia r0!, {r4-r11, lr}\n\t"
                   "tst lr, #16\n\t"
                   "it eq\n\t"
                   "vldmiaeq r0!, {s16-s31}\n\t"
                   "msr psp, r0\n\t"
                   "bx lr");
}
#else
__attribute__((naked, no_instrument_function)) void PendSV_Handler(void)
{
    __asm volatile(".syntax unified\n\t"
                   "mrs r0, psp\n\t"
                   "subs r0, #32\n\t"
                   "mov r3, r0\n\t"
                   "stmia r3!, {r4-r7}\n\t"
                   "mov r4, r8\n\tmov r5, r9\n\tmov r6, r10\n\tmov r7, r11\n\t"
                   "stmia r3!, {r4-r7}\n\t"
                   "push {r2, lr}\n\t"
                   "bl threads_next\n\t"
                   "mov r3, r0\n\t"
                   "adds r3, #16\n\t"
                   "ldmia r3!, {r4-r7}\n\t"
                   "mov r8, r4\n\tmov r9, r5\n\tmov r10, r6\n\tmov r11, r7\n\t"
                   "msr psp, r3\n\t"
                   "ldmia r0!, {r4-r7}\n\t"
                   "pop {r2, pc}");
}
#endif

/* The stack of a thread that was stopped before its first instruction. */
static uint32_t *first_stack(uint32_t number)
{
    uint32_t *top = (uint32_t *)&stacks[number][STACK_WORDS / 2];
    uint32_t *frame = top - 8;
    frame[0] = number;
    frame[5] = 0xffffffff; /* lr: threads do not return */
    frame[6] = (uint32_t)(uintptr_t)thread & ~1u;
    frame[7] = 1u << 24; /* xPSR: Thumb */
#ifdef __ARM_FP
    frame[-1] = 0xfffffffd; /* EXC_RETURN: thread mode, process stack, no floats */
    return frame - 9;
#else
    return frame - 8;
#endif
}

/* Thread mode changes to the process stack, which starts where the main stack was; the main stack goes on 1 KB below.
 * Both are at one place for a moment: a handler would then write over the frame of what it interrupted, so none may
 * come. */
__attribute__((naked, noinline, no_instrument_function)) static void use_process_stack(void)
{
    __asm volatile(".syntax unified\n\t"
                   "cpsid i\n\t"
                   "mrs r0, msp\n\t"
                   "msr psp, r0\n\t"
                   "movs r1, #2\n\t"
                   "msr control, r1\n\t"
                   "isb\n\t"
                   "ldr r1, =1024\n\t"
                   "subs r0, r0, r1\n\t"
                   "msr msp, r0\n\t"
                   "cpsie i\n\t"
                   "bx lr\n\t"
                   ".ltorg");
}

int main(void)
{
    use_process_stack();
    for (uint32_t number = 0; number < THREADS; number++)
        saved[number] = first_stack(number);
    /* Keeps the stores above before the timer's start: GCC 14 would move them past it. */
    __asm volatile("" ::: "memory");
    weft_exception_priority(SYSTICK, 0x80);
    weft_exception_priority(PENDSV, 0xc0);
    WEFT_SYST_RVR = SLICE_CYCLES - 1;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
    while (done < THREADS)
        weft_wait_for_interrupt();
    WEFT_SYST_CSR = 0;
    printf("threads: checksum %08lx\n", (unsigned long)(results[0] ^ results[1] * 31));
    return results[0] == 0;
}
