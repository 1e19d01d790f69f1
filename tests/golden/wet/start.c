/* SPDX-License-Identifier: MIT */
/* Start of the program of v19-found.wet, which is tests/target/wet/found.c without a library. Made once, as follows:
 *
 *     arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -O1 -ffreestanding -nostdlib -nostartfiles
 *         -Wl,--section-start=.vectors=0,-Ttext=0x40,-Tdata=0x20000000,--build-id=none,-e,Reset_Handler
 *         tests/golden/wet/start.c tests/target/wet/found.c -o found.elf && arm-none-eabi-strip -g found.elf
 *     weft capture --full --icount 0 found.elf -o found.weft
 *     weft wet build found.weft --elf found.elf -o v19-found.wet */
#include <stdint.h>

__attribute__((naked)) void Reset_Handler(void)
{
    __asm volatile("bl main\n movs r0, #0x18\n ldr r1, =0x20026\n bkpt 0xab\n b .\n .ltorg");
}

__attribute__((section(".vectors"), used)) const void *const vectors[2] = {(void *)0x20002000, Reset_Handler};

int printf(const char *format, ...)
{
    return format[0];
}
