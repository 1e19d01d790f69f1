/* SPDX-License-Identifier: MIT */
/* The entry points for values, in a file of their own so that a program without value probes does not link them. */
#include "core/own.h"
#include "core/recorder_value.h"
#include "port/cortex-m/delivery.h"
#include "port/cortex-m/event_ring.h"
#include "port/cortex-m/probes.h"
#include "port/cortex-m/under_way.h"

/* Links it: delivery_parts.h has only a weak name of it. */
typedef void records_values(weft_recorder *recorder, uint32_t context, uint32_t site, uint64_t value);
static records_values *const what_records __attribute__((used)) = weft_recorder_value;

void __weft_value64(uint32_t site, uint64_t value)
{
    weft_recorder *recorder = weft_target_recorder;
    if (!recorder)
        return;
    uint32_t primask = weft_mask_interrupts();
    bool taken = weft_ipsr() == recorder->open && weft_recorder_value_here(recorder, site, value);
    if (!taken) /* of the caller's exception no other event is under way */
        weft_note_under_way(true);
    weft_restore_interrupts(primask);
    if (!taken)
        weft_deliver(WEFT_TAG_VALUE, site, (uint32_t)value, (uint32_t)(value >> 32));
}

void __weft_value(uint32_t site, uint32_t value)
{
    __weft_value64(site, value);
}
