/* SPDX-License-Identifier: MIT */
/* What devices answered, of a program that is compiled with probes=inputs (tools/gcc/laps.cc). */
#include "core/own.h"
#include "port/cortex-m/delivery.h"
#include "port/cortex-m/inputs_parts.h"
#include "port/cortex-m/probes.h"
#include "port/cortex-m/weft_target.h"

/* The newest answer, since the same one mostly comes again: a loop that waits for a device is one event. It is recorded
 * before what comes after it. tag 0: none; data_high: how many times more it came. */
static weft_event_slot newest;
static uint32_t run; /* of which recording it is */

/* With interrupts masked. What came after the end of an earlier recording is not part of the next. */
static void forget_earlier(void)
{
    if (run != weft_target_runs())
        newest.tag = 0;
    run = weft_target_runs();
}

void weft_inputs_flush(void)
{
    uint32_t primask = weft_mask_interrupts();
    forget_earlier();
    bool any = newest.tag;
    weft_restore_interrupts(primask);
    if (any)
        weft_delivery_kept(&newest);
}

/* Peripherals, and the core's own registers. What RAM holds, an execution knows (tools/lib/rerun/space.h). */
static bool is_device(uint32_t address)
{
    return address >> 29 == 2 || address >= 0xa0000000u;
}

bool weft_inputs_keep(const weft_event_slot *answer)
{
    forget_earlier();
    if (newest.tag && (newest.tag != answer->tag || newest.id != answer->id || newest.data != answer->data ||
                       newest.data_high == UINT32_MAX))
        return false;
    uint32_t more = newest.tag ? newest.data_high + 1 : 0;
    newest = *answer;
    newest.data_high = more;
    return true;
}

void __weft_input(const void *address, uint32_t value)
{
    uint32_t at = (uint32_t)(uintptr_t)address, back = (uint32_t)(uintptr_t)__builtin_return_address(0) & ~1u;
    if (!is_device(at) || !weft_target_recorder)
        return;
    weft_input_put(at, back, value);
}
