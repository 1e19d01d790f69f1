/* SPDX-License-Identifier: MIT */
/* The fast path for values, as in core/recorder_fast.h. In a header of its own, as recorder_values.c is a file. */
#ifndef WEFT_CORE_RECORDER_VALUE_H
#define WEFT_CORE_RECORDER_VALUE_H

#include "core/recorder_fast.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A value in the context of the event before. Codes beyond 32 bits take too many instructions for this. */
static inline bool weft_recorder_value_here(weft_recorder *recorder, uint32_t site, uint64_t value)
{
    weft_region *values = &recorder->region[WEFT_REGION_VALUES];
    weft_value_slot *slot = &recorder->value_slots[site & recorder->value_slots_mask];
    const uint64_t *from = slot->epoch == recorder->epoch ? &slot->value : &recorder->value;
    uint64_t difference = value - *from;
    uint32_t low = (uint32_t)difference, code = weft_zigzag((int32_t)low) + 1;
    if ((uint32_t)(difference >> 32) != 0u - (low >> 31) || !code || values->at > values->limit)
        return false;
    slot->epoch = (uint16_t)recorder->epoch;
    slot->value = recorder->value = value;
    weft_recorder_look_at_paths_for_value(recorder);
    recorder->values++;
    values->at = weft_put_varint(values->at, code);
    return true;
}

#ifdef __cplusplus
}
#endif

#endif
