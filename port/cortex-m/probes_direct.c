/* SPDX-License-Identifier: MIT */
/* The plugin's entry points, recording at once. Interrupts are masked for one event: at most a varint or, once a frame,
 * the sealing of the frame and the sink's write. */
#include "core/recorder_fast.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/weft_target.h"

static inline uint32_t context(void)
{
    uint32_t exception = weft_ipsr();
    return exception ? exception : weft_target_thread;
}

void __weft_path(uint32_t path)
{
    weft_recorder *recorder = weft_target_recorder;
    if (!recorder)
        return;
    uint32_t primask = weft_mask_interrupts();
    uint32_t from = context();
    if (!weft_recorder_path_fast(recorder, from, path))
        weft_recorder_path(recorder, from, path);
    weft_restore_interrupts(primask);
}

void __weft_access(uint32_t site, const volatile void *address)
{
    weft_recorder *recorder = weft_target_recorder;
    if (!recorder)
        return;
    uint32_t primask = weft_mask_interrupts();
    uint32_t from = context(), at = (uint32_t)(uintptr_t)address;
    if (!weft_recorder_access_fast(recorder, from, site, at))
        weft_recorder_access(recorder, from, site, at);
    weft_restore_interrupts(primask);
}

void __weft_value64(uint32_t site, uint64_t value)
{
    weft_recorder *recorder = weft_target_recorder;
    if (!recorder)
        return;
    uint32_t primask = weft_mask_interrupts();
    weft_recorder_value(recorder, context(), site, value);
    weft_restore_interrupts(primask);
}

void __weft_value(uint32_t site, uint32_t value)
{
    __weft_value64(site, value);
}

void __weft_mark(uint32_t block)
{
    __asm volatile("" : : "r"(block));
}

void weft_poll(void)
{
}
