/* SPDX-License-Identifier: MIT */
/* Events and names that the firmware gives. */
#include "core/own.h"
#include "port/cortex-m/delivery.h"
#include "port/cortex-m/event_ring.h"
#include "port/cortex-m/weft_target.h"

void weft_delivery_record_own(weft_recorder *recorder, uint32_t context, const weft_event_slot *event);
void weft_delivery_record_own(weft_recorder *recorder, uint32_t context, const weft_event_slot *event)
{
    const uint32_t values[] = {event->data, event->data_high};
    (void)weft_recorder_event(recorder, context, event->id, values, event->tag & WEFT_TAG_TWO ? 2 : 1);
}

static weft_status give_name(uint32_t number, const char *text)
{
    weft_recorder *recorder = weft_delivery_own_all();
    if (!recorder)
        return WEFT_AGAIN;
    weft_status status = weft_recorder_name(recorder, number, text);
    weft_delivery_release_all(recorder);
    return status;
}

void weft_event(uint32_t id, uint32_t value)
{
    weft_deliver(WEFT_TAG_OWN | WEFT_TAG_ONE, id, value, 0);
}

void weft_event2(uint32_t id, uint32_t value, uint32_t second)
{
    weft_deliver(WEFT_TAG_OWN | WEFT_TAG_TWO, id, value, second);
}

weft_status weft_event_name(uint32_t id, const char *text)
{
    return give_name(2 * id + 1, text);
}

weft_status weft_thread_name(uint32_t thread, const char *text)
{
    return give_name(2 * (WEFT_FIRST_THREAD_CONTEXT + thread), text);
}

weft_status weft_exception_name(uint32_t exception, const char *text)
{
    return give_name(2 * exception, text);
}
