/* SPDX-License-Identifier: MIT */
/* The fast paths of the recorder, to be inlined into probes: true when the event was taken, which is nearly always; false when
 * nothing was done, and the function of the same name without _fast (core/recorder.h) must be called; for an access, recorder->access is the same. */
#ifndef WEFT_CORE_RECORDER_FAST_H
#define WEFT_CORE_RECORDER_FAST_H

#include "core/recorder.h"

static inline uint8_t *weft_put_varint(uint8_t *to, uint32_t value)
{
    for (; value > 0x7f; value >>= 7)
        *to++ = (uint8_t)(value | 0x80);
    *to++ = (uint8_t)value;
    return to;
}

/* A difference as it is written. One more than the zigzag, modulo 2^32: so that the most frequent one is no zero byte, which
 * COBS would have to work for. */
static inline uint32_t weft_difference(uint32_t difference)
{
    return weft_zigzag((int32_t)difference) + 1;
}

/* Notes that all accesses and values so far belong to paths that have ended. */
static inline void weft_recorder_path_done(weft_recorder *recorder)
{
    recorder->paths++;
    recorder->accesses_done = recorder->accesses;
    recorder->values_done = recorder->values;
}

/* Takes a path that is foreseen, which most are. */
static inline bool weft_recorder_path_fast(weft_recorder *recorder, uint32_t context, uint32_t path)
{
    uint32_t left = recorder->run_left;
    if (context != recorder->context || path != recorder->followers[recorder->path & recorder->followers_mask] || left == 0)
        return false;
    recorder->path = path;
    recorder->run_left = left - 1;
    weft_recorder_path_done(recorder);
    return true;
}

/* Codes an address where there is room. */
static inline void weft_recorder_put_address(weft_recorder *recorder, uint32_t site, uint32_t address)
{
    weft_region *bus = &recorder->region[WEFT_REGION_BUS];
    weft_slot *slot = &recorder->slots[site & recorder->slots_mask];
    uint32_t from = slot->epoch == recorder->epoch ? slot->address : recorder->address;
    slot->epoch = recorder->epoch;
    slot->address = recorder->address = address;
    bus->at = weft_put_varint(bus->at, weft_difference(address - from));
    recorder->accesses++;
}

/* weft_recorder_fits for an address; also false while a frame waits. */
static inline bool weft_recorder_bus_fits(const weft_recorder *recorder)
{
    const weft_region *bus = &recorder->region[WEFT_REGION_BUS];
    return bus->end - bus->at >= (ptrdiff_t)WEFT_RECORDER_ADDRESS_MAX;
}

static inline bool weft_recorder_access_fast(weft_recorder *recorder, uint32_t context, uint32_t site, uint32_t address)
{
    weft_region *bus = &recorder->region[WEFT_REGION_BUS];
    if (context != recorder->context || bus->at > bus->limit)
        return false;
    weft_recorder_put_address(recorder, site, address);
    return true;
}

/* Without a coder of values. */
void weft_recorder_value_plain(weft_recorder *recorder, uint32_t context, uint32_t site, uint64_t value);

/* weft_recorder_value. */
static inline void weft_recorder_value_inline(weft_recorder *recorder, uint32_t context, uint32_t site, uint64_t value)
{
    const weft_number_coder *coder = recorder->config.value_coder;
    if (coder)
        coder->value(recorder, context, site, (uint32_t)value, (uint32_t)(value >> 32));
    else
        weft_recorder_value_plain(recorder, context, site, value);
}

#endif
