/* SPDX-License-Identifier: MIT */
/* A control loop with a timer interrupt, which never ends, or leaves by semihosting. After each hundred samples it
 * sleeps until the timer. */
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

#ifdef LEAVE_AFTER
/* Leaves the emulator with status 0, with interrupts masked. */
static void leave(void)
{
    register unsigned request __asm__("r0") = 0x18, reason __asm__("r1") = 0x20026;
    __asm__ volatile("cpsid i\n\tbkpt 0xab" : : "r"(request), "r"(reason) : "memory");
}
#endif

int main(void)
{
    int history[FILTER_TAPS] = {0};
#ifdef LEAVE_AFTER
    int left = 0;
#endif
    SYST_RVR = 99999;
    SYST_CVR = 0;
    SYST_CSR = 7;
    for (int sample = 0;; sample = (sample + 7) % 1000) {
        output = filter(history, sample);
        if (sample % 100 == 0)
            __asm__ volatile("wfi");
#ifdef LEAVE_AFTER
        if (++left == LEAVE_AFTER)
            leave();
#endif
    }
}
