/* SPDX-License-Identifier: MIT */
/* Locals in registers and in frames, of each size; what they hold follows from the numbers below. */
#include <stdint.h>
#include <stdio.h>

static volatile int eleven = 11, less = -22;
static volatile float two_and_a_half = 2.5f;
static volatile double one_and_a_half = 1.5;
static volatile float reals[4];
static volatile int numbers[4];

__attribute__((noinline, noclone)) static void use(int *a, int *b)
{
    __asm volatile("" ::"r"(a), "r"(b) : "memory");
}

/* Two locals that one instruction stores. */
__attribute__((noinline, noclone)) static int pair(int x, int y)
{
    int first = x + 1, second = y;
    use(&first, &second);
    return first - second;
}

__attribute__((noinline, noclone)) static int64_t wide(int64_t x)
{
    volatile int64_t number = x;
    volatile uint32_t large = 0xfffffff0u;
    number += (int64_t)1 << 33;
    return number + large;
}

__attribute__((noinline, noclone)) static double real(double x)
{
    volatile double twice = x;
    volatile float half = (float)x / 2;
    twice = twice * 2;
    return twice + (double)half;
}

__attribute__((noinline, noclone)) static unsigned kept(unsigned x, int n)
{
    unsigned held = x;
    for (int i = 0; i < n; i++) {
        held = held * 3u + 0x80000000u;
        __asm volatile("" : "+r"(i));
    }
    return held;
}

__attribute__((noinline, noclone)) static float scaled(float x, int n)
{
    float factor = x;
    for (int i = 0; i < n; i++) {
        factor = factor * 4.0f;
        reals[i] = factor;
        numbers[i] = -i;
        __asm volatile("" : "+r"(i));
    }
    return factor;
}

int main(void)
{
    int difference = pair(eleven, less);
    int64_t sum = wide(less);
    double more = real(one_and_a_half);
    printf("%d %lld %f %u %f\n", difference, (long long)sum, more, kept((unsigned)eleven, 3),
           (double)scaled(two_and_a_half, 3));
    return numbers[1] + 1;
}
