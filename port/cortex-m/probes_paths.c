/* SPDX-License-Identifier: MIT */
/* The plugin's entry points for paths and accesses. Nearly all events take the fast way, with interrupts masked. */
#include "core/own.h"
#include "core/recorder_fast.h"
#include "port/cortex-m/delivery.h"
#include "port/cortex-m/event_ring.h"
#include "port/cortex-m/probes.h"

void __weft_path(uint32_t path)
{
    weft_recorder *recorder = weft_target_recorder;
    if (!recorder)
        return;
    uint32_t primask = weft_mask_interrupts();
    bool taken = weft_ipsr() == recorder->open && weft_recorder_path_here(recorder, path);
    weft_restore_interrupts(primask);
    if (!taken)
        weft_deliver(WEFT_TAG_PATH, path, 0, 0);
}

void __weft_access(uint32_t site, const volatile void *address)
{
    weft_recorder *recorder = weft_target_recorder;
    if (!recorder)
        return;
    uint32_t at = (uint32_t)(uintptr_t)address, primask = weft_mask_interrupts();
    bool taken = weft_ipsr() == recorder->open && weft_recorder_access_here(recorder, site, at);
    weft_restore_interrupts(primask);
    if (!taken)
        weft_deliver(WEFT_TAG_ACCESS, site, at, 0);
}
