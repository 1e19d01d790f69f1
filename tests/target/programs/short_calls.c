/* SPDX-License-Identifier: MIT */
/* Many short calls that leave numbers which are hard to predict: a recording of several frames from a short
 * run. */
#include <stdint.h>
#include <stdio.h>

static volatile uint32_t state = 1, odd, kept[8];

__attribute__((noinline)) static uint32_t next(uint32_t x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}

__attribute__((noinline)) static void keep(uint32_t x)
{
    if (x & 1)
        odd++;
    kept[x >> 8 & 7] = x;
}

int main(void)
{
    for (unsigned i = 0; i < 230; i++) {
        state = next(state);
        if (state % 3)
            keep(state);
    }
    printf("%u %u\n", (unsigned)state, (unsigned)odd);
    return 0;
}
