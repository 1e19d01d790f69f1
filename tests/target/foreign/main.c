/* SPDX-License-Identifier: MIT */
/* A control loop with a timer interrupt, which never ends. After each hundred samples it sleeps until the timer. */
#include "filter.h"

#define SYST_CSR (*(volatile unsigned *)0xe000e010)
#define SYST_RVR (*(volatile unsigned *)0xe000e014)
#define SYST_CVR (*(volatile unsigned *)0xe000e018)

volatile unsigned ticks;
volatile int output;

void SysTick_Handler(void)
{
    ticks++;
}

int main(void)
{
    int history[FILTER_TAPS] = {0};
    SYST_RVR = 99999;
    SYST_CVR = 0;
    SYST_CSR = 7;
    for (int sample = 0;; sample = (sample + 7) % 1000) {
        output = filter(history, sample);
        if (sample % 100 == 0)
            __asm__ volatile("wfi");
    }
}
