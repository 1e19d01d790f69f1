/* SPDX-License-Identifier: MIT */
/* Interrupts within IT blocks: what the core stacks then has the state of the block. */
#include <stdint.h>
#include <stdio.h>

volatile uint32_t ticks, stacked;

/* Its first instruction loads the stacked xPSR. */
void SysTick_Handler(void);
__attribute__((naked)) void SysTick_Handler(void)
{
    __asm volatile("ldr r0, [sp, #28]\n\t"
                   "ldr r1, =stacked\n\t"
                   "str r0, [r1]\n\t"
                   "ldr r1, =ticks\n\t"
                   "ldr r0, [r1]\n\t"
                   "adds r0, r0, #1\n\t"
                   "str r0, [r1]\n\t"
                   "bx lr");
}

__attribute__((noinline)) static uint32_t blocks(uint32_t from)
{
    uint32_t a = from, b = from + 1, c = from + 2, d = from + 3;
    __asm volatile("cmp %0, #7\n\t"
                   "itete ne\n\t"
                   "addne %0, %0, %1\n\t"
                   "subeq %1, %1, %2\n\t"
                   "eorne %2, %2, %3\n\t"
                   "addeq %3, %3, %0\n\t"
                   "cmp %1, %2\n\t"
                   "ittt hi\n\t"
                   "addhi %0, %0, #1\n\t"
                   "addhi %1, %1, #2\n\t"
                   "addhi %2, %2, #3"
                   : "+r"(a), "+r"(b), "+r"(c), "+r"(d)::"cc");
    return a ^ b ^ c ^ d;
}

int main(void)
{
    volatile uint32_t *systick = (volatile uint32_t *)0xe000e010; /* CTRL, LOAD, VAL */
    uint32_t sum = 0;
    systick[1] = 8;
    systick[2] = 0;
    systick[0] = 7;
    for (uint32_t i = 0; i < 3000; i++)
        sum = sum * 5 + blocks(i & 15);
    systick[0] = 0;
    printf("%08x\n", (unsigned)sum);
    return ticks < 20;
}
