/* SPDX-License-Identifier: MIT */
/* A handler that takes the same paths as what it interrupts, and so works at the same nodes of a forest. Path 0 is
 * mostly followed by one other, and by each of 99, more than the probe looks at by itself. */
#include <stdint.h>

#define CONTROL (*(volatile uint32_t *)0xe000e010) /* SysTick */
#define RELOAD (*(volatile uint32_t *)0xe000e014)
#define NOW (*(volatile uint32_t *)0xe000e018)
enum { KINDS = 100 };

static volatile uint32_t sums[KINDS];
static volatile uint32_t ticks;

#define ONE(n)                                                                                                         \
    case n:                                                                                                            \
        sums[n] += state;                                                                                              \
        break;
#define TEN(n) ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)

__attribute__((noinline)) static uint32_t walk(uint32_t state, int steps)
{
    for (int i = 0; i < steps; i++) {
        state = state * 1664525u + 1013904223u;
        uint32_t other = state >> 30 ? 0 : (state >> 16) % (KINDS - 1);
        switch (i % 2 ? 1 + other : 0) {
            ONE(0)
            ONE(1)
            ONE(2)
            ONE(3)
            ONE(4) ONE(5) ONE(6) ONE(7) ONE(8) ONE(9) TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9)
        }
    }
    return state;
}

void SysTick_Handler(void);
void SysTick_Handler(void)
{
    static uint32_t state = 7;
    state = walk(state, 3);
    RELOAD = 500 + (state >> 8) % 301; /* so that each instruction is interrupted at some time */
    NOW = 0;
    ticks++;
}

int main(void)
{
    uint32_t state = 1;
    RELOAD = 999;
    NOW = 0;
    CONTROL = 7;
    for (int i = 0; i < 6000; i++)
        state = walk(state, 12);
    CONTROL = 0;
    return ticks < 100 || state == 0;
}
