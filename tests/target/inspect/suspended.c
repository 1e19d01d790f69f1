/* SPDX-License-Identifier: MIT */
/* A word of main by which a handler knows what it must leave alone, as RTOSes suspend their scheduler. Objects lost_*
 * are races, fine_* are not. */
#include <stdint.h>

#include "port/cortex-m/cortexm.h"

enum { ROUNDS = 20, HANDLER = 8, USUAL = 0x80 };

static volatile uint32_t suspended, in_use, never_seen, uxSchedulerSuspended /* known by its name */;
volatile uint32_t fine_listed, lost_listed, lost_late, lost_lowered, lost_other, lost_not_seen, waiting, fine_known,
    fine_tailed;
volatile uint64_t fine_pair, lost_pair;

__attribute__((noinline)) static uint32_t work(void)
{
    return fine_tailed++;
}

__attribute__((noinline)) static void wait(void)
{
    waiting++;
}

/* Jumps to work. */
__attribute__((noinline)) static uint32_t ask(void)
{
    if (!suspended)
        return work();
    wait();
    return 0;
}

void IRQ8_Handler(void);
void IRQ8_Handler(void)
{
    (void)ask();
    if (!uxSchedulerSuspended)
        fine_known++;
    lost_listed++;
    if (!suspended) {
        fine_listed++;
        fine_pair += 3;
        lost_late++;
        lost_lowered++;
    } else {
        waiting++;
    }
    lost_pair += 3;
    if (!in_use)
        lost_other++;
    if (!never_seen)
        lost_not_seen++; /* it may be so, but this was always 0 */
}

static void request(void)
{
    WEFT_NVIC_ISPR(0) = 1u << HANDLER;
    __asm volatile("dsb\n\tisb" ::: "memory");
}

static void suspends(void)
{
    suspended++;
    suspended++;
    request();
    suspended--;
    fine_listed++;
    fine_tailed++;
    fine_pair += 2;
    lost_listed++;  /* the handler does not ask */
    lost_pair += 2; /* nor for this */
    lost_other++;   /* it asks for another word */
    suspended--;
    uint32_t before = lost_late;
    suspended++;
    lost_late = before + 1; /* loaded before */
    before = lost_lowered;
    suspended--;
    suspended++;
    lost_lowered = before + 1; /* in between the handler may work */
    suspended--;
}

int main(void)
{
    weft_irq_priority(HANDLER, USUAL);
    weft_irq_enable(HANDLER);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        request();
        suspends();
        in_use = 1;
        request();
        in_use = 0;
        never_seen = 1;
        lost_not_seen++;
        never_seen = 0;
        uxSchedulerSuspended = 1;
        fine_known++;
        uxSchedulerSuspended = 0;
    }
    return 0;
}
