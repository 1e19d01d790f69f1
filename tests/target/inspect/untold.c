/* SPDX-License-Identifier: MIT */
/* A mask whose value comes from a device. Only a recording with values has the value. */
#include <stdint.h>

#include "port/cortex-m/cortexm.h"

enum { URGENT = 20, PRIORITY = 0x40 };

volatile uint32_t shared;

void IRQ20_Handler(void);
void IRQ20_Handler(void)
{
    shared += 3;
}

int main(void)
{
    weft_irq_priority(URGENT, PRIORITY);
    weft_irq_enable(URGENT);
    WEFT_NVIC_ISPR(0) = 1u << URGENT | WEFT_SYST_CVR >> 31; /* a request decides nothing: it need not be known */
    __asm volatile("dsb\n\tisb" ::: "memory");
    uint32_t mask = PRIORITY - (WEFT_SYST_CVR & 0x20); /* in any case URGENT has to wait */
    __asm volatile("msr basepri, %0" ::"r"(mask) : "memory");
    shared++;
    __asm volatile("msr basepri, %0" ::"r"(0) : "memory");
    return 0;
}
