/* SPDX-License-Identifier: MIT */
/* Two threads, switched by SysTick through PendSV. They read and write arrays at random places, in words, halves and
 * bytes, and follow a list in random order. The ticks end after a fixed number, so the run stays below 100,000
 * instructions, however slow it is. */
#include <stdint.h>
#include <stdio.h>

#include "port/cortex-m/cortexm.h"

enum { THREADS = 2, STACK_WORDS = 128, CELLS = 64, STEPS = 200, SLICE_CYCLES = 1500, TICKS = 60, PRIORITY = 0xc0 };

void SysTick_Handler(void);
void PendSV_Handler(void);
uint32_t *switch_stacks(uint32_t *stack);

typedef struct cell {
    struct cell *next;
    uint32_t value;
} cell;

static uint64_t stacks[THREADS][STACK_WORDS / 2];
static uint32_t *saved[THREADS + 1];
static volatile uint32_t current = THREADS, switches, ticks;
static volatile uint8_t done[THREADS], over; /* over: never set, but gives each procedure an end */
static union {
    uint32_t words[CELLS];
    uint16_t halves[2 * CELLS];
    uint8_t bytes[4 * CELLS];
} shared;
static cell cells[CELLS];

static uint32_t random_next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static void thread(uint32_t number)
{
    uint32_t state = number + 7;
    cell *at = &cells[number];
    for (int step = 0; step < STEPS; step++) {
        uint32_t r = random_next(&state);
        if (r % 3 == 0)
            shared.words[r % CELLS] += shared.bytes[(r >> 3) % (4 * CELLS)] + at->value;
        else if (r % 3 == 1)
            shared.halves[r % (2 * CELLS)] ^= (uint16_t)shared.words[(r >> 5) % CELLS];
        else
            shared.bytes[r % (4 * CELLS)] = (uint8_t)(shared.halves[(r >> 4) % (2 * CELLS)] >> 3);
        at->value += r & 15;
        at = at->next;
    }
    done[number] = 1;
    while (!over)
        WEFT_SCB_ICSR = WEFT_ICSR_PENDSVSET;
}

void SysTick_Handler(void)
{
    if (++ticks == TICKS)
        WEFT_SYST_CSR = 0;
    WEFT_SCB_ICSR = WEFT_ICSR_PENDSVSET;
}

/* Called by PendSV with the stack of the thread that it stopped. Returns the next thread's stack; main's when both
 * are done. */
__attribute__((used)) uint32_t *switch_stacks(uint32_t *stack)
{
    saved[current] = stack;
    current = done[0] && done[1] ? THREADS : current + 1 < THREADS ? current + 1 : 0;
    switches++;
    return saved[current];
}

__attribute__((naked)) void PendSV_Handler(void)
{
    __asm volatile("mrs r0, psp\n\t"
                   "stmdb r0!, {r4-r11}\n\t"
                   "push {r3, lr}\n\t"
                   "bl switch_stacks\n\t"
                   "ldmia r0!, {r4-r11}\n\t"
                   "msr psp, r0\n\t"
                   "pop {r3, pc}");
}

/* Switches thread mode to the process stack, which starts somewhat below the main stack's current top. */
__attribute__((naked, noinline)) static void use_process_stack(void)
{
    __asm volatile("cpsid i\n\t" /* both stacks are at one place for a moment */
                   "mrs r0, msp\n\t"
                   "msr psp, r0\n\t"
                   "movs r1, #2\n\t"
                   "msr control, r1\n\t"
                   "isb\n\t"
                   "sub r0, r0, #1024\n\t"
                   "msr msp, r0\n\t"
                   "cpsie i\n\t"
                   "bx lr");
}

static uint32_t *first_stack(uint32_t number)
{
    uint32_t *frame = (uint32_t *)&stacks[number][STACK_WORDS / 2] - 8;
    frame[0] = number;
    frame[5] = 0xffffffff;
    frame[6] = (uint32_t)(uintptr_t)thread & ~1u;
    frame[7] = 1u << 24;
    return frame - 8;
}

int main(void)
{
    uint32_t sum = 0, state = 1;
    for (uint32_t i = 0; i < CELLS; i++)
        cells[i] = (cell){&cells[(i * 37 + 11) % CELLS], random_next(&state)};
    use_process_stack();
    for (uint32_t number = 0; number < THREADS; number++)
        saved[number] = first_stack(number);
    weft_exception_priority(15, PRIORITY / 2);
    weft_exception_priority(14, PRIORITY);
    WEFT_SYST_RVR = SLICE_CYCLES - 1;
    WEFT_SYST_CVR = 0;
    __asm volatile("" : : : "memory"); /* the threads see what was written, and main what they write */
    WEFT_SYST_CSR = 7;
    while (!done[0] || !done[1])
        WEFT_SCB_ICSR = WEFT_ICSR_PENDSVSET;
    WEFT_SYST_CSR = 0;
    __asm volatile("" : : : "memory");
    for (uint32_t i = 0; i < CELLS; i++)
        sum = sum * 31 + shared.words[i] + cells[i].value;
    printf("%lu %d\n", (unsigned long)sum, switches > 3);
    return 0;
}
