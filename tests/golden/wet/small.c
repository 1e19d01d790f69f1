/* SPDX-License-Identifier: MIT */
/* The program of the files from version 3 on: arithmetic, calls, a table, an interrupt. Made once, as follows;
 * small.elf is kept, because another compiler makes another program. Those of version 4 are of another run of it;
 * versions 5 and 6, 7 and 8, 9 and 10, 11 and 12, 15 and 16, 19 and 20 were made as 3 and 4, by later wefts; 13 and
 * 14, 17 and 18, 21 and 22 of a run with --machine mps3-an547.
 *
 *     arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -O1 -nostdlib -nostartfiles
 *         -Wl,--section-start=.vectors=0,-Ttext=0x40,-Tdata=0x20000000,--build-id=none,-e,Reset_Handler
 *         tests/golden/wet/small.c -o small.elf && arm-none-eabi-strip -g small.elf
 *     weft capture --full --icount 0 small.elf -o small.weft
 *     weft wet build small.weft --elf small.elf -o v3-tier2.wet
 *     weft wet build small.weft --elf small.elf -o v4-tier2.wet --model stm32f4,branch=two-level:3:3 */
#include <stdint.h>

#define SYSTICK ((volatile uint32_t *)0xe000e010)

int main(void);
void tick(void);
volatile uint32_t result, ticks, table[8];

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
    SYSTICK[1] = 20;
    SYSTICK[0] = 7;
    for (uint32_t i = 0; i < 200; i++)
        table[i & 7] = mix(table[(i + 3) & 7], i);
    for (uint32_t i = 0; i < 8; i++)
        result = result + table[i];
    return 0;
}
