/* SPDX-License-Identifier: MIT */
/* A device writes into memory, as DMA does: the board shows its RAM at a second address, where a handler writes. The
 * program calls weft_input_memory when the bytes have come (unless NOT_REPORTED), and weft_check_memory later. */
#include <stdint.h>
#include <stdio.h>

#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/places.h"
#include "port/cortex-m/systick_clock.h"

#define SECOND 0x400000u /* from an address of mps2-an385's RAM to the other */

static struct {
    uint8_t before, bytes[61], after;
} received;
static volatile uint32_t came;
static uint32_t all;

void SysTick_Handler(void);
void SysTick_Handler(void)
{
    static uint32_t random = 7;
    volatile uint8_t *to = (volatile uint8_t *)((uintptr_t)received.bytes + SECOND);
    for (unsigned i = 0; i < sizeof received.bytes; i++) {
        random = random * 1664525 + 1013904223;
        to[i] = (uint8_t)(random >> 24);
    }
#ifndef NOT_REPORTED
    weft_input_memory(received.bytes, sizeof received.bytes);
#endif
    came++;
}

static uint32_t sum_up(void)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < sizeof received.bytes; i++)
        sum = sum * 31 + received.bytes[i];
    return sum;
}

int main(void)
{
    received.before = 1;
    received.after = 2;
    WEFT_SYST_RVR = 40007;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
    for (uint32_t seen = 0; seen < 12;) {
        if (seen == came)
            continue;
        seen++;
        weft_check_memory(&received, sizeof received);
        all ^= sum_up();
        if (all & 1)
            received.after++;
    }
    WEFT_SYST_CSR = 0;
    weft_check_memory(&received, sizeof received);
    weft_check_memory(&all, sizeof all);
    printf("%08lx %u\n", (unsigned long)all, (unsigned)received.after);
    return 0;
}
