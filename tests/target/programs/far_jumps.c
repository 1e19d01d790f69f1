/* SPDX-License-Identifier: MIT */
/* A function of more than 2 KB: on an ARMv6-M no branch reaches its other end, and GCC jumps there by bl. */
#include <stdint.h>
#include <stdio.h>

static volatile uint32_t cells[64];

#define STEP(n) cells[(n)&63] = cells[((n) + 7) & 63] * 5 + (n);
#define STEPS8(n) STEP(n) STEP(n + 1) STEP(n + 2) STEP(n + 3) STEP(n + 4) STEP(n + 5) STEP(n + 6) STEP(n + 7)
#define STEPS64(n)                                                                                                     \
    STEPS8(n) STEPS8(n + 8) STEPS8(n + 16) STEPS8(n + 24) STEPS8(n + 32) STEPS8(n + 40) STEPS8(n + 48) STEPS8(n + 56)

__attribute__((noinline)) static uint32_t far(uint32_t kind)
{
    uint32_t sum = 0;
    for (uint32_t round = 0; round < 4; round++) {
        if (kind > round) {
            sum += cells[round];
            if (kind == 3)
                break;
            STEPS64(1)
        } else {
            sum ^= cells[kind];
            if (cells[round] & 1)
                continue;
            STEPS64(100)
        }
        sum += round;
    }
    return sum;
}

int main(void)
{
    uint32_t all = 0;
    for (uint32_t i = 0; i < 400; i++)
        all = all * 3 + far(i % 5);
    printf("%u\n", (unsigned)all);
    return 0;
}
