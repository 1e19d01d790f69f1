/* SPDX-License-Identifier: MIT */
/* For the oracle: bit-fields that fill their bytes, share them, or cross them; with and without a sign, volatile, and
 * in a union. The value of each is its own bits. */
#include <stdint.h>
#include <stdio.h>

struct bits {
    unsigned a : 3, b : 9, c : 20;
    int d : 5, e : 11;
    uint64_t f : 40;
};

union word {
    uint32_t all;
    unsigned low : 14;
    int sign : 6;
};

static struct bits plain;
static volatile struct bits shared;
static union word words[4];

__attribute__((noinline)) static int step(int i)
{
    union word *word = &words[i & 3];
    shared.a = (unsigned)i;
    plain.b = shared.a * 77;
    plain.d = i - 3;
    shared.e = plain.d * 99;
    plain.c = 1u << 2 * i;
    plain.f += (uint64_t)i << 35;
    word->all = 0x9e3779b1u * (unsigned)i;
    word->low = plain.b;
    return word->sign + shared.e + (int)plain.c + (int)(plain.f >> 30) + plain.d;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 10; i++)
        sum += step(i);
    printf("%d\n", sum);
    return 0;
}
