/* SPDX-License-Identifier: MIT */
/* As at power-on: memory holds anything. */
void Reset_Handler(void);
void Power_On(void);

__attribute__((naked)) void Power_On(void)
{
    __asm__ volatile("ldr r0, =0x20000000\n\t"
                     "ldr r1, =0x2001ff00\n\t"
                     "ldr r2, =0xa5a5a5a5\n"
                     "1:\tstr r2, [r0], #4\n\t"
                     "cmp r0, r1\n\t"
                     "blo 1b\n\t"
                     "ldr r0, =Reset_Handler\n\t"
                     "bx r0\n\t"
                     ".ltorg");
}
