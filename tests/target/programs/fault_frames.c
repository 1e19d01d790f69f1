/* SPDX-License-Identifier: MIT */
/* Breaks while it records to a sink, with its newest frame still in RAM: tests/target/fault_frames.sh. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/fault_frames.h"
#include "port/cortex-m/weft_target.h"

WEFT_FAULT_FRAMES_DEF(6000);

static volatile uint32_t table[16], sum;

__attribute__((noinline)) static void work(unsigned i)
{
    if (i % 3)
        table[i & 15] += i;
    else
        sum ^= table[i & 15];
}

/* The paths before the store are recorded. The store is in a path that has not ended. */
__attribute__((noipa)) static void break_it(volatile uint32_t *at)
{
    if (sum & 1)
        sum++;
    *at = sum; /* bus */
}

/* The last pass breaks, at a line of which the other way has no code. With PACK=1 a register holds the passes. */
__attribute__((noipa)) static void break_in_pass(volatile uint32_t *const *at, unsigned passes)
{
    for (unsigned i = 0; i < passes; i++) {
        volatile uint32_t *to = at[i];
        if (i % 3)
            *to = ++sum;
        else
            sum ^= *to;
    }
}

static void break_in_loop(void)
{
    enum { PASSES = 24 };
    volatile uint32_t *at[PASSES];
    for (unsigned i = 0; i < PASSES; i++)
        at[i] = i + 1 < PASSES ? &table[i & 15] : (volatile uint32_t *)0xf0000000;
    break_in_pass(at, PASSES);
}

/* A sink that breaks in the middle of the recorder's work. */
__attribute__((no_instrument_function)) static weft_status breaks(void *context, const uint8_t *frame, size_t size)
{
    (void)context;
    (void)frame;
    (void)size;
    *(volatile uint32_t *)0xf0000000 = 1;
    return WEFT_OK;
}

__attribute__((no_instrument_function, noinline)) static void break_sink(void)
{
    static const weft_sink sink = {NULL, breaks};
    weft_target_started()->config.sink = &sink;
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    unsigned rounds = argc > 2 ? (unsigned)atoi(argv[2]) : 100;
    for (unsigned i = 0; i < rounds; i++)
        work(i * i);
    if (!strcmp(way, "masked"))
        weft_mask_interrupts();
    if (!strcmp(way, "loop"))
        break_in_loop();
    if (!strcmp(way, "sink")) {
        break_sink();
        for (unsigned i = 0; i < 100000; i++)
            work(i * i);
    }
    break_it((volatile uint32_t *)0xf0000000);
    return 0;
}
