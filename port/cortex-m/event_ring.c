/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/event_ring.h"
#include "core/own.h"

#include <string.h>

#include "port/cortex-m/exclusive.h"

/* Linked where activations.c is (port/cortex-m/control_hooks.h). */
extern void weft_sampling_missed(void) __attribute__((weak));

/* NMI has lost events since the drain emptied the ring. */
static bool nmi_full(const weft_event_ring *ring)
{
    const weft_nmi_events *nmi = weft_event_ring_nmi(ring);
    return nmi && weft_shared_get(&nmi->full) != weft_shared_get(&nmi->opened);
}

/* Others may empty the ring before `tail` is read, so it may have passed `head`; then the store of head + 1 fails. */
static bool has_room(const weft_event_ring *ring, uint32_t head)
{
    return !weft_shared_get(&ring->full) && !nmi_full(ring) &&
           (int32_t)(head - weft_shared_get(&ring->tail)) <= (int32_t)ring->mask;
}

/* Claims a slot where NMI may come in the middle. It looks at `claims`, so the slot is looked for after that is set. */
static bool claim_before_nmi(weft_event_ring *ring, uint32_t *claimed)
{
    uint32_t state;
    (void)weft_exclusive_load(&ring->head, &state);
    weft_shared_set(&ring->nmi->claims, 1);
    uint32_t head = weft_shared_get(&ring->head);
    bool room = has_room(ring, head);
    if (room)
        weft_shared_set(&ring->head, head + 1);
    weft_shared_set(&ring->nmi->claims, 0);
    weft_exclusive_leave(state);
    *claimed = head;
    return room;
}

/* Stores the number of the slot in *claimed. */
static bool claim(weft_event_ring *ring, uint32_t *claimed)
{
    uint32_t head, state;
    if (weft_event_ring_nmi(ring))
        return claim_before_nmi(ring, claimed);
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

enum { NMI = 2 };

static void lose(weft_event_ring *ring, uint32_t tag, uint32_t count)
{
    if (weft_event_ring_nmi(ring) && weft_ipsr() == NMI) {
        ring->nmi->lost[tag] += count;
        ring->nmi->full += count;
        return;
    }
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

/* For NMI in the middle of a claim. */
static bool put_apart(const weft_event_ring *ring, const weft_event_slot *event)
{
    weft_nmi_events *nmi = ring->nmi;
    if (ring->full || nmi->full != nmi->opened || nmi->head - nmi->tail >= WEFT_EVENT_RING_NMI_SLOTS)
        return false;
    nmi->slots[nmi->head % WEFT_EVENT_RING_NMI_SLOTS] = (weft_nmi_slot){ring->head, *event};
    nmi->head++;
    return true;
}

static bool put(weft_event_ring *ring, const weft_event_slot *event)
{
    uint32_t at;
    if (weft_event_ring_nmi(ring) && weft_shared_get(&ring->nmi->claims))
        return put_apart(ring, event);
    if (!claim(ring, &at))
        return false;
    weft_event_slot *slot = &ring->slots[at & ring->mask];
    slot->id = event->id;
    slot->data = event->data;
    slot->data_high = event->data_high;
    weft_shared_set(&slot->tag, event->tag);
    return true;
}

void weft_event_ring_append(weft_event_ring *ring, const weft_event_slot *event)
{
    if (put(ring, event))
        return;
    if (weft_event_is_sampling(event) && weft_sampling_missed)
        weft_sampling_missed();
    else if (is_counted(event))
        lose(ring, event->tag & WEFT_TAG_KIND, count_of(event));
}

/* NMI's oldest event, if all that were claimed before it are taken. */
static bool take_apart(weft_event_ring *ring, weft_event_slot *event)
{
    weft_nmi_events *nmi = ring->nmi;
    if (!weft_event_ring_nmi(ring) || weft_shared_get(&nmi->head) == nmi->tail)
        return false;
    const weft_nmi_slot *slot = &nmi->slots[nmi->tail % WEFT_EVENT_RING_NMI_SLOTS];
    if ((int32_t)(slot->before - ring->tail) > 0)
        return false;
    *event = slot->event;
    weft_shared_set(&nmi->tail, nmi->tail + 1);
    return true;
}

weft_status weft_event_ring_take(weft_event_ring *ring, weft_event_slot *event)
{
    weft_event_slot *slot = &ring->slots[ring->tail & ring->mask];
    if (take_apart(ring, event))
        return WEFT_OK;
    if (weft_shared_get(&ring->head) == ring->tail || !weft_shared_get(&slot->tag))
        return WEFT_AGAIN;
    *event = *slot;
    weft_shared_set(&slot->tag, 0);
    weft_shared_set(&ring->tail, ring->tail + 1);
    return WEFT_OK;
}

/* Events that were lost so far. */
static uint32_t all_lost(const weft_event_ring *ring, unsigned kind)
{
    const weft_nmi_events *nmi = weft_event_ring_nmi(ring);
    return weft_shared_get(&ring->lost[kind]) + (nmi ? weft_shared_get(&nmi->lost[kind]) : 0);
}

static bool see_lost(weft_event_ring *ring)
{
    bool any = false;
    for (unsigned kind = 0; kind < 4; kind++) {
        uint32_t lost = all_lost(ring, kind);
        ring->missing[kind] += lost - ring->seen[kind];
        ring->seen[kind] = lost;
        any |= ring->missing[kind] != 0;
    }
    return any;
}

static bool is_empty(const weft_event_ring *ring)
{
    const weft_nmi_events *nmi = weft_event_ring_nmi(ring);
    return weft_shared_get(&ring->head) == ring->tail && (!nmi || weft_shared_get(&nmi->head) == nmi->tail);
}

/* Opens a full ring, unless more was lost since `full` was read, or by NMI since `apart`. One try: a loop here might
 * never end while handlers go on losing events. */
static bool open_again(weft_event_ring *ring, uint32_t full, uint32_t apart)
{
    uint32_t state;
    if (weft_exclusive_load(&ring->full, &state) == full) {
        if (weft_event_ring_nmi(ring))
            weft_shared_set(&ring->nmi->opened, apart);
        return weft_exclusive_store(&ring->full, 0, state);
    }
    weft_exclusive_leave(state);
    return false;
}

bool weft_event_ring_take_lost(weft_event_ring *ring, uint64_t lost[4])
{
    const weft_nmi_events *nmi = weft_event_ring_nmi(ring);
    uint32_t full = weft_shared_get(&ring->full), apart = nmi ? weft_shared_get(&nmi->full) : 0;
    bool any = see_lost(ring);
    if ((!full && !(nmi && apart != nmi->opened)) || !is_empty(ring) || !open_again(ring, full, apart))
        return false; /* what is missing stays counted for the next call */
    memcpy(lost, ring->missing, sizeof ring->missing);
    memset(ring->missing, 0, sizeof ring->missing);
    return any;
}

bool weft_event_ring_idle(const weft_event_ring *ring)
{
    bool idle = is_empty(ring) && !weft_shared_get(&ring->full) && !nmi_full(ring);
    for (unsigned kind = 0; kind < 4; kind++)
        idle &= all_lost(ring, kind) == ring->seen[kind] && !ring->missing[kind];
    return idle;
}

bool weft_event_ring_abandon(weft_event_ring *ring)
{
    if (weft_event_ring_used(ring) == 0 || weft_shared_get(&ring->slots[ring->tail & ring->mask].tag))
        return false;
    weft_shared_set(&ring->tail, ring->tail + 1);
    return true;
}

bool weft_event_ring_shut(weft_event_ring *ring)
{
    if (weft_event_ring_waits(ring))
        return false;
    add(&ring->full, 1);
    if (is_empty(ring)) /* what was lost since came after the end: before it, the ring would be full */
        return true;
    add(&ring->full, UINT32_MAX);
    return false;
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
    if (weft_event_ring_waits(ring))
        return WEFT_AGAIN;
    memset(ring->missing, 0, sizeof ring->missing);
    return WEFT_OK;
}
