/* SPDX-License-Identifier: MIT */
/* What the files of port/cortex-m/delivery share; no other file includes it. Calls go one way:
 *
 *     delivery_arrive.c        an event arrives: recorded now, or put into the ring; frames are sent
 *        -> delivery_own.c     who works on the recorder: contexts enter it, own it, release it
 *           -> delivery_record.c   for the owner: records an event, empties the ring
 */
#ifndef WEFT_PORT_DELIVERY_PARTS_H
#define WEFT_PORT_DELIVERY_PARTS_H

#include "core/recorder_fast.h"
#include "port/cortex-m/control_hooks.h"
#include "port/cortex-m/delivery.h"
#include "port/cortex-m/delivery_choice.h"
#include "port/cortex-m/exclusive.h"
#include "port/cortex-m/probes.h"

/* Linked where probes_values.c is. */
extern void weft_recorder_value(weft_recorder *recorder, uint32_t context, uint32_t site, uint64_t value)
    __attribute__((weak));
/* And where probes_loops.c is. */
extern void weft_recorder_passes(weft_recorder *recorder, uint32_t context, uint32_t path, uint32_t count)
    __attribute__((weak));
/* And where probes_packs.c is. */
extern void weft_delivery_record_pack(weft_recorder *recorder, uint32_t context, const weft_event_slot *event)
    __attribute__((weak));
/* And where weft_event.c is. */
extern void weft_delivery_record_own(weft_recorder *recorder, uint32_t context, const weft_event_slot *event)
    __attribute__((weak));
/* And where stamps.c is: gives an event its time when it is made. */
extern void weft_delivery_date(weft_event_slot *event) __attribute__((weak));
/* For the owner, before it records the event. */
extern void weft_delivery_before(weft_event_slot *event) __attribute__((weak));
/* For the owner, after it recorded the event. */
extern void weft_delivery_after(weft_recorder *recorder, const weft_event_slot *event) __attribute__((weak));

/* And where places.c is: for the owner, one of the two slots of a place. */
extern void weft_delivery_record_place(weft_recorder *recorder, const weft_event_slot *event) __attribute__((weak));

/* And where filter.c, trigger.c and activations.c are: which events are recorded (port/cortex-m/controls.h). */
#pragma weak weft_filter_passes
#pragma weak weft_trigger_watches
#pragma weak weft_trigger_wants
#pragma weak weft_trigger_before
#pragma weak weft_trigger_after
#pragma weak weft_delivery_record_sampling
#pragma weak weft_left_out

/* In delivery_own.c. */
typedef struct weft_delivery_state {
    uint32_t owned;     /* 1: there is an owner */
    uint32_t sending;   /* a context seals and sends frames; it need not be the owner */
    volatile bool lazy; /* the worker is only requested when the ring is half full */
} weft_delivery_state;
extern weft_delivery_state weft_delivery_now;

/* Ends the ownership if nothing waits in the ring, or always. True: nothing waits. In delivery_own.c. */
bool weft_delivery_give_back(weft_recorder *recorder, bool always);

/* Records one event. For the owner. In delivery_record.c. */
void weft_delivery_record(weft_recorder *recorder, weft_event_slot *event);

static inline weft_event_ring *ring(void)
{
    return weft_delivery_choice.ring;
}

static inline bool by_ring(void)
{
    return weft_delivery_choice.by_ring;
}

/* A probe of that exception runs where it may not (weft_target.h). */
static inline bool misplaced(uint32_t exception)
{
    if (!by_ring())
        return weft_unmaskable(exception);
    return !WEFT_MAINLINE && !exception && weft_control() & WEFT_CONTROL_UNPRIVILEGED;
}

/* Cheaper than weft_event_ring_idle. Enough with interrupts masked, or for an owner in between two events: each append
 * is masked, so none is half done. What NMI makes may come at any time, and waits for the next owner. */
static inline bool waits(void)
{
    return weft_event_ring_waits(ring());
}

/* Without a mask, which code without privilege cannot set. */
static inline bool claim(uint32_t *word)
{
    uint32_t state;
    do {
        if (weft_exclusive_load(word, &state)) {
            weft_exclusive_leave(state);
            return false;
        }
    } while (!weft_exclusive_store(word, 1, state));
    return true;
}

static inline bool passes(uint32_t context)
{
    return !weft_filter_passes || weft_filter_passes(context);
}

/* With interrupts masked: no fast way from now on. What is left of a switch of context is for the next owner. */
static inline void shut(weft_recorder *recorder)
{
    weft_recorder_set_open(recorder, WEFT_RECORDER_CLOSED);
    weft_recorder_keep(recorder);
}

/* No fast way from now on, unless a handler opens it again. */
static inline void close_up(void)
{
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = weft_target_recorder;
    if (recorder && recorder->open != WEFT_RECORDER_CLOSED)
        shut(recorder);
    weft_restore_interrupts(primask);
}

#endif
