/* SPDX-License-Identifier: MIT */
/* Values, in a file of their own so that programs without value probes do not link it. */
#include "core/own.h"
#include "core/recorder_value.h"

static weft_value_slot *slot_of(const weft_recorder *recorder, uint32_t site)
{
    return &recorder->value_slots[site & recorder->value_slots_mask];
}

/* The difference from the value that is predicted. */
static uint64_t code_of(const weft_recorder *recorder, const weft_value_slot *slot, uint64_t value)
{
    uint64_t from = slot->epoch == recorder->epoch ? slot->value : recorder->value;
    return weft_zigzag64((int64_t)(value - from)) + 1;
}

static void learn(weft_recorder *recorder, weft_value_slot *slot, uint64_t value)
{
    slot->epoch = (uint16_t)recorder->epoch;
    slot->value = recorder->value = value;
}

static void put(weft_recorder *recorder, uint32_t site, uint64_t value)
{
    weft_region *values = &recorder->region[WEFT_REGION_VALUES];
    weft_value_slot *slot = slot_of(recorder, site);
    values->at = weft_put_varint64(values->at, code_of(recorder, slot, value));
    learn(recorder, slot, value);
}

void weft_recorder_value(weft_recorder *recorder, uint32_t context, uint32_t site, uint64_t value)
{
    const weft_number_coder *coder = recorder->config.value_coder;
    if (coder) {
        coder->value(recorder, context, site, (uint32_t)value, (uint32_t)(value >> 32));
        return;
    }
#ifndef __OPTIMIZE_SIZE__
    if (context == recorder->context && weft_recorder_value_here(recorder, site, value))
        return;
#endif
    if (weft_recorder_make_room(recorder, context, WEFT_REGION_VALUES))
        put(recorder, site, value);
    recorder->values++;
}
