/* SPDX-License-Identifier: MIT */
/* Loads of many stores, whose values follow from what was stored: some just before, some long ago, some in parts. */
#include <stdint.h>
#include <stdio.h>

volatile uint32_t near[16], far[512], result;
volatile int16_t halves[16];
static uint32_t state = 1;

static uint32_t number(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state >> 8;
}

int main(void)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 512; i++)
        far[i] = number() + i;
    for (unsigned i = 0; i < 16; i++)
        near[i] = halves[i] = (int16_t)number();
    for (unsigned i = 0; i < 1500; i++) {
        uint32_t at = number();
        near[at & 15] = at ^ i;
        halves[at >> 4 & 15] = (int16_t)(at + 3);
        sum += near[at >> 8 & 15] + far[at >> 12 & 511] + (uint32_t)halves[at >> 9 & 15];
    }
    result = sum;
    printf("%u\n", (unsigned)sum);
    return 0;
}
