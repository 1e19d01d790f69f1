/* SPDX-License-Identifier: MIT */
/* The firmware that the first inputs of the fuzzers come from (tests/fuzz/afl/seeds.sh): loops, calls, an interrupt, a
 * device, objects with members, all of it small. */
#include <stdint.h>

#include "port/cortex-m/cortexm.h"

typedef struct reading {
    uint16_t raw;
    int32_t level;
} reading;

static volatile uint32_t ticks;
static reading readings[4];
static double mean;

void PendSV_Handler(void);
void PendSV_Handler(void)
{
    ticks++;
}

static int32_t scaled(uint16_t raw, int32_t gain)
{
    return raw & 1 ? raw * gain : -(raw / gain);
}

static void __attribute__((noinline)) take(reading *to, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        to[i].raw = (uint16_t)(WEFT_SYST_CVR % 8 + i);
        to[i].level = scaled(to[i].raw, (int32_t)i + 2);
    }
}

int main(void)
{
    WEFT_SYST_RVR = 600;
    WEFT_SYST_CSR = 5;
    for (unsigned round = 0; round < 3; round++) {
        take(readings, 4);
        WEFT_SCB_ICSR = WEFT_ICSR_PENDSVSET;
        mean = (mean + readings[round].level) / 2;
    }
    return readings[1].level > 100 || mean > ticks;
}
