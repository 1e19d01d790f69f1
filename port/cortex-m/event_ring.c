/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/event_ring.h"
#include "core/own.h"

#include <string.h>

#include "port/cortex-m/cortexm.h"

/* Only the compiler has to keep the order: the contexts share one processor. */
#define ORDER() __asm volatile("" : : : "memory")

static bool has_room(const weft_event_ring *ring, uint32_t head)
{
    return !*(const volatile uint32_t *)&ring->full && head - *(const volatile uint32_t *)&ring->tail <= ring->mask;
}

/* Claims a slot and stores its number in *claimed. */
static bool reserve(weft_event_ring *ring, uint32_t *claimed)
{
#if WEFT_MAINLINE
    uint32_t head, failed;
    do {
        __asm volatile("ldrex %0, [%1]" : "=r"(head) : "r"(&ring->head) : "memory");
        if (!has_room(ring, head)) {
            __asm volatile("clrex" : : : "memory");
            return false;
        }
        /* An exception in between clears the reservation: try again. */
        __asm volatile("strex %0, %2, [%1]" : "=&r"(failed) : "r"(&ring->head), "r"(head + 1) : "memory");
    } while (failed);
    *claimed = head;
    return true;
#else
    uint32_t primask = weft_mask_interrupts();
    bool room = has_room(ring, ring->head);
    if (room)
        *claimed = ring->head++;
    weft_restore_interrupts(primask);
    return room;
#endif
}

static void count_lost(weft_event_ring *ring, uint32_t tag)
{
    uint32_t primask = weft_mask_interrupts();
    ring->full = 1;
    ring->lost[tag & 3]++;
    weft_restore_interrupts(primask);
}

void weft_event_ring_append(weft_event_ring *ring, const weft_event_slot *event)
{
    uint32_t at;
    if (!reserve(ring, &at)) {
        count_lost(ring, event->tag);
        return;
    }
    weft_event_slot *slot = &ring->slots[at & ring->mask];
    slot->id = event->id;
    slot->data = event->data;
    slot->data_high = event->data_high;
    ORDER();
    slot->tag = event->tag;
}

weft_status weft_event_ring_take(weft_event_ring *ring, weft_event_slot *event)
{
    weft_event_slot *slot = &ring->slots[ring->tail & ring->mask];
    if (weft_event_ring_used(ring) == 0 || !*(volatile uint32_t *)&slot->tag)
        return WEFT_AGAIN;
    ORDER();
    *event = *slot;
    slot->tag = 0;
    ORDER();
    ring->tail++;
    return WEFT_OK;
}

bool weft_event_ring_take_lost(weft_event_ring *ring, uint32_t lost[4])
{
    uint32_t primask = weft_mask_interrupts();
    bool here = ring->full && ring->head == ring->tail;
    if (here) {
        memcpy(lost, ring->lost, sizeof ring->lost);
        memset(ring->lost, 0, sizeof ring->lost);
        ring->full = 0;
    }
    weft_restore_interrupts(primask);
    return here;
}
