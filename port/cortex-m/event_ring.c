/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/event_ring.h"
#include "core/own.h"

#include <string.h>

#include "port/cortex-m/exclusive.h"

/* Linked where activations.c is (port/cortex-m/control_hooks.h). */
extern void weft_sampling_missed(void) __attribute__((weak));

/* Others may empty the ring before `tail` is read, so it may have passed `head`; then the store of head + 1 fails. */
static bool has_room(const weft_event_ring *ring, uint32_t head)
{
    return !weft_shared_get(&ring->full) && (int32_t)(head - weft_shared_get(&ring->tail)) <= (int32_t)ring->mask;
}

/* Claims a slot and stores its number in *claimed. */
static bool claim(weft_event_ring *ring, uint32_t *claimed)
{
    uint32_t head, state;
    do {
        head = weft_exclusive_load(&ring->head, &state);
        if (!has_room(ring, head)) {
            weft_exclusive_leave(state);
            return false;
        }
    } while (!weft_exclusive_store(&ring->head, head + 1, state));
    *claimed = head;
    return true;
}

static void add(uint32_t *word, uint32_t count)
{
    uint32_t value, state;
    do
        value = weft_exclusive_load(word, &state);
    while (!weft_exclusive_store(word, value + count, state));
}

static void lose(weft_event_ring *ring, uint32_t tag, uint32_t count)
{
    /* The count first: a drain in between must not open the ring again without it. */
    add(&ring->lost[tag], count);
    add(&ring->full, 1);
}

void weft_event_ring_lose(weft_event_ring *ring, uint32_t tag)
{
    lose(ring, tag, 1);
}

/* Events that one slot stands for. */
static uint32_t count_of(const weft_event_slot *event)
{
    bool passes = (event->tag & (WEFT_TAG_KIND | WEFT_TAG_ONE)) == (WEFT_TAG_PATH | WEFT_TAG_ONE);
    return passes ? event->data_high : 1;
}

/* Of a place only the first slot counts. */
static bool is_counted(const weft_event_slot *event)
{
    bool stamp = (event->tag & WEFT_TAG_STAMP) == WEFT_TAG_STAMP;
    return !stamp || (event->id & WEFT_EVENT_PLACE && (event->id & WEFT_EVENT_PLACE_KIND) != WEFT_EVENT_PLACE_HASHES);
}

void weft_event_ring_append(weft_event_ring *ring, const weft_event_slot *event)
{
    uint32_t at;
    if (!claim(ring, &at)) {
        if (weft_event_is_sampling(event) && weft_sampling_missed)
            weft_sampling_missed();
        else if (is_counted(event))
            lose(ring, event->tag & WEFT_TAG_KIND, count_of(event));
        return;
    }
    weft_event_slot *slot = &ring->slots[at & ring->mask];
    slot->id = event->id;
    slot->data = event->data;
    slot->data_high = event->data_high;
    weft_shared_set(&slot->tag, event->tag);
}

weft_status weft_event_ring_take(weft_event_ring *ring, weft_event_slot *event)
{
    weft_event_slot *slot = &ring->slots[ring->tail & ring->mask];
    if (weft_shared_get(&ring->head) == ring->tail || !weft_shared_get(&slot->tag))
        return WEFT_AGAIN;
    *event = *slot;
    weft_shared_set(&slot->tag, 0);
    weft_shared_set(&ring->tail, ring->tail + 1);
    return WEFT_OK;
}

static bool see_lost(weft_event_ring *ring)
{
    bool any = false;
    for (unsigned kind = 0; kind < 4; kind++) {
        uint32_t lost = weft_shared_get(&ring->lost[kind]);
        ring->missing[kind] += lost - ring->seen[kind];
        ring->seen[kind] = lost;
        any |= ring->missing[kind] != 0;
    }
    return any;
}

/* Opens a full ring, unless more was lost since `full` was read. One try: a loop here might never end while handlers go
 * on losing events. */
static bool open_again(weft_event_ring *ring, uint32_t full)
{
    uint32_t state;
    if (weft_exclusive_load(&ring->full, &state) == full)
        return weft_exclusive_store(&ring->full, 0, state);
    weft_exclusive_leave(state);
    return false;
}

bool weft_event_ring_take_lost(weft_event_ring *ring, uint64_t lost[4])
{
    uint32_t full = weft_shared_get(&ring->full);
    bool any = see_lost(ring);
    if (!full || weft_shared_get(&ring->head) != ring->tail || !open_again(ring, full))
        return false; /* what is missing stays counted for the next call */
    memcpy(lost, ring->missing, sizeof ring->missing);
    memset(ring->missing, 0, sizeof ring->missing);
    return any;
}

bool weft_event_ring_idle(const weft_event_ring *ring)
{
    bool idle = weft_shared_get(&ring->head) == ring->tail && !weft_shared_get(&ring->full);
    for (unsigned kind = 0; kind < 4; kind++)
        idle &= weft_shared_get(&ring->lost[kind]) == ring->seen[kind] && !ring->missing[kind];
    return idle;
}

bool weft_event_ring_abandon(weft_event_ring *ring)
{
    if (weft_event_ring_used(ring) == 0 || weft_shared_get(&ring->slots[ring->tail & ring->mask].tag))
        return false;
    weft_shared_set(&ring->tail, ring->tail + 1);
    return true;
}

weft_status weft_event_ring_clear(weft_event_ring *ring)
{
    weft_event_slot event;
    uint64_t lost[4];
    while (weft_event_ring_take(ring, &event) == WEFT_OK)
        ;
    if (weft_event_ring_used(ring))
        return WEFT_AGAIN;
    (void)weft_event_ring_take_lost(ring, lost);
    if (weft_shared_get(&ring->full))
        return WEFT_AGAIN;
    memset(ring->missing, 0, sizeof ring->missing);
    return WEFT_OK;
}
