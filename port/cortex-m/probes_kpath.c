/* SPDX-License-Identifier: MIT */
/* The entry points of builds with a k-slab forest, in a file of their own so that other builds do not link the forest.
 * They record at once, as probes_direct.c does: when a ring is drained the activation may have ended. */
#include "core/own.h"
#include "core/recorder_ksf.h"
#include "port/cortex-m/context.h"
#include "port/cortex-m/probes.h"

void __weft_kpath(uint32_t path, uint32_t activation[4])
{
    uint32_t primask;
    weft_recorder *recorder = weft_target_enter(&primask);
    if (!recorder)
        return;
    weft_recorder_kpath(recorder, weft_target_context(), path, (weft_ksf_activation *)activation);
    weft_restore_interrupts(primask);
}

/* The forest need not know that an activation ends. */
void __weft_kpath_exit(uint32_t path, uint32_t activation[4])
{
    __weft_kpath(path, activation);
}
