/* SPDX-License-Identifier: MIT */
/* Ends in the way that its argument names; see tests/target/faults.sh. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/cortex-m/cortexm.h"

extern uint32_t weft_stack_limit[]; /* of the linker script: the stack's lowest word, the first of RAM */
enum { FOR_THE_RECORDER = 4096 };

/* Leaves RAM without a probe. The recorder is not called again after a fault of its own code. Popped registers there
 * are not those that were pushed. */
__attribute__((noinline, no_instrument_function)) static int beyond(volatile int *above)
{
    volatile int here[16] = {*above - 1};
    return here[0] > 0 ? beyond(here) + here[3] : 0;
}

__attribute__((noinline)) static int deeper(volatile int *above)
{
    volatile int here[16] = {*above + 1};
    if ((uintptr_t)here < (uintptr_t)weft_stack_limit + FOR_THE_RECORDER)
        return beyond(&(volatile int){2 * FOR_THE_RECORDER / (int)sizeof here});
    return deeper(here) + here[3];
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    printf("begin %s\n", way);
    if (!strcmp(way, "bus"))
        *(volatile uint32_t *)0xf0000000 = 1;
    if (!strcmp(way, "undefined"))
        __asm volatile("udf #1");
    if (!strcmp(way, "arm"))
        ((void (*)(void))0x1000)(); /* no Thumb bit */
    if (!strcmp(way, "overflow"))
        return deeper(&(volatile int){0});
    if (!strcmp(way, "masked")) {
        weft_mask_interrupts();
        __asm volatile("udf #2");
    }
    if (!strcmp(way, "interrupt")) {
        weft_irq_enable(7);
        weft_irq_pend(7);
        weft_barrier();
    }
    if (!strcmp(way, "abort"))
        abort();
    if (!strcmp(way, "main"))
        return 3;
    exit(!strcmp(way, "exit") ? 42 : 0);
}
