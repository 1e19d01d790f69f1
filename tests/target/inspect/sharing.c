/* SPDX-License-Identifier: MIT */
/* Two threads share words, switched by PendSV after each SysTick. `plain` and `bare` have no protection. Neither have
 * `signalled` and `refused`, though they stand after functions that take locks, nor `one_sided`, since one thread does
 * not take its lock. The others have some. */
#include <stdint.h>

#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/weft_target.h"

enum { THREADS = 2, STACK_WORDS = 128, SYSTICK = 15, PENDSV = 14, SLICE_CYCLES = 1500, ROUNDS = 200 };

typedef struct record {
    uint32_t a, b, c;
} record;

static volatile record guarded, bare, copy; /* one thread writes them, the other reads */
volatile uint32_t plain, masked, atomic, locked, mutexed, signalled, refused, unswitched, semaphored, one_sided;
static volatile uint32_t lock, mutex, semaphore, signal, busy = 1, done, suspended, put_off;
static uint64_t stacks[THREADS][STACK_WORDS / 2];
static uint32_t *saved[THREADS + 1]; /* the last is main's */
static uint32_t current = THREADS;

void SysTick_Handler(void);
void PendSV_Handler(void);
uint32_t *threads_next(uint32_t *stack);
void take_lock(volatile uint32_t *word);
void give_lock(volatile uint32_t *word);
int osMutexAcquire(volatile uint32_t *word);
int osMutexRelease(volatile uint32_t *word);
int osSemaphoreAcquire(volatile uint32_t *word);
int osMutexWait(volatile uint32_t *word);
int xQueueSemaphoreTake(volatile uint32_t *word, uint32_t ticks);
int xQueueGenericSend(volatile uint32_t *word, const void *item, uint32_t ticks, int where);

__attribute__((noinline)) void take_lock(volatile uint32_t *word)
{
    while (__atomic_exchange_n(word, 1, __ATOMIC_ACQUIRE))
        WEFT_SCB_ICSR = WEFT_ICSR_PENDSVSET;
}

__attribute__((noinline)) void give_lock(volatile uint32_t *word)
{
    __atomic_store_n(word, 0, __ATOMIC_RELEASE);
}

__attribute__((noinline)) int osMutexAcquire(volatile uint32_t *word)
{
    take_lock(word);
    return 0;
}

__attribute__((noinline)) int osMutexRelease(volatile uint32_t *word)
{
    give_lock(word);
    return 0;
}

/* A semaphore that only signals: nobody gives it back. */
__attribute__((noinline)) int osSemaphoreAcquire(volatile uint32_t *word)
{
    (void)*word;
    return 0;
}

/* Does not get what another has, and does not wait. */
__attribute__((noinline)) int osMutexWait(volatile uint32_t *word)
{
    return *word ? -1 : 0;
}

static void use(volatile record *object, uint32_t round)
{
    if (current == 0)
        object->a = round, object->b = round + 1, object->c = round + 2;
    else
        copy = *object;
}

static void thread(void)
{
    for (uint32_t round = 0; round < ROUNDS; round++) {
        use(&bare, round);
        plain++;
        uint32_t primask = weft_mask_interrupts();
        masked++;
        weft_restore_interrupts(primask);
        __atomic_fetch_add(&atomic, 1, __ATOMIC_RELAXED);
        take_lock(&lock);
        locked++;
        give_lock(&lock);
        osMutexAcquire(&mutex);
        mutexed++;
        use(&guarded, round);
        osMutexRelease(&mutex);
        xQueueSemaphoreTake(&semaphore, UINT32_MAX);
        semaphored++;
        xQueueGenericSend(&semaphore, 0, 0, 0);
        if (current == 0)
            xQueueSemaphoreTake(&semaphore, UINT32_MAX);
        one_sided++;
        if (current == 0)
            xQueueGenericSend(&semaphore, 0, 0, 0);
        osSemaphoreAcquire(&signal);
        signalled++;
        osMutexWait(&busy);
        refused++;
        suspended = 1; /* then PendSV switches no threads */
        WEFT_SCB_ICSR = put_off < ROUNDS ? WEFT_ICSR_PENDSVSET : 0;
        unswitched++;
        suspended = 0;
    }
    uint32_t primask = weft_mask_interrupts();
    done++;
    weft_restore_interrupts(primask);
    for (;;)
        weft_wait_for_interrupt();
}

void SysTick_Handler(void)
{
    WEFT_SCB_ICSR = WEFT_ICSR_PENDSVSET;
}

__attribute__((used, no_instrument_function)) uint32_t *threads_next(uint32_t *stack)
{
    if (suspended) {
        put_off++;
        return stack;
    }
    saved[current] = stack;
    current = current >= THREADS - 1 ? (done == THREADS ? THREADS : 0) : current + 1;
    weft_thread_switch(current == THREADS ? WEFT_NO_THREAD : current);
    return saved[current];
}

__attribute__((naked, no_instrument_function)) void PendSV_Handler(void)
{
    __asm volatile("mrs r0, psp\n\tstmdb r0!, {r4-r11}\n\tpush {r2, lr}\n\tbl threads_next\n\t"
                   "ldmia r0!, {r4-r11}\n\tmsr psp, r0\n\tpop {r2, pc}");
}

static uint32_t *first_stack(uint32_t number)
{
    uint32_t *frame = (uint32_t *)&stacks[number][STACK_WORDS / 2] - 8;
    frame[6] = (uint32_t)(uintptr_t)thread & ~1u;
    frame[7] = 1u << 24;
    return frame - 8;
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
    for (uint32_t number = 0; number < THREADS; number++)
        saved[number] = first_stack(number);
    weft_exception_priority(SYSTICK, 0x80);
    weft_exception_priority(PENDSV, 0xc0);
    WEFT_SYST_RVR = SLICE_CYCLES - 1;
    WEFT_SYST_CVR = 0;
    __asm volatile("" : : : "memory"); /* the switch finds the threads' stacks */
    WEFT_SYST_CSR = 7;
    while (done < THREADS)
        weft_wait_for_interrupt();
    WEFT_SYST_CSR = 0;
    return masked != THREADS * ROUNDS || locked != THREADS * ROUNDS;
}

/* FreeRTOS's functions below xSemaphoreTake and xSemaphoreGive: 1 is success. Races within the files of such functions
 * are the kernel's own, so these are in another. */
#line 1 "queue.c"
__attribute__((noipa)) int xQueueSemaphoreTake(volatile uint32_t *word, uint32_t ticks)
{
    (void)ticks;
    take_lock(word);
    return 1;
}

__attribute__((noipa)) int xQueueGenericSend(volatile uint32_t *word, const void *item, uint32_t ticks, int where)
{
    (void)item, (void)ticks, (void)where;
    give_lock(word);
    return 1;
}
