/* SPDX-License-Identifier: MIT */
/* Does the same work in each of five phases, and polls before each for what a debugger wrote: tests/target/gdb.sh. */
#include <stdint.h>
#include <stdio.h>

#include "port/cortex-m/activations.h"
#include "port/cortex-m/controls.h"
#include "port/cortex-m/trigger.h"
#include "port/cortex-m/weft_target.h"

WEFT_FUNCTION(work);

static volatile uint32_t sum;

__attribute__((noinline)) static void work(uint32_t i)
{
    sum += i % 3 ? i : sum >> 1;
}

/* A debugger stops here. */
__attribute__((noinline, no_instrument_function)) void phase_begins(unsigned number);
void phase_begins(unsigned number)
{
    sum += number;
}

static void phase(unsigned number)
{
    phase_begins(number);
    weft_controls_poll_all();
    weft_event(7, number);
    for (uint32_t i = 0; i < 200; i++)
        work(i);
}

int main(void)
{
    for (unsigned number = 1; number <= 5; number++)
        phase(number);
    phase_begins(6);
    printf("%lu\n", (unsigned long)sum);
    return 0;
}
