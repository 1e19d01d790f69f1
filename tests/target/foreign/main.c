/* SPDX-License-Identifier: MIT */
/* A control loop with a timer interrupt, which never ends, or leaves by semihosting. After each hundred samples it
 * sleeps until the timer. SLEEP_AFTER: after N samples it sleeps for good, with interrupts masked; with NO_TICK
 * none comes that would wake it. TASK_STACK: it runs on a stack of that many bytes, as a task does, with no memory
 * below. SET_TABLE: main sets the vector table in flash again, as a kernel may that starts. */
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

__attribute__((noinline)) static void run(void)
{
    int history[FILTER_TAPS] = {0};
#if defined(LEAVE_AFTER) || defined(SLEEP_AFTER)
    int left = 0;
#endif
    SYST_RVR = 99999;
    SYST_CVR = 0;
    SYST_CSR = 7;
    for (int sample = 0;; sample = (sample + 7) % 1000) {
        output = filter(history, sample);
        if (sample % 100 == 0)
            __asm__ volatile("wfi");
#ifdef SLEEP_AFTER
#ifdef NO_TICK
        SYST_CSR = left < SLEEP_AFTER ? 7 : 0;
#endif
        for (left++; left > SLEEP_AFTER;)
            __asm__ volatile("cpsid i\n\twfi\n\tcpsie i");
#endif
#ifdef LEAVE_AFTER
        if (++left == LEAVE_AFTER)
            leave();
#endif
    }
}

int main(void)
{
#ifdef SET_TABLE
    *(volatile unsigned *)0xe000ed08 = 0;
#endif
#ifdef TASK_STACK
    unsigned char *const memory = (unsigned char *)0x21000000, *const end = memory + TASK_STACK;
    __asm__ volatile("msr psp, %0\n\tmsr control, %1\n\tisb" : : "r"(end), "r"(2) : "memory");
#endif
    run();
    return 0;
}
