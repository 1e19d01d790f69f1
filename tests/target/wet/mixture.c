/* SPDX-License-Identifier: MIT */
/* A little of everything that makes whole execution traces hard, in fewer than 100,000 instructions: recursion,
 * calls through pointers, jump tables, conditional instructions, non-local jumps, bytes written and words read,
 * 64-bit arithmetic, multiple loads, interrupts. */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf back;
static volatile uint32_t ticks;

#define SYST ((volatile uint32_t *)0xe000e010)

void SysTick_Handler(void)
{
    if (++ticks == 5)
        SYST[0] = 0;
}

static unsigned fibonacci(unsigned n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int compare(const void *a, const void *b)
{
    return *(const uint8_t *)a - *(const uint8_t *)b;
}

static int choose(int x)
{
    switch (x) {
    case 0:
        return 5;
    case 1:
        return x * 7 - 3;
    case 2:
        return 100 / (x + 1);
    case 3:
        return -x;
    case 4:
        return x << 4;
    case 5:
        return choose(x - 1) + 1;
    case 6:
        return 12;
    case 7:
        return choose(3);
    default:
        return 0;
    }
}

static void fall(int depth)
{
    if (depth == 0)
        longjmp(back, 3);
    fall(depth - 1);
}

struct record {
    uint8_t tag, flags;
    uint16_t length;
    uint32_t sum, words[6];
};

static struct record twist(struct record r)
{
    r.sum ^= r.words[r.tag % 6];
    r.words[r.tag++ % 6] += r.length;
    return r;
}

static int (*const table[])(int) = {choose, abs};

/* The software product of a zero leaves the product's routine from what that calls, under a condition. */
static double product_of(volatile double *factors, int count)
{
    double product = 0;
    for (int i = 0; i < count; i++)
        product = product * factors[i] + factors[i];
    return product;
}

int main(void)
{
    volatile double factors[] = {1.5, 0.25, 3};
    uint8_t bytes[64];
    uint32_t words[16], seed = 12345, total = 0;
    struct record r = {.tag = 1, .length = 300};
    SYST[1] = 4000;
    SYST[2] = 0;
    SYST[0] = 7;
    for (int i = 0; i < 64; i++)
        bytes[i] = (uint8_t)((seed = seed * 1103515245u + 12345) >> 16);
    memcpy(words, bytes, sizeof words);
    for (int i = 0; i < 16; i++)
        total += words[i] > 0x80000000u ? words[i] >> 3 : words[i] / 7;
    qsort(bytes, 64, 1, compare);
    for (int i = 0; i < 64; i++)
        total += (uint32_t)table[i & 1](bytes[i] & 7);
    if (!setjmp(back))
        fall(5);
    else
        total += 17;
    for (int i = 0; i < 10; i++)
        r = twist(r);
    total += (uint32_t)product_of(factors, 3);
    uint64_t product = (uint64_t)total * r.sum + fibonacci(9);
    while (ticks < 3)
        total += ticks;
    printf("%lu %lu\n", (unsigned long)(product / 1000003u), (unsigned long)r.words[2]);
    return 0;
}
