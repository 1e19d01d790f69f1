/* SPDX-License-Identifier: MIT */
/* The plugin's entry points, appending to the event ring: handlers are delayed by some twenty instructions, never by
 * a frame. Thread mode records the ring's events when it is half full; weft_poll does so at any time. Interrupts stay
 * on while it records. When handlers fill the ring before that, the events are counted as lost. So are events of other
 * threads while the thread that records is held up, unless the ring has room for them. */
#include "core/own.h"
#include "port/cortex-m/context.h"
#include "port/cortex-m/event_ring.h"
#include "port/cortex-m/exclusive.h"
#include "port/cortex-m/probes.h"

/* Slots of 16 bytes, a power of two. */
#ifndef WEFT_EVENT_RING_SLOTS
#define WEFT_EVENT_RING_SLOTS 128
#endif
#if WEFT_EVENT_RING_SLOTS < 2 || (WEFT_EVENT_RING_SLOTS & (WEFT_EVENT_RING_SLOTS - 1))
#error "WEFT_EVENT_RING_SLOTS is a power of two from 2 up"
#endif

static weft_event_slot slots[WEFT_EVENT_RING_SLOTS];
static weft_event_ring ring = {.slots = slots, .mask = WEFT_EVENT_RING_SLOTS - 1};
static uint32_t polling; /* 1: a context records the ring's events */

static void record(weft_recorder *recorder, const weft_event_slot *event)
{
    uint32_t context = event->tag >> 2;
    switch ((weft_event_tag)(event->tag & 3)) {
    case WEFT_TAG_PATH:
        weft_recorder_path(recorder, context, event->id);
        break;
    case WEFT_TAG_ACCESS:
        weft_recorder_access(recorder, context, event->id, event->data);
        break;
    case WEFT_TAG_VALUE:
        weft_recorder_value(recorder, context, event->id, (uint64_t)event->data_high << 32 | event->data);
        break;
    }
}

static void record_lost(weft_recorder *recorder)
{
    uint64_t lost[4];
    if (!weft_event_ring_take_lost(&ring, lost))
        return;
    weft_counts counts = {
        .paths = lost[WEFT_TAG_PATH], .accesses = lost[WEFT_TAG_ACCESS], .values = lost[WEFT_TAG_VALUE]};
    weft_recorder_lost(recorder, &counts);
}

/* At most as many events as there are slots, so that the time is bounded. True: nothing is left. */
static bool drain(weft_recorder *recorder)
{
    weft_event_slot event;
    for (uint32_t left = WEFT_EVENT_RING_SLOTS; left && weft_event_ring_take(&ring, &event) == WEFT_OK; left--)
        record(recorder, &event);
    record_lost(recorder);
    return weft_event_ring_idle(&ring);
}

/* False: a poll was interrupted. Without a mask, which code without privilege cannot set. */
static bool claim_poll(void)
{
    uint32_t state;
    do {
        if (weft_exclusive_load(&polling, &state)) {
            weft_exclusive_leave(state);
            return false;
        }
    } while (!weft_exclusive_store(&polling, 1, state));
    return true;
}

/* The recorder, if no poll was interrupted; NULL: none, or `busy`. While one polls, none stops. */
static weft_recorder *begin_poll(bool *busy)
{
    *busy = !claim_poll();
    weft_recorder *recorder = *busy ? NULL : weft_target_recorder;
    if (!*busy && !recorder)
        weft_shared_set(&polling, 0);
    return recorder;
}

bool weft_poll(void)
{
    bool busy;
    weft_recorder *recorder = begin_poll(&busy);
    if (!recorder)
        return !busy;
    bool idle = drain(recorder);
    weft_shared_set(&polling, 0);
    return idle;
}

weft_status weft_probes_begin(void)
{
    return weft_shared_get(&polling) ? WEFT_AGAIN : weft_event_ring_clear(&ring);
}

/* An open append may be that of a path, an access or a value: it is counted as a path, which has a gap in the trace,
 * too. */
bool weft_probes_abandon(void)
{
    static const weft_counts one = {.paths = 1};
    bool busy;
    weft_recorder *recorder = begin_poll(&busy);
    if (!recorder)
        return !busy;
    while (!drain(recorder) && weft_event_ring_abandon(&ring))
        weft_recorder_lost(recorder, &one);
    weft_shared_set(&polling, 0);
    return true;
}

static void append(uint32_t tag, uint32_t id, uint32_t data, uint32_t data_high)
{
    if (!weft_target_recorder)
        return;
    uint32_t exception = weft_ipsr();
    uint32_t context = exception ? exception : weft_target_thread;
    weft_event_slot event = {tag | context << 2, id, data, data_high};
    weft_event_ring_append(&ring, &event);
    if (!exception && (ring.full || weft_event_ring_used(&ring) > WEFT_EVENT_RING_SLOTS / 2))
        weft_poll();
}

void __weft_path(uint32_t path)
{
    append(WEFT_TAG_PATH, path, 0, 0);
}

void __weft_access(uint32_t site, const volatile void *address)
{
    append(WEFT_TAG_ACCESS, site, (uint32_t)(uintptr_t)address, 0);
}

void __weft_value(uint32_t site, uint32_t value)
{
    append(WEFT_TAG_VALUE, site, value, 0);
}

void __weft_value64(uint32_t site, uint64_t value)
{
    append(WEFT_TAG_VALUE, site, (uint32_t)value, (uint32_t)(value >> 32));
}

void __weft_mark(uint32_t block)
{
    __asm volatile("" : : "r"(block));
}

void __weft_derived(uint32_t site, const volatile void *address)
{
    __asm volatile("" : : "r"(site), "r"(address));
}
