/* SPDX-License-Identifier: MIT */
/* The entry points for values that go with probes_direct.c, in a file of their own so that a program without value
 * probes does not link them. */
#include "core/own.h"
#include "core/recorder_fast.h"
#include "port/cortex-m/context.h"
#include "port/cortex-m/probes.h"

void __weft_value64(uint32_t site, uint64_t value)
{
    uint32_t primask;
    weft_recorder *recorder = weft_target_enter(&primask);
    if (!recorder)
        return;
    weft_recorder_value_inline(recorder, weft_target_context(), site, value);
    weft_restore_interrupts(primask);
}

void __weft_value(uint32_t site, uint32_t value)
{
    __weft_value64(site, value);
}
