/* SPDX-License-Identifier: MIT */
/* The entry point for loops of one path, in a file of its own so that a program without them does not link it. */
#include "core/own.h"
#include "core/recorder_passes.h"
#include "port/cortex-m/delivery.h"
#include "port/cortex-m/event_ring.h"
#include "port/cortex-m/probes.h"

/* What the fast way leaves. One event holds passes of one path, and not too many. */
static __attribute__((noinline)) void deliver(const weft_recorder *recorder, uint32_t first, uint32_t rest,
                                              uint32_t count)
{
    uint32_t most = weft_recorder_passes_max(recorder);
    if (first != rest) {
        weft_deliver(WEFT_TAG_PATH, first, 0, 0);
        count--;
    }
    while (count > 0) {
        uint32_t taken = count < most ? count : most;
        weft_deliver(WEFT_TAG_PATH | WEFT_TAG_ONE, rest, 0, taken);
        count -= taken;
    }
}

/* The fast way is open to the caller, which has masked interrupts. */
static bool is_open(const weft_recorder *recorder)
{
    const weft_region *control = &recorder->region[WEFT_REGION_CONTROL];
    return weft_ipsr() == recorder->open && control->at <= control->limit;
}

/* At least one pass. */
static __attribute__((noinline)) void record(uint32_t first, uint32_t rest, uint32_t count)
{
    weft_recorder *recorder = weft_target_recorder;
    while (recorder && count > 0) {
        uint32_t primask = weft_mask_interrupts();
        bool open = is_open(recorder);
        uint32_t taken = open ? weft_recorder_passes_here(recorder, first, rest, count) : 0;
        weft_restore_interrupts(primask);
        if (!open) {
            deliver(recorder, first, rest, count);
            break;
        }
        if (taken == 0) {
            __weft_path(first);
            taken = 1;
        }
        first = rest;
        count -= taken;
    }
}

uint32_t __weft_loop(uint32_t first, uint32_t rest, uint32_t after, uint32_t count)
{
    if (count == 0)
        return first + after - rest;
    record(first, rest, count);
    return after;
}

void __weft_loop_path(uint32_t first, uint32_t rest, uint32_t after, uint32_t count)
{
    if (count == 0) {
        __weft_path(first + after - rest);
        return;
    }
    record(first, rest, count);
    __weft_path(after);
}
