/* SPDX-License-Identifier: MIT */
/* Works for the number of rounds in its second argument, then breaks in the way that its first one names:
 * tests/target/blackbox.sh. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/cortex-m/cortexm.h"

#define REST __attribute__((noinline))

static volatile uint32_t numbers[16], sum;
static volatile int zero;

REST static void sort(volatile uint32_t *at, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        uint32_t value = at[i];
        unsigned j = i;
        for (; j > 0 && at[j - 1] > value; j--)
            at[j] = at[j - 1];
        at[j] = value;
    }
}

REST static void round_of(uint32_t seed)
{
    for (unsigned i = 0; i < 16; i++) {
        seed = seed * 1664525u + 1013904223u;
        numbers[i] = seed >> 24;
        if (numbers[i] & 1)
            sum += numbers[i];
        else if (numbers[i] & 2)
            sum ^= numbers[i];
    }
    sort(numbers, 16);
}

REST static uint32_t store(volatile uint32_t *at, uint32_t value)
{
    if (value & 1)
        value += sum;
    *at = value; /* bus */
    return *at;
}

REST static int divide(int a, int b)
{
    if (a > 3)
        a -= numbers[3];
    return a / b; /* divide */
}

REST static int odd(int a)
{
    if (a & 1)
        sum++;
    __asm volatile("udf #1"); /* undefined */
    return a;
}

/* What the compiler knows not to go on: the path has ended before it. */
REST static int checked(int a)
{
    sum += 2;
    if (a != 1)
        __builtin_trap(); /* trap */
    return a + 1;
}

REST static int deeper(volatile int *above)
{
    volatile int here[16] = {*above + 1};
    return deeper(here) + here[3]; /* overflow */
}

REST static void reset(void)
{
    WEFT_SCB_AIRCR = 0x05fa0004;
    weft_barrier();
    for (;;)
        ;
}

/* Set in the run after a reset: start-up does not clear this RAM. */
static uint32_t again __attribute__((section(".noinit")));

static void break_it(const char *way)
{
    if (!strcmp(way, "bus"))
        sum = store((volatile uint32_t *)0xf0000000, sum);
    if (!strcmp(way, "divide")) {
        WEFT_REGISTER(0xe000ed14) |= 1u << 4; /* CCR.DIV_0_TRP */
        sum = (uint32_t)divide((int)sum, zero);
    }
    if (!strcmp(way, "undefined"))
        sum = (uint32_t)odd((int)sum);
    if (!strcmp(way, "trap"))
        sum = (uint32_t)checked((int)sum + zero);
    if (!strcmp(way, "overflow"))
        sum = (uint32_t)deeper(&(volatile int){0});
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    int rounds = argc > 2 ? atoi(argv[2]) : 1;
    for (int i = 0; i < rounds; i++)
        round_of((uint32_t)i);
    if (argc > 3 && again != 0x12345678) {
        again = 0x12345678;
        reset();
    }
    again = 0;
    break_it(way);
    return 0;
}
