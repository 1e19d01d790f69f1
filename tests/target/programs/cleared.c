/* SPDX-License-Identifier: MIT */
/* A handler that keeps what it finds in r0, r2 and r12: what the interrupted code had there, or 0 where the core clears
 * registers at an exception's entry. */
#include <stdint.h>
#include <stdio.h>

#define ICSR (*(volatile uint32_t *)0xe000ed04)
#define PENDSVSET (1u << 28)

void PendSV_Handler(void);

static volatile uint32_t seen[3];
__attribute__((used)) static volatile uint32_t *const seen_at = seen;

__attribute__((naked)) void PendSV_Handler(void)
{
    __asm volatile("nop\n"
                   "ldr r1, =seen_at\n"
                   "ldr r1, [r1]\n"
                   "str r0, [r1]\n"
                   "str r2, [r1, #4]\n"
                   "mov r2, r12\n"
                   "str r2, [r1, #8]\n"
                   "bx lr\n"
                   ".ltorg");
}

int main(void)
{
    uint32_t sum = 0;
    for (uint32_t i = 1; i < 30; i++) {
        __asm volatile("mov r0, %0\n"
                       "mov r2, %0\n"
                       "mov r12, %0\n"
                       "cmp r0, #40\n"
                       "str %1, [%2]\n"
                       "dsb\n"
                       "isb\n" ::"r"(i),
                       "r"(PENDSVSET), "r"(&ICSR)
                       : "r0", "r2", "r12", "cc", "memory");
        sum += seen[0] + 3 * seen[1] + 5 * seen[2] + i;
    }
    printf("%u\n", (unsigned)sum);
    return 0;
}
