/* SPDX-License-Identifier: MIT */
/* What the owner does with an event. */
#include "core/own.h"
#include "port/cortex-m/delivery_parts.h"

static void record_event(weft_recorder *recorder, const weft_event_slot *event)
{
    uint32_t context = (event->tag & ~WEFT_TAG_STAMP) >> 2;
    switch ((weft_event_tag)(event->tag & WEFT_TAG_KIND)) {
    case WEFT_TAG_OWN:
        if (weft_event_is_sampling(event) && weft_delivery_record_sampling)
            weft_delivery_record_sampling(recorder, event);
        else if (weft_delivery_record_own && (event->tag & WEFT_TAG_STAMP) != WEFT_TAG_STAMP)
            weft_delivery_record_own(recorder, context, event);
        break;
    case WEFT_TAG_PATH:
        if ((event->tag & WEFT_TAG_STAMP) == WEFT_TAG_TWO && weft_delivery_record_pack)
            weft_delivery_record_pack(recorder, context, event);
        else if (!(event->tag & WEFT_TAG_STAMP))
            weft_recorder_path(recorder, context, event->id);
        else if (weft_recorder_passes && event->tag & WEFT_TAG_ONE)
            weft_recorder_passes(recorder, context, event->id, event->data_high);
        break;
    case WEFT_TAG_ACCESS:
        weft_recorder_access(recorder, context, event->id, event->data);
        break;
    case WEFT_TAG_VALUE:
        if (weft_recorder_value)
            weft_recorder_value(recorder, context, event->id, (uint64_t)event->data_high << 32 | event->data);
        break;
    }
}

static bool is_place(const weft_event_slot *event)
{
    return (event->tag & WEFT_TAG_KIND) == WEFT_TAG_OWN && (event->tag & WEFT_TAG_STAMP) == WEFT_TAG_STAMP &&
           event->id & WEFT_EVENT_PLACE;
}

void weft_delivery_record(weft_recorder *recorder, weft_event_slot *event)
{
    if (weft_delivery_record_place && is_place(event)) {
        weft_delivery_record_place(recorder, event);
        return;
    }
    if (weft_trigger_before && !weft_trigger_before(recorder, event))
        return;
    if (weft_delivery_before)
        weft_delivery_before(event);
    record_event(recorder, event);
    if (weft_delivery_after)
        weft_delivery_after(recorder, event);
    if (weft_trigger_after)
        weft_trigger_after(recorder);
}

static void record_lost(weft_recorder *recorder)
{
    uint64_t lost[4];
    if (!weft_event_ring_take_lost(ring(), lost))
        return;
    weft_counts counts = {.paths = lost[WEFT_TAG_PATH],
                          .accesses = lost[WEFT_TAG_ACCESS],
                          .values = lost[WEFT_TAG_VALUE],
                          .marks = lost[WEFT_TAG_OWN]};
    weft_recorder_lost(recorder, &counts);
}

/* At most as many events as there are slots, so that the time is bounded. */
bool weft_delivery_drain(weft_recorder *recorder)
{
    weft_event_slot event;
    for (uint32_t left = ring()->mask + 1; left && weft_event_ring_take(ring(), &event) == WEFT_OK; left--)
        weft_delivery_record(recorder, &event);
    if (waits())
        record_lost(recorder);
    return !waits();
}
