/* SPDX-License-Identifier: MIT */
/* A ring between probes and the recorder, lock-free with LDREX. Any context appends; contexts nest, as interrupts do on
 * one processor, or take turns, as threads do. One context at a time drains, in the order of the appends.
 *
 *      drained     taken, being written or whole            free
 *     ---------+------------------------------------+------------------
 *            tail                                  head
 *
 * An append is *open* from its claim of a slot until the slot is whole. The drain waits for the oldest one: a handler
 * that interrupted it gets no further, and tries again after the handler's end.
 *
 * When the ring is full, events are counted by kind instead, until the drain has emptied the ring. So all of them were
 * lost at one place, and the count is reported there. tests/prop/prop_event_ring.c tries every interleaving.
 *
 * Without LDREX an append masks interrupts while it claims a slot, but NMI may come in the middle. What NMI makes then
 * goes to a few slots of its own. Each says how many events were claimed before it: the drain takes it after those. NMI
 * is over before others go on, so it only must not write words that they are about to write. When its slots are full,
 * its events are counted as lost, by itself, and so are all events from then on. */
#ifndef WEFT_PORT_EVENT_RING_H
#define WEFT_PORT_EVENT_RING_H

#include "core/base.h"
#include "port/cortex-m/cortexm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The lowest two bits of a tag are the kind of the event. Two more bits depend on the kind:
 *     - an event of the firmware's own has WEFT_TAG_ONE or WEFT_TAG_TWO: the number of its values
 *     - a path with WEFT_TAG_ONE stands for weft_event_slot.data_high paths, not 0
 *     - a path with WEFT_TAG_TWO is a pack, whose word is weft_event_slot.data */
typedef enum weft_event_tag {
    WEFT_TAG_OWN = 0,
    WEFT_TAG_PATH = 1,
    WEFT_TAG_ACCESS = 2,
    WEFT_TAG_VALUE = 3
} weft_event_tag;
#define WEFT_TAG_KIND 3u
#define WEFT_TAG_ONE ((uint32_t)1 << 30)
#define WEFT_TAG_TWO ((uint32_t)1 << 31)
/* A stamp of time has both, and an even id. It is not an event: one that finds no room is not counted as lost. */
#define WEFT_TAG_STAMP (WEFT_TAG_ONE | WEFT_TAG_TWO)
/* The id of an event that the port makes: the sampling of a function changes. */
#define WEFT_EVENT_SAMPLING 0xffffffffu
/* Two stamps with odd ids are a weft_place. The first one's id is its frame + 1, data its pc + 1 if an event is under
 * way, data_high twice its exception, + 1 if it is with floats. The second one's id is 3 + 8 * bits 0 to 28 of laps;
 * it has its hashes, and above those bits 29 to 31 of the laps, and in its highest bit whether the program counts. One
 * with the id 5 has the laps alone, as data; one with 7 + 8 * its hash the data of an input, which came data_high times
 * more. Where there is no room, each of these counts as one event that is lost. */
#define WEFT_EVENT_PLACE 1u
#define WEFT_EVENT_PLACE_HASHES 3u
#define WEFT_EVENT_LAPS 5u
#define WEFT_EVENT_INPUT 7u
#define WEFT_EVENT_PLACE_KIND 7u
/* The id of a stamp that stands for a trigger. */
#define WEFT_EVENT_TRIGGER (0xffffffffu - 1)

/* tag is written last; 0: not complete yet. */
typedef struct weft_event_slot {
    uint32_t tag; /* weft_event_tag | context << 2 | WEFT_TAG_ONE, _TWO, or both */
    uint32_t id;
    uint32_t data, data_high;
} weft_event_slot;

static inline bool weft_event_is_sampling(const weft_event_slot *event)
{
    return (event->tag & WEFT_TAG_KIND) == WEFT_TAG_OWN && event->id == WEFT_EVENT_SAMPLING;
}

/* Events of NMI that may wait where it came in the middle of claims: a power of two. */
#ifndef WEFT_EVENT_RING_NMI_SLOTS
#define WEFT_EVENT_RING_NMI_SLOTS 8
#endif
typedef struct weft_nmi_slot {
    uint32_t before; /* events claimed in the ring before it */
    weft_event_slot event;
} weft_nmi_slot;

typedef struct weft_nmi_events {
    weft_nmi_slot slots[WEFT_EVENT_RING_NMI_SLOTS];
    uint32_t claims;  /* 1: a slot of the ring is being claimed. Only NMI can see that */
    uint32_t head;    /* NMI's; never reset, as the next two */
    uint32_t full;    /* NMI's: events of its own that were lost */
    uint32_t lost[4]; /* NMI's: the same, by tag */
    uint32_t tail;    /* the drain's */
    uint32_t opened;  /* the drain's: `full` when it emptied the ring; while that is another one, all events are lost */
} weft_nmi_events;

typedef struct weft_event_ring {
    weft_event_slot *slots; /* the caller's, all zero at the start */
    uint32_t mask;          /* number of slots, a power of two, minus 1 */
    uint32_t head, tail;    /* never reset; they wrap at 2^32 */
    uint32_t full;          /* events lost since the drain emptied the ring; while it is not 0, all are */
    uint32_t lost[4];       /* by tag; never reset; they wrap at 2^32 */
    /* The drain's: what it has seen of `lost`, and what it has not reported of that. Exact if there is a drain, though
     * it gets nothing out, at least every 2^32 losses. */
    uint32_t seen[4];
    uint64_t missing[4];
    weft_nmi_events *nmi; /* NULL: there is LDREX, or NMI does not append */
} weft_event_ring;

/* Constant time, never waits. Where the processor has no LDREX, interrupts are masked for about twenty instructions. */
void weft_event_ring_append(weft_event_ring *ring, const weft_event_slot *event);

/* Counts an event as lost at this place, and so all that follow until the drain has emptied the ring. */
void weft_event_ring_lose(weft_event_ring *ring, uint32_t tag);

/* The oldest event: WEFT_OK. WEFT_AGAIN: none, or its append is open. */
weft_status weft_event_ring_take(weft_event_ring *ring, weft_event_slot *event);

/* After WEFT_AGAIN: true when events were lost at this place; `lost` then holds their number by tag. Constant time: if
 * more are lost during the call it is false, and the next call takes all of them. */
bool weft_event_ring_take_lost(weft_event_ring *ring, uint64_t lost[4]);

/* Nothing is left to take: no event, open or whole, and no count. Exact while no other context runs. */
bool weft_event_ring_idle(const weft_event_ring *ring);

/* For a caller that never returns to what it interrupted. After WEFT_AGAIN: if the oldest append is open, forgets its
 * event, and returns true. That append must not go on. */
bool weft_event_ring_abandon(weft_event_ring *ring);

/* At the end, with interrupts masked. True: nothing waits, and what is appended from now on is refused, until
 * weft_event_ring_clear. False: something waits, such as what NMI made meanwhile; nothing has changed. */
bool weft_event_ring_shut(weft_event_ring *ring);

/* Forgets events and counts, while no other context runs. WEFT_AGAIN: an append is open; events before it are
 * forgotten. */
weft_status weft_event_ring_clear(weft_event_ring *ring);

static inline uint32_t weft_event_ring_peek(const uint32_t *word)
{
    return *(const volatile uint32_t *)word;
}

static inline uint32_t weft_event_ring_used(const weft_event_ring *ring)
{
    return weft_event_ring_peek(&ring->head) - weft_event_ring_peek(&ring->tail);
}

/* NMI's part, or NULL. */
static inline const weft_nmi_events *weft_event_ring_nmi(const weft_event_ring *ring)
{
    return WEFT_MAINLINE ? NULL : ring->nmi;
}

/* An event or a count waits. Exact while no other context runs. */
static inline bool weft_event_ring_waits(const weft_event_ring *ring)
{
    const weft_nmi_events *nmi = weft_event_ring_nmi(ring);
    return weft_event_ring_used(ring) || weft_event_ring_peek(&ring->full) ||
           (nmi && (weft_event_ring_peek(&nmi->head) != nmi->tail || weft_event_ring_peek(&nmi->full) != nmi->opened));
}

/* More than half of the slots, or of NMI's, is used, or events are being lost. */
static inline bool weft_event_ring_half_full(const weft_event_ring *ring)
{
    const weft_nmi_events *nmi = weft_event_ring_nmi(ring);
    return weft_event_ring_used(ring) > ring->mask / 2 || weft_event_ring_peek(&ring->full) ||
           (nmi && (weft_event_ring_peek(&nmi->head) - nmi->tail > WEFT_EVENT_RING_NMI_SLOTS / 2 ||
                    weft_event_ring_peek(&nmi->full) != nmi->opened));
}

#ifdef __cplusplus
}
#endif

#endif
