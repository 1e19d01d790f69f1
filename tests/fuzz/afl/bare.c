/* SPDX-License-Identifier: MIT */
/* The program whose full recordings the first inputs of the fuzzers come from (tests/fuzz/afl/seeds.sh): a few hundred
 * instructions without a library, with calls, a table, an interrupt, an object with members. */
#include <stdint.h>

#define SYSTICK ((volatile uint32_t *)0xe000e010)

typedef struct sums {
    uint32_t even;
    int16_t odd[4];
} sums;

int main(void);
void tick(void);
volatile uint32_t ticks;
static uint32_t table[8];
sums result;

__attribute__((naked)) void Reset_Handler(void)
{
    __asm volatile("bl main\n movs r0, #0x18\n ldr r1, =0x20026\n bkpt 0xab\n b .\n .ltorg");
}

__attribute__((section(".vectors"), used))
const void *const vectors[16] = {(void *)0x20001000, Reset_Handler, [15] = tick};

void tick(void)
{
    ticks = ticks + 1;
}

__attribute__((noinline)) static uint32_t mix(uint32_t a, uint32_t b)
{
    return a % 3 ? a * 5 + b : b ^ (a << 3);
}

int main(void)
{
    SYSTICK[1] = 100;
    SYSTICK[0] = 7;
    for (uint32_t i = 0; i < 12; i++) {
        table[i & 7] = mix(table[(i + 3) & 7], i);
        if (table[i & 7] & 1)
            result.odd[i & 3] += (int16_t)table[i & 7];
        else
            result.even += table[i & 7];
    }
    SYSTICK[0] = 0;
    return 0;
}
