/* SPDX-License-Identifier: MIT */
/* What else such a device does while it decodes: SysTick samples a sensor and asks for PendSV, which smooths the last
 * eight samples. Compiled in with JPEG_TICKS=1 (`make run`). */
#include <stdint.h>

#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/systick_clock.h"

enum { PERIOD = 25000, PENDSV = 14, SYSTICK = 15, KEPT = 8 };

void SysTick_Handler(void);
void PendSV_Handler(void);

static volatile uint16_t samples[KEPT];
static volatile uint32_t made, level;

/* A sensor's noise: a register that is shifted three times. */
void SysTick_Handler(void)
{
    uint16_t sample = (uint16_t)(made * 40503u);
    weft_systick_tick();
    for (int i = 0; i < 3; i++)
        sample = (uint16_t)(sample & 1 ? sample >> 1 ^ 0xb400 : sample >> 1);
    samples[made++ % KEPT] = sample;
    WEFT_SCB_ICSR = WEFT_ICSR_PENDSVSET;
}

void PendSV_Handler(void)
{
    uint32_t sum = 0;
    for (int i = 0; i < KEPT; i++)
        sum += samples[i];
    level = sum / KEPT;
}

__attribute__((constructor)) static void start_ticks(void)
{
    weft_exception_priority(SYSTICK, 0x40);
    weft_exception_priority(PENDSV, 0xc0);
    WEFT_SYST_RVR = PERIOD - 1;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
}
