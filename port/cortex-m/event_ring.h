/* SPDX-License-Identifier: MIT */
/* A lock-free ring between probes and the recorder. Any context appends; contexts nest, as interrupts do on one
 * processor, so an append that is interrupted by others is the oldest of them and the drain waits for it. One context
 * at a time drains, in the order of the appends.
 *
 *      drained     taken, being written or whole            free
 *     ---------+------------------------------------+------------------
 *            tail                                  head
 *
 * When the ring is full, events are counted by kind instead, until the drain has emptied the ring. So all of them were
 * lost at one place, and the drain reports their number there. */
#ifndef WEFT_PORT_EVENT_RING_H
#define WEFT_PORT_EVENT_RING_H

#include "core/base.h"

typedef enum weft_event_tag { WEFT_TAG_PATH = 1, WEFT_TAG_ACCESS = 2, WEFT_TAG_VALUE = 3 } weft_event_tag;

/* tag is written last; 0: not complete yet. */
typedef struct weft_event_slot {
    uint32_t tag; /* weft_event_tag | context << 2 */
    uint32_t id;
    uint32_t data, data_high;
} weft_event_slot;

typedef struct weft_event_ring {
    weft_event_slot *slots; /* the caller's, all zero at the start */
    uint32_t mask;          /* number of slots, a power of two, minus 1 */
    uint32_t head, tail;    /* never reset; they wrap at 2^32 */
    uint32_t full;          /* 1: lost holds events that came after head */
    uint32_t lost[4];       /* by tag */
} weft_event_ring;

/* Constant time, never waits. Where the processor has no LDREX, interrupts are masked for about ten instructions. */
void weft_event_ring_append(weft_event_ring *ring, const weft_event_slot *event);

/* The oldest event: WEFT_OK. WEFT_AGAIN: none, or its append was interrupted by the caller. */
weft_status weft_event_ring_take(weft_event_ring *ring, weft_event_slot *event);

/* After WEFT_AGAIN: true when events were lost at this place; `lost` then holds their number by tag. */
bool weft_event_ring_take_lost(weft_event_ring *ring, uint32_t lost[4]);

static inline uint32_t weft_event_ring_used(const weft_event_ring *ring)
{
    return *(const volatile uint32_t *)&ring->head - *(const volatile uint32_t *)&ring->tail;
}

#endif
