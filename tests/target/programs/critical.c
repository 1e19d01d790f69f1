/* SPDX-License-Identifier: MIT */
/* Critical sections with probes in them, whose paths are hard to predict: what ends a frame does not happen there. */
#include <stdint.h>
#include <stdio.h>

static uint32_t state = 1;

__attribute__((noinline)) static uint32_t step(uint32_t sum)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    if (state & 1)
        sum += 3;
    if (state & 2)
        sum ^= state;
    if (state & 4)
        sum *= 5;
    if (state & 8)
        sum -= state;
    return sum;
}

int main(void)
{
    uint32_t sum = 0;
    for (int i = 0; i < 2000; i++) {
        __asm volatile("cpsid i" : : : "memory");
        for (int k = 0; k < 5; k++)
            sum = step(sum);
        __asm volatile("cpsie i" : : : "memory");
        for (int k = 0; k <= i % 4; k++)
            sum = step(sum);
    }
    printf("critical: %08lx\n", (unsigned long)sum);
    return 0;
}
