/* SPDX-License-Identifier: MIT */
/* Hundreds of threads that each live for a few time slices, on a handful of stacks that are used again. `plain`, `pair`
 * and `copy` have no protection; `masked`, `mutexed` and `alone` (of one thread only) need none. With PROTECTED the
 * first three are left out. */
#include <stdint.h>

#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/weft_target.h"

#ifndef CROWD
#define CROWD 300
#endif

enum { AT_ONCE = 6, STACK_WORDS = 96, SYSTICK = 15, PENDSV = 14, SLICE_CYCLES = 700, ROUNDS = 6 };

volatile uint32_t plain, masked, mutexed, alone;
volatile struct {
    uint32_t a, b;
} pair, copy;
static volatile uint32_t mutex, begun, ended, ticks;
static uint64_t stacks[AT_ONCE][STACK_WORDS / 2];
static uint32_t *saved[AT_ONCE + 1]; /* NULL: free; the last is main's */
static uint32_t number[AT_ONCE];
static uint32_t current = AT_ONCE;
static volatile uint32_t leaving; /* the current one has ended */

void SysTick_Handler(void);
void PendSV_Handler(void);
uint32_t *threads_next(uint32_t *stack);
int osMutexAcquire(volatile uint32_t *word);
int osMutexRelease(volatile uint32_t *word);

__attribute__((noinline)) int osMutexAcquire(volatile uint32_t *word)
{
    while (__atomic_exchange_n(word, 1, __ATOMIC_ACQUIRE))
        WEFT_SCB_ICSR = WEFT_ICSR_PENDSVSET;
    return 0;
}

__attribute__((noinline)) int osMutexRelease(volatile uint32_t *word)
{
    __atomic_store_n(word, 0, __ATOMIC_RELEASE);
    return 0;
}

static void thread(uint32_t who)
{
    for (uint32_t round = 0; round < ROUNDS; round++) {
#ifndef PROTECTED
        plain++;
        if (who & 1)
            pair.a = who, pair.b = round;
        else
            copy = pair;
#endif
        uint32_t primask = weft_mask_interrupts();
        masked++;
        weft_restore_interrupts(primask);
        osMutexAcquire(&mutex);
        mutexed++;
        osMutexRelease(&mutex);
        __asm("" : "+r"(who)); /* else a compiler may give thread 7 a loop of its own */
        if (who == 7)
            alone++;
    }
    weft_mask_interrupts();
    ended++;
    leaving = 1;
    WEFT_SCB_ICSR = WEFT_ICSR_PENDSVSET;
    weft_restore_interrupts(0);
    for (;;)
        weft_wait_for_interrupt();
}

void SysTick_Handler(void)
{
    ticks++;
    WEFT_SCB_ICSR = WEFT_ICSR_PENDSVSET;
}

static uint32_t *first_stack(uint32_t slot)
{
    uint32_t *frame = (uint32_t *)&stacks[slot][STACK_WORDS / 2] - 8;
    frame[0] = begun++;
    number[slot] = frame[0];
    frame[6] = (uint32_t)(uintptr_t)thread & ~1u;
    frame[7] = 1u << 24;
    return frame - 8;
}

/* Called by PendSV: the next one that lives; main, when all have ended. */
__attribute__((used, no_instrument_function)) uint32_t *threads_next(uint32_t *stack)
{
    saved[current] = leaving ? 0 : stack;
    leaving = 0;
    for (uint32_t slot = 0; slot < AT_ONCE; slot++)
        if (!saved[slot] && begun < CROWD)
            saved[slot] = first_stack(slot);
    uint32_t tried = 0;
    do
        current = current >= AT_ONCE - 1 ? 0 : current + 1;
    while (!saved[current] && ++tried < AT_ONCE);
    if (!saved[current])
        current = AT_ONCE;
    weft_thread_switch(current == AT_ONCE ? WEFT_NO_THREAD : number[current]);
    return saved[current];
}

__attribute__((naked, no_instrument_function)) void PendSV_Handler(void)
{
    __asm volatile("mrs r0, psp\n\tstmdb r0!, {r4-r11}\n\tpush {r2, lr}\n\tbl threads_next\n\t"
                   "ldmia r0!, {r4-r11}\n\tmsr psp, r0\n\tpop {r2, pc}");
}

/* Both stacks are at one place for a moment, so no interrupt may come. */
__attribute__((naked, noinline)) static void use_process_stack(void)
{
    __asm volatile("cpsid i\n\tmrs r0, msp\n\tmsr psp, r0\n\tmovs r1, #2\n\tmsr control, r1\n\tisb\n\t"
                   "sub r0, r0, #1024\n\tmsr msp, r0\n\tcpsie i\n\tbx lr");
}

int main(void)
{
    use_process_stack();
    weft_exception_priority(SYSTICK, 0x80);
    weft_exception_priority(PENDSV, 0xc0);
    WEFT_SYST_RVR = SLICE_CYCLES - 1;
    WEFT_SYST_CVR = 0;
    __asm volatile("" : : : "memory"); /* the switch finds the threads' stacks */
    WEFT_SYST_CSR = 7;
    while (ended < CROWD)
        weft_wait_for_interrupt();
    WEFT_SYST_CSR = 0;
    return masked != CROWD * ROUNDS || mutexed != CROWD * ROUNDS;
}
