/* SPDX-License-Identifier: MIT */
/* A function that changes none of its arguments, and one that goes on with its own: for `monitor weft why NAME`. */
#include <stdint.h>
#include <stdio.h>

static volatile uint32_t table[8], folded;

__attribute__((noinline)) static void put(uint32_t at, uint32_t value)
{
    table[at] = value;
}

__attribute__((noinline)) static uint32_t fold(uint32_t word, uint32_t turns)
{
    while (turns--) {
        word = word * 5u + turns;
        folded = word;
    }
    return word;
}

int main(void)
{
    for (uint32_t i = 0; i < 8; i++)
        put(i, 3 * i + fold(i, 3));
    printf("%u\n", (unsigned)table[7]);
    return 0;
}
