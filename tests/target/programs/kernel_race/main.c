/* SPDX-License-Identifier: MIT */
/* A kernel's own sharing (tasks.c), and the program's own: `shared` is counted by the tick and by main. */
#include "kernel_race.h"
#include "port/cortex-m/cortexm.h"

enum { SLICE_CYCLES = 1000, TICKS = 20 };

volatile uint32_t shared;
static volatile uint32_t ticks; /* of an aligned word the tick stores, and main loads */
void SysTick_Handler(void);

void SysTick_Handler(void)
{
    vTaskSwitchContext();
    shared += 2;
    ticks++;
}

int main(void)
{
    WEFT_SYST_RVR = SLICE_CYCLES - 1;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
    while (ticks < TICKS) {
        kernel_work();
        shared++;
    }
    WEFT_SYST_CSR = 0;
    return 0;
}
