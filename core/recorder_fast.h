/* SPDX-License-Identifier: MIT */
/* The fast paths of the recorder, to be inlined into probes. True: the event was taken, as nearly always. False:
 * nothing was done, and the function of the same name without _fast or _here (core/recorder.h) must be called. They
 * take less than 100 instructions. */
#ifndef WEFT_CORE_RECORDER_FAST_H
#define WEFT_CORE_RECORDER_FAST_H

#include "core/recorder.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline uint8_t *weft_put_varint(uint8_t *to, uint32_t value)
{
    for (; value > 0x7f; value >>= 7)
        *to++ = (uint8_t)(value | 0x80);
    *to++ = (uint8_t)value;
    return to;
}

static inline uint8_t *weft_put_varint64(uint8_t *to, uint64_t value)
{
    for (; value > 0x7f; value >>= 7)
        *to++ = (uint8_t)(value | 0x80);
    *to++ = (uint8_t)value;
    return to;
}

/* Notes that all accesses and values so far belong to paths that have ended. */
static inline void weft_recorder_path_done(weft_recorder *recorder)
{
    recorder->paths++;
    recorder->accesses_done = recorder->accesses;
    recorder->values_done = recorder->values;
}

/* Writes the present run of predicted paths or addresses, which might still take `left` more. There is always room for
 * it. */
static inline uint8_t *weft_put_run(uint8_t *to, uint32_t left)
{
    uint32_t run = WEFT_RECORDER_RUN_MAX - left;
    if (run == 0)
        return to;
    if (run >= WEFT_RUN_LONG)
        *to++ = WEFT_RUN_LONG;
    return weft_put_varint(to, run);
}

/* Writes a path or address by its difference from the predicted one. */
static inline uint8_t *weft_put_other(uint8_t *to, uint32_t difference)
{
    uint32_t code = weft_zigzag((int32_t)difference);
    if (code < WEFT_CODE_OTHER) {
        *to++ = (uint8_t)(WEFT_CODE_OTHER | code);
        return to;
    }
    *to++ = (uint8_t)(0x80 | WEFT_CODE_OTHER | code);
    return weft_put_varint(to, code / WEFT_CODE_OTHER);
}

/* Codes a path, for which there is room. False: it is predicted, but the run is full; nothing was done. */
static inline bool weft_recorder_put_path(weft_recorder *recorder, uint32_t path)
{
    weft_region *control = &recorder->region[WEFT_REGION_CONTROL];
    uint32_t *follower = &recorder->followers[recorder->path & recorder->followers_mask];
    uint32_t predicted = *follower, left = recorder->run_left;
    if (path != predicted) {
        *follower = recorder->path = path;
        recorder->run_left = WEFT_RECORDER_RUN_MAX;
        control->at = weft_put_other(weft_put_run(control->at, left), path - predicted);
        return true;
    }
    if (left == 0)
        return false;
    recorder->path = path;
    recorder->run_left = left - 1;
    return true;
}

/* A path of the context of the event before. */
static inline bool weft_recorder_path_here(weft_recorder *recorder, uint32_t path)
{
    const weft_region *control = &recorder->region[WEFT_REGION_CONTROL];
    if (control->at > control->limit || !weft_recorder_put_path(recorder, path))
        return false;
    weft_recorder_path_done(recorder);
    return true;
}

static inline bool weft_recorder_path_fast(weft_recorder *recorder, uint32_t context, uint32_t path)
{
    return context == recorder->context && weft_recorder_path_here(recorder, path);
}

/* Codes an address, for which there is room. The site's next address is predicted at its last stride. */
static inline void weft_recorder_put_address(weft_recorder *recorder, uint32_t site, uint32_t address)
{
    weft_region *bus = &recorder->region[WEFT_REGION_BUS];
    weft_slot *slot = &recorder->slots[site & recorder->slots_mask];
    uint32_t from = slot->address, left = recorder->bus_left, epoch = recorder->epoch;
    int32_t stride = slot->stride;
    bool stale = slot->epoch != epoch;
    if (stale) {
        from = recorder->address;
        slot->epoch = (uint16_t)epoch;
        slot->stride = 0;
        stride = 0;
    }
    slot->address = recorder->address = address;
    recorder->accesses++;
    uint32_t difference = address - from;
    if (difference != (uint32_t)stride) {
        if (!stale)
            slot->stride = (uint32_t)(int16_t)difference == difference ? (int16_t)difference : 0;
        recorder->bus_left = WEFT_RECORDER_RUN_MAX;
        bus->at = weft_put_other(weft_put_run(bus->at, left), difference);
        return;
    }
    if (left == 0) {
        bus->at = weft_put_run(bus->at, left);
        left = WEFT_RECORDER_RUN_MAX;
    }
    recorder->bus_left = left - 1;
}

/* weft_recorder_fits for an address; also false while a frame waits. */
static inline bool weft_recorder_bus_fits(const weft_recorder *recorder)
{
    const weft_region *bus = &recorder->region[WEFT_REGION_BUS];
    return bus->end - bus->at >= (ptrdiff_t)WEFT_RECORDER_ADDRESS_MAX;
}

/* An access in the context of the event before. */
static inline bool weft_recorder_access_here(weft_recorder *recorder, uint32_t site, uint32_t address)
{
    const weft_region *bus = &recorder->region[WEFT_REGION_BUS];
    if (bus->at > bus->limit)
        return false;
    weft_recorder_put_address(recorder, site, address);
    return true;
}

static inline bool weft_recorder_access_fast(weft_recorder *recorder, uint32_t context, uint32_t site, uint32_t address)
{
    return context == recorder->context && weft_recorder_access_here(recorder, site, address);
}

/* A value in the context of the event before. */
bool weft_recorder_value_here(weft_recorder *recorder, uint32_t site, uint64_t value);

#ifdef __cplusplus
}
#endif

#endif
