/* SPDX-License-Identifier: MIT */
/* The entry point for loops of one path, in a file of its own so that a program without them does not link it. */
#include "core/own.h"
#include "core/recorder_passes.h"
#include "port/cortex-m/delivery.h"
#include "port/cortex-m/event_ring.h"
#include "port/cortex-m/probes.h"

/* Takes what the fast way does not. One event holds passes of one path, and not too many. */
static __attribute__((noinline)) void deliver(uint32_t path, uint32_t count)
{
    while (count > 0) {
        const weft_recorder *recorder = weft_target_recorder;
        uint32_t most = recorder ? weft_recorder_passes_max(recorder) : count, taken = count < most ? count : most;
        weft_deliver(WEFT_TAG_PATH | WEFT_TAG_ONE, path, 0, taken);
        count -= taken;
    }
}

/* To take the history back, to put what was taken into the ring, and to put the passes. */
enum { STEPS = 64 };

/* `count` more of the path that the caller has just recorded. */
static bool put_again(uint32_t path, uint32_t count)
{
    bool taken = false;
    for (unsigned step = 0; step < STEPS && !taken; step++) {
        uint32_t primask = weft_mask_interrupts();
        weft_recorder *recorder = weft_target_recorder;
        bool open = recorder && recorder->open == weft_ipsr();
        if (open && weft_history_lent(&recorder->history)) {
            weft_recorder_keep(recorder);
        } else if (open && recorder->history.pending) {
            weft_history_settle_step(&recorder->history);
        } else {
            taken = open && weft_recorder_again_here(recorder, path, count);
            step = STEPS;
        }
        weft_restore_interrupts(primask);
    }
    if (taken)
        weft_delivery_lend();
    return taken;
}

/* Records `count` passes, at least one. After the first, a few passes are recorded one by one, since they can be
 * predicted. Many passes are one item. */
static __attribute__((noinline)) void record(uint32_t first, uint32_t rest, uint32_t count)
{
    __weft_path(first);
    count--;
    if (first != rest && count > 0) {
        __weft_path(rest);
        count--;
    }
    if (count > WEFT_RECORDER_PASSES_FEW) {
        if (!put_again(rest, count))
            deliver(rest, count);
        return;
    }
    for (; count > 0; count--)
        __weft_path(rest);
}

uint32_t __weft_loop(uint32_t first, uint32_t rest, uint32_t after, uint32_t count)
{
    if (count == 0)
        return first + after - rest;
    if (weft_target_recorder)
        record(first, rest, count);
    return after;
}

void __weft_loop_path(uint32_t first, uint32_t rest, uint32_t after, uint32_t count)
{
    if (count == 0) {
        __weft_path(first + after - rest);
        return;
    }
    if (weft_target_recorder)
        record(first, rest, count);
    __weft_path(after);
}
