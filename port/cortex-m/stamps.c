/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/stamps.h"
#include "core/own.h"
#include "core/recorder_fast.h"

#include "port/cortex-m/delivery.h"
#include "port/cortex-m/event_ring.h"

static weft_clock source;
static uint32_t every;  /* paths between two stamps; 0: not by number */
static uint64_t latest; /* the latest time that was given to the recorder */
/* While an event is recorded: when it was made. */
static bool recording;
static uint64_t event_time;
/* The recorder's counts at the last stamp. */
static uint32_t switches, paths;

static uint64_t now(void *context)
{
    (void)context;
    uint64_t time = recording ? event_time : source.now(source.context);
    if (time > latest)
        latest = time;
    return latest;
}

weft_clock weft_stamps_clock(weft_clock clock, uint32_t paths_between)
{
    source = clock;
    every = paths_between;
    latest = 0;
    return clock.now ? (weft_clock){NULL, now, clock.hz} : clock;
}

static bool is_stamp(const weft_event_slot *event)
{
    return (event->tag & WEFT_TAG_STAMP) == WEFT_TAG_STAMP && !(event->id & WEFT_EVENT_PLACE);
}

/* Where an event keeps its time; NULL: it has no room for one. */
static uint32_t *time_of(weft_event_slot *event)
{
    uint32_t kind = event->tag & WEFT_TAG_KIND;
    bool pack = kind == WEFT_TAG_PATH && (event->tag & WEFT_TAG_STAMP) == WEFT_TAG_TWO;
    if (pack || kind == WEFT_TAG_ACCESS)
        return &event->data_high;
    return kind == WEFT_TAG_PATH || is_stamp(event) ? &event->data : NULL;
}

void weft_delivery_date(weft_event_slot *event);
void weft_delivery_before(weft_event_slot *event);
void weft_delivery_after(weft_recorder *recorder, const weft_event_slot *event);

void weft_delivery_date(weft_event_slot *event)
{
    uint32_t *time = time_of(event);
    if (source.now && time)
        *time = (uint32_t)source.now(source.context);
}

void weft_delivery_before(weft_event_slot *event)
{
    const uint32_t *time = time_of(event);
    event_time = latest;
    if (source.now && time) {
        uint64_t real = source.now(source.context);
        uint64_t made = real - ((uint32_t)real - *time); /* it has waited for less than 2^32 ticks */
        event_time = made > latest ? made : latest;
    }
    recording = true;
}

/* Paths since the recording's start, modulo 2^32. */
static uint32_t paths_of(const weft_recorder *recorder)
{
    return (uint32_t)recorder->before.paths + weft_recorder_paths(recorder);
}

/* Has the paths take the long way again, and so come here, when the next stamp is due. */
static void set_pace(weft_recorder *recorder)
{
    uint32_t done = paths_of(recorder) - paths;
    weft_recorder_pace(recorder, done < every ? every - done : 1);
}

void weft_delivery_after(weft_recorder *recorder, const weft_event_slot *event)
{
    bool due = recorder->switches != switches || (every && paths_of(recorder) - paths >= every) || is_stamp(event);
    if (due && source.now && !recorder->waiting) {
        if (event_time > recorder->stamp || is_stamp(event))
            (void)weft_recorder_stamp_in(recorder, (event->tag & ~WEFT_TAG_STAMP) >> 2, event_time);
        switches = recorder->switches;
        paths = paths_of(recorder);
    }
    if (every && source.now)
        set_pace(recorder);
    recording = false;
}

void weft_stamp(void)
{
    if (source.now)
        weft_deliver(WEFT_TAG_STAMP, 0, 0, 0);
}

void __weft_stamp(void)
{
    weft_stamp();
}
