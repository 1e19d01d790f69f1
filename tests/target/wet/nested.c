/* SPDX-License-Identifier: MIT */
/* Handlers that interrupt each other while all of them and main compute with floats. The core leaves room for the
 * floating point registers in each frame, and fills it late or never. */
#include <stdint.h>
#include <stdio.h>

#define ICSR (*(volatile uint32_t *)0xe000ed04)
#define SHPR2 (*(volatile uint32_t *)0xe000ed1c)
#define SHPR3 (*(volatile uint32_t *)0xe000ed20)
#define SYSTICK ((volatile uint32_t *)0xe000e010)

enum { PEND_PENDSV = 1 << 28, PERIOD = 400, ROUNDS = 150 };

static volatile float in = 1.25f, mixed, held;
static volatile uint32_t ticks, calls, pended;

__attribute__((noinline)) static float deep(float x, unsigned levels)
{
    return levels ? deep(x * 1.5f - 0.5f, levels - 1) + x : x;
}

void SysTick_Handler(void)
{
    ticks++;
    held = held * 0.5f + in;
    if (ticks % 3 == 0)
        ICSR = PEND_PENDSV;
}

void PendSV_Handler(void)
{
    pended++;
    for (unsigned i = 0; i < 6; i++)
        mixed = mixed * 0.75f + deep(in, i);
}

void SVC_Handler(void)
{
    calls++;
    ICSR = PEND_PENDSV;
    mixed += held;
}

int main(void)
{
    float sum = 0;
    SHPR3 = 0x40e00000; /* SysTick above SVC, and both above PendSV */
    SHPR2 = 0x80000000;
    SYSTICK[1] = PERIOD;
    SYSTICK[2] = 0;
    SYSTICK[0] = 7;
    for (unsigned i = 0; i < ROUNDS; i++) {
        sum += deep(in * (float)(i % 7), i % 9);
        if (i % 5 == 0)
            __asm volatile("svc 1" ::: "memory");
    }
    SYSTICK[0] = 0;
    printf("%d %d %d %d\n", (int)sum, ticks > 3, (int)calls, pended > 3);
    return 0;
}
