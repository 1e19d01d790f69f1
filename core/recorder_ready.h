/* SPDX-License-Identifier: MIT */
/* Accesses for a probe that masks interrupts: at once, or, on a processor that takes too many instructions for that, in
 * two steps. First what will be written is found, then it is written if it is still true. */
#ifndef WEFT_CORE_RECORDER_READY_H
#define WEFT_CORE_RECORDER_READY_H

#include "core/recorder_fast.h"

#ifdef __cplusplus
extern "C" {
#endif

/* weft_recorder_put_miss with WEFT_SHORT_STEPS, for a slot that is not stale. False: nothing was done, since there is
 * no room, or it is longer than three bytes. Such a difference is a stride, too. */
static inline bool weft_recorder_put_near(weft_recorder *recorder, uint32_t turn, weft_slot *slot, uint32_t difference,
                                          uint32_t address)
{
    weft_region *bus = &recorder->region[WEFT_REGION_BUS];
    uint32_t run = turn & WEFT_TURN_RUN;
    uint8_t *to = bus->at;
    if (to > bus->limit || run >= WEFT_RUN_LONG || difference + WEFT_OTHER_LONG / 2 >= WEFT_OTHER_LONG)
        return false;
    recorder->turn = turn - run;
    recorder->accesses += run + 1;
    recorder->address = address;
    slot->state = recorder->epoch | difference << 16;
    slot->last = address;
    if (run)
        *to++ = (uint8_t)run;
    uint32_t code = weft_zigzag((int32_t)difference), more = code / WEFT_CODE_OTHER;
    *to++ = (uint8_t)((more ? 0x80u : 0u) | WEFT_CODE_OTHER | code);
    if (more)
        *to++ = (uint8_t)more;
    bus->at = to;
    return true;
}

/* Takes an address in a context that has this exception, if the recorder is open for it. With interrupts masked. False:
 * nothing was done. */
static inline bool weft_recorder_access_lent(weft_recorder *recorder, uint32_t exception, uint32_t site,
                                             uint32_t address)
{
    const weft_region *bus = &recorder->region[WEFT_REGION_BUS];
    weft_slot *slot = &recorder->slots[site & recorder->slots_mask];
    uint32_t turn = recorder->turn, difference = address - slot->last, state = slot->state;
    if ((turn ^ exception << WEFT_TURN_EXCEPTION) >> WEFT_TURN_RUN_BITS || (state ^ recorder->epoch) & 0xffff)
        return false;
    weft_recorder_look_at_paths(recorder);
    if (difference == weft_slot_stride(state)) {
        slot->last = address;
        recorder->address = address;
        recorder->turn = turn + 1;
        return true;
    }
    if (WEFT_SHORT_STEPS)
        return weft_recorder_put_near(recorder, turn, slot, difference, address);
    if (bus->at > bus->limit)
        return false;
    weft_recorder_put_miss(recorder, turn, slot, difference, state, address, false);
    return true;
}

/* An item found before interrupts are masked, so that it takes few instructions to write it then. */
typedef struct weft_ready {
    uint32_t first; /* four bytes, the lowest is the first */
    uint32_t last;  /* the fifth */
    uint32_t count;
} weft_ready;

static inline void weft_ready_other(weft_ready *ready, uint32_t difference)
{
    uint32_t code = weft_zigzag((int32_t)difference), first = WEFT_CODE_OTHER | code % WEFT_CODE_OTHER;
    uint32_t rest = code / WEFT_CODE_OTHER, at = 0;
    for (; rest && at < 24; rest >>= 7) {
        first |= 0x80u << at;
        at += 8;
        first |= (rest & 0x7f) << at;
    }
    ready->first = rest ? first | 0x80000000u : first;
    ready->last = rest;
    ready->count = at / 8 + (rest ? 2u : 1u);
}

/* Writes it. There is room for the largest one. */
static inline uint8_t *weft_put_ready(uint8_t *to, const weft_ready *ready)
{
    uint32_t first = ready->first;
    to[0] = (uint8_t)first;
    to[1] = (uint8_t)(first >> 8);
    to[2] = (uint8_t)(first >> 16);
    to[3] = (uint8_t)(first >> 24);
    to[4] = (uint8_t)ready->last;
    return to + ready->count;
}

/* How an address is written, if it is not the predicted one, and what its slot becomes. */
typedef struct weft_ready_address {
    weft_slot was;    /* the slot, */
    uint32_t epoch;   /* and the recorder, for which this holds: its epoch, */
    uint32_t address; /* and the last address */
    bool predicted;
    weft_slot slot;
    weft_ready item;
} weft_ready_address;

/* With interrupts on: weft_recorder_access_ready looks whether it is still true. */
static inline void weft_recorder_ready_address(const weft_recorder *recorder, uint32_t site, uint32_t address,
                                               weft_ready_address *ready)
{
    weft_slot was = recorder->slots[site & recorder->slots_mask];
    uint32_t epoch = recorder->epoch, last = recorder->address;
    bool stale = (was.state ^ epoch) & 0xffff;
    uint32_t difference = address - (stale ? last : was.last), state = stale ? epoch : was.state;
    uint32_t stride = (uint32_t)(int16_t)difference == difference && !stale ? difference : 0;
    ready->was = was;
    ready->epoch = epoch;
    ready->address = last;
    ready->predicted = difference == weft_slot_stride(state);
    ready->slot.last = address;
    ready->slot.state = (state & 0xffff) | stride << 16;
    weft_ready_other(&ready->item, difference);
}

/* Takes an address in the context of the event before. With interrupts masked, and after weft_recorder_look_at_paths.
 * False: nothing was done, since there is no room, the present run is long, or something was recorded after
 * weft_recorder_ready_address. */
static inline bool weft_recorder_access_ready(weft_recorder *recorder, uint32_t site, uint32_t address,
                                              const weft_ready_address *ready)
{
    weft_region *bus = &recorder->region[WEFT_REGION_BUS];
    weft_slot *slot = &recorder->slots[site & recorder->slots_mask];
    if ((slot->last ^ ready->was.last) | (slot->state ^ ready->was.state) | (recorder->epoch ^ ready->epoch) |
        (recorder->address ^ ready->address))
        return false; /* a compiler for Thumb-1 takes fewer registers for this than for comparisons */
    if (recorder->history.at != recorder->seen_at)
        return false;
    uint32_t turn = recorder->turn, run = turn & WEFT_TURN_RUN;
    uint8_t *to = bus->at;
    if (to > bus->limit || run >= WEFT_RUN_LONG)
        return false;
    *slot = ready->slot;
    recorder->address = address;
    if (ready->predicted) {
        recorder->turn = turn + 1;
        return true;
    }
    recorder->accesses++;
    weft_recorder_end_turn(recorder, turn, run);
    if (run)
        *to++ = (uint8_t)run;
    bus->at = weft_put_ready(to, &ready->item);
    return true;
}

#ifdef __cplusplus
}
#endif

#endif
