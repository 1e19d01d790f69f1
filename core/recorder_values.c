/* SPDX-License-Identifier: MIT */
/* Values, in a file of their own so that programs without value probes do not link it. */
#include "core/own.h"
#include "core/recorder_fast.h"

static void put_plain(weft_recorder *recorder, uint32_t site, uint64_t value)
{
    weft_region *values = &recorder->region[WEFT_REGION_VALUES];
    weft_value_slot *slot = &recorder->value_slots[site & recorder->value_slots_mask];
    uint64_t from = slot->epoch == recorder->epoch ? slot->value : recorder->value;
    slot->epoch = recorder->epoch;
    slot->value = recorder->value = value;
    uint8_t *to = values->at;
    uint64_t code = weft_zigzag64((int64_t)(value - from)) + 1;
    values->at = weft_put_varint64(to, code);
}

bool weft_recorder_value_here(weft_recorder *recorder, uint32_t site, uint64_t value)
{
    const weft_region *values = &recorder->region[WEFT_REGION_VALUES];
    if (values->at > values->limit)
        return false;
    put_plain(recorder, site, value);
    recorder->values++;
    return true;
}

void weft_recorder_value(weft_recorder *recorder, uint32_t context, uint32_t site, uint64_t value)
{
    const weft_number_coder *coder = recorder->config.value_coder;
    if (coder) {
        coder->value(recorder, context, site, (uint32_t)value, (uint32_t)(value >> 32));
        return;
    }
    if (context == recorder->context && weft_recorder_value_here(recorder, site, value))
        return;
    if (weft_recorder_make_room(recorder, context, WEFT_REGION_VALUES))
        put_plain(recorder, site, value);
    recorder->values++;
}
