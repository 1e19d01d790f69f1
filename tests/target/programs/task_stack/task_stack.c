/* SPDX-License-Identifier: MIT */
/* A task on a stack of its own, which reports how much of it was used. A part of its work masks interrupts for
 * longer than the ring of waiting events can hold them; then, while some wait, a thread gets its name. */
#include <stdint.h>
#include <stdio.h>

#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/weft_target.h"

enum { WORDS = 1024, ROUNDS = 60, ITEMS = 50, MASKED_ITEMS = 400 };

static const uint32_t untouched = 0xa5a5a5a5;
static uint64_t stack[WORDS / 2];
static uint32_t item[ITEMS], masked_item[MASKED_ITEMS];
static volatile uint32_t rounds = ROUNDS;

static uint32_t mix(uint32_t *items, uint32_t count, uint32_t seed)
{
    for (uint32_t i = 0; i < count; i++) {
        seed = seed * 1664525 + 1013904223;
        if (seed >> 31)
            items[seed % count] += seed;
        else
            items[i] ^= seed;
    }
    return seed;
}

static __attribute__((noinline)) void task(void)
{
    uint32_t seed = 1;
    for (uint32_t round = 0; round < rounds; round++)
        seed = mix(item, ITEMS, seed);
    uint32_t primask = weft_mask_interrupts();
    seed = mix(masked_item, MASKED_ITEMS, seed);
    weft_restore_interrupts(primask);
    for (uint32_t round = 0; round < rounds; round++) {
        primask = weft_mask_interrupts();
        seed = mix(item, ITEMS, seed);
        (void)weft_thread_name(round % 2, "named");
        weft_restore_interrupts(primask);
    }
}

__attribute__((noinline, no_instrument_function)) static void run(void (*function)(void), void *top)
{
    uint32_t control = weft_control();
    __asm volatile("msr psp, %[top]\n\t"
                   "msr control, %[process]\n\t"
                   "isb\n\t"
                   "blx %[function]\n\t"
                   "msr control, %[control]\n\t"
                   "isb"
                   :
                   : [top] "r"(top), [process] "r"(control | WEFT_CONTROL_PROCESS_STACK), [function] "r"(function),
                     [control] "r"(control)
                   : "r0", "r1", "r2", "r3", "ip", "lr", "cc", "memory");
}

int main(void)
{
    uint32_t *words = (uint32_t *)stack, used = WORDS;
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = untouched;
    run(task, words + WORDS);
    while (used > 0 && words[WORDS - used] == untouched)
        used--;
    printf("stack: %lu bytes, sum %08lx\n", (unsigned long)used * 4, (unsigned long)(item[7] ^ masked_item[7]));
    return 0;
}
