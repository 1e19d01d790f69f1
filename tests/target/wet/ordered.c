/* SPDX-License-Identifier: MIT */
/* What ARMv8-M adds to the ways of a value: ordered and exclusive accesses, a choice between floats by the flags, and
 * on a Cortex-M55 conditional selects, loops that count in lr, shifts of two registers, and vectors. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

enum { N = 64, ROUNDS = 120 };

static atomic_int flag, counter;
static volatile int source = 41, other = 7;
static volatile float height[4] = {1.5f, -2.0f, 7.25f, 3.0f};
static int32_t in[N], out[N];
volatile float best;
float copied[4];
volatile int selected, total, shifted, lane, tested;

__attribute__((noinline)) static float larger(float a, float b)
{
    return a > b ? a : b;
}

__attribute__((noinline)) static int choose(int a, int b, int c)
{
    return a > b ? c : b + 1;
}

/* Several floats with one load and one store. */
static void copy(void)
{
#ifdef __ARM_FP
    __asm__ volatile("vldmia %0, {s0-s3}\n\tvstmia %1, {s0-s3}" ::"r"(height), "r"(copied)
                     : "s0", "s1", "s2", "s3", "memory");
#endif
}

/* Loads and stores the same elements, as vectors where there are any. */
__attribute__((noinline)) static void add_twice(int32_t *restrict to, const int32_t *restrict from)
{
    for (int i = 0; i < N; i++)
        to[i] += 2 * from[i];
}

/* What the memory protection says of an address. */
__attribute__((noinline)) static int test(int address)
{
#if __ARM_ARCH >= 8
    __asm__ volatile("tt %0, %1" : "=r"(address) : "r"(address));
#endif
    return address;
}

int main(void)
{
    atomic_store_explicit(&flag, source + 1, memory_order_release);
    int v = atomic_load_explicit(&flag, memory_order_acquire);
    atomic_fetch_add(&counter, v);
    float b = height[0];
    for (int i = 1; i < 4; i++)
        b = larger(b, height[i]);
    best = b;
    copy();
    selected = choose(source, other, v);
    for (int i = 0; i < N; i++)
        in[i] = other + i;
    out[0] = other;
    for (int i = 1; i < N; i++) /* one after the other: not as vectors */
        out[i] = 3 * out[i - 1] + in[i];
    for (int round = 0; round < ROUNDS; round++)
        add_twice(out, in);
    lane = out[3];
    int sum = 0;
    for (int i = 0; i < source; i++)
        sum += other ^ i;
    total = sum;
    tested = test(source);
    shifted = (int)(((uint64_t)(unsigned)source << 32 | (unsigned)other) >> (other & 31));
    printf("%d %d %d %d %d\n", (int)(4 * best), selected, total, shifted, lane);
    return 0;
}
