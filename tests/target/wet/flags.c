/* SPDX-License-Identifier: MIT */
/* Flags that stay as they were past instructions which set others: carries past moves, logic and products, V past
 * shifts, GE and Q past sums. Each result depends on one of two sources, which the instructions between hide from who
 * takes the flags as one. */
#include <stdint.h>
#include <stdio.h>

static volatile uint32_t low = 0xfffffff0, more = 0x20, high = 5, other = 9;
volatile uint32_t total, over, chosen, saved, bytes;
static uint32_t state = 1;

static uint32_t random_next(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

/* C past movs and muls: nothing else of a and b is in the result, and nothing of d. */
__attribute__((noinline)) static uint32_t carried(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    uint32_t sum = c, unused = d;
    __asm volatile("adds %1, %2, %3\n\t"
                   "movs %1, #7\n\t"
                   "muls %1, %0\n\t"
                   "adcs %0, %0, %0\n\t"
                   : "+&l"(sum), "+&l"(unused)
                   : "l"(a), "l"(b)
                   : "cc");
    return sum ^ (unused & 1);
}

/* V past a shift, which sets N, Z and C; C of a rotated constant past one that is not rotated. */
__attribute__((noinline)) static uint32_t overflowed(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t result = 0;
    __asm volatile("adds %1, %1, %2\n\t"
                   "lsls %2, %3, #3\n\t"
                   "it vs\n\t"
                   "addvs %0, %0, #1\n\t"
                   "ands %1, %3, #0x80000000\n\t"
                   "tst %2, #0xff\n\t"
                   "ite cs\n\t"
                   "addcs %0, %0, %3\n\t"
                   "eorscc %0, %0, %1, lsl #2\n\t"
                   "it hi\n\t"
                   "addhi %0, %0, #4\n\t"
                   : "+&r"(result), "+&l"(a), "+&l"(b)
                   : "l"(c)
                   : "cc");
    return result;
}

/* Branches by Z and by C of different instructions, and all of the flags at once. */
__attribute__((noinline)) static uint32_t branched(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t result = 0;
    __asm volatile("cmp %1, %2\n\t"
                   "movs %0, %3\n\t"
                   "beq 1f\n\t"
                   "bcc 2f\n\t"
                   "1: adds %0, #3\n\t"
                   "2: mvns %1, %0\n\t"
                   "mrs %2, apsr\n\t"
                   "eors %0, %2\n\t"
                   "bpl 3f\n\t"
                   "rrxs %0, %0\n\t"
                   "3:\n\t"
                   : "+&l"(result), "+&l"(a), "+&l"(b)
                   : "l"(c)
                   : "cc");
    return result;
}

/* GE past a comparison, and the other way round. */
__attribute__((noinline)) static uint32_t lanes(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t result = a;
#ifdef __ARM_FEATURE_DSP
    __asm volatile("cmp %1, %2\n\t"
                   "uadd8 %0, %0, %1\n\t"
                   "it lt\n\t"
                   "addlt %0, %0, #1\n\t"
                   "cmp %2, %1\n\t"
                   "sel %0, %0, %2\n\t"
                   : "+&r"(result)
                   : "r"(b), "r"(c)
                   : "cc");
#endif
    return result + c;
}

/* Q, which stays 1 past what does not saturate; and what cmp set, past what may set Q. */
__attribute__((noinline)) static uint32_t saturated(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t result = 0;
#ifdef __ARM_FEATURE_DSP
    uint32_t first, second = b;
    __asm volatile("mov %1, #0\n\t"
                   "msr apsr_nzcvq, %1\n\t"
                   "cmp %3, %4\n\t"
                   "ssat %1, #9, %3\n\t"
                   "usat %2, #30, %2\n\t"
                   "it lt\n\t"
                   "addlt %1, %1, #1\n\t"
                   "qadd %2, %2, %5\n\t"
                   "it hi\n\t"
                   "smlabbhi %2, %3, %4, %2\n\t"
                   "mrs %0, apsr\n\t"
                   "ubfx %0, %0, #27, #1\n\t"
                   "qadd8 %2, %2, %1\n\t"
                   "eor %0, %0, %2, lsl #4\n\t"
                   : "+&r"(result), "=&r"(first), "+&r"(second)
                   : "r"(a), "r"(b), "r"(c)
                   : "cc");
#endif
    return result + (c & 1);
}

int main(void)
{
    total = carried(low, more, high, other);
    for (int i = 0; i < 40; i++) {
        over = over + overflowed(random_next(), random_next(), random_next());
        chosen = chosen ^ branched(random_next() & 3, random_next() & 3, random_next());
        bytes = bytes ^ lanes(random_next(), random_next(), random_next());
        over = over ^ saturated(random_next() & 511, random_next() & 1023, i * 0x4000000u);
        saved = carried(random_next() << 8, saved << 8, over, chosen);
    }
    printf("%lu\n", (unsigned long)(total + over + chosen + saved + bytes));
    return 0;
}
