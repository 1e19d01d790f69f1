/* SPDX-License-Identifier: MIT */
/* The plugin's entry points, which record at once. Interrupts are masked for one event: usually the writing of a
 * varint; once per frame, the sealing of the frame and the sink's write. */
#include "core/own.h"
#include "core/recorder_fast.h"
#include "port/cortex-m/context.h"
#include "port/cortex-m/probes.h"

void __weft_path(uint32_t path)
{
    uint32_t primask;
    weft_recorder *recorder = weft_target_enter(&primask);
    if (!recorder)
        return;
    uint32_t from = weft_target_context();
    if (!weft_recorder_path_fast(recorder, from, path))
        weft_recorder_path(recorder, from, path);
    weft_restore_interrupts(primask);
}

void __weft_access(uint32_t site, const volatile void *address)
{
    uint32_t primask;
    weft_recorder *recorder = weft_target_enter(&primask);
    if (!recorder)
        return;
    uint32_t from = weft_target_context(), at = (uint32_t)(uintptr_t)address;
    if (!weft_recorder_access_fast(recorder, from, site, at))
        recorder->access(recorder, from, site, at);
    weft_restore_interrupts(primask);
}

void __weft_mark(uint32_t block)
{
    __asm volatile("" : : "r"(block));
}

void __weft_derived(uint32_t site, const volatile void *address)
{
    __asm volatile("" : : "r"(site), "r"(address));
}

bool weft_poll(void)
{
    return true;
}

weft_status weft_probes_begin(void)
{
    return WEFT_OK;
}

bool weft_probes_abandon(void)
{
    return true;
}
