/* SPDX-License-Identifier: MIT */
/* How an event arrives, and when frames are sent. */
#include "core/own.h"
#include "port/cortex-m/delivery_parts.h"
#include "port/cortex-m/under_way.h"

static volatile uint32_t placed;     /* events, modulo 2^32, where they have times */
static volatile bool profile_due;    /* the worker shall write the profile */
static volatile int32_t worker = -1; /* interrupt that calls weft_poll; -1: none */
volatile bool weft_delivery_at_forest;

#if defined(WEFT_AUTO_WORKER) && WEFT_AUTO_WORKER
bool weft_worker_leads(void); /* port/cortex-m/program/auto_worker.h */
#else
static inline bool weft_worker_leads(void)
{
    return true;
}
#endif

/* Where the interrupt leads elsewhere, events wait in the ring, and are lost when that is full. */
static void call_worker(void)
{
    if (weft_worker_leads())
        weft_irq_pend((unsigned)worker);
}

/* Sends the frames that have ended, or lets the worker do so. The recording may have ended; while one sends, none
 * starts. */
static weft_status send_ended(bool here)
{
    if (!here && worker >= 0)
        call_worker();
    if (!here || !claim(&weft_delivery_now.sending))
        return WEFT_AGAIN;
    weft_recorder *recorder = weft_target_recorder;
    weft_status status = recorder ? weft_recorder_send(recorder) : WEFT_OK;
    weft_shared_set(&weft_delivery_now.sending, 0);
    return status;
}

static bool has_ended(void)
{
    const weft_recorder *recorder = weft_target_recorder;
    return recorder && recorder->ended != recorder->sent;
}

bool weft_delivery_idle(const weft_recorder *recorder)
{
    return !weft_delivery_now.owned && !waits() && !recorder->waiting && !recorder->profiling;
}

bool weft_delivery_profile(void)
{
    if (worker < 0 || weft_ipsr())
        return false;
    profile_due = true;
    call_worker();
    weft_barrier();
    return !profile_due;
}

/* An event on its way to its place among the others. */
typedef struct arrival {
    weft_event_slot slot;
    uint32_t placed; /* before it got its time */
} arrival;

/* Gives the event its place, with interrupts masked. False: other events got their places after this one got its time.
 * They stand before it, so it needs its time again (date), with interrupts on, since a clock takes long. Then try
 * again; that ends when nothing was placed meanwhile. */
static inline bool place(const arrival *event)
{
    if (!weft_delivery_date)
        return true;
    if (event->placed != placed)
        return false;
    placed++;
    return true;
}

static void date(arrival *event)
{
    event->placed = placed;
    if (weft_delivery_date)
        weft_delivery_date(&event->slot);
}

/* Puts an event into the ring, but not after weft_stop. The owner may have been interrupted before it closed the
 * recorder, so the recorder is closed here: no event may overtake this one. */
static void append(arrival *event)
{
    bool late;
    do {
        uint32_t primask = weft_mask_interrupts();
        weft_recorder *recorder = weft_target_recorder;
        late = recorder && !place(event);
        if (recorder && recorder->open != WEFT_RECORDER_CLOSED)
            shut(recorder);
        if (recorder && !late)
            weft_event_ring_append(ring(), &event->slot);
        if (!late)
            weft_note_under_way(false);
        weft_restore_interrupts(primask);
        if (late)
            date(event);
    } while (late);
}

/* An append needs no mask; a time and a place together do. */
static void append_dated(arrival *event)
{
    bool late;
    do {
        uint32_t primask = weft_mask_interrupts();
        late = !place(event);
        if (!late)
            weft_event_ring_append(ring(), &event->slot);
        weft_restore_interrupts(primask);
        if (late)
            date(event);
    } while (late);
}

/* Delivery by the ring. Where there is a worker, it empties the ring; code without privilege cannot call it. */
static void append_only(arrival *event, bool handler)
{
    if (weft_target_recorder && weft_delivery_date)
        append_dated(event);
    else if (weft_target_recorder)
        weft_event_ring_append(ring(), &event->slot);
    if (!weft_event_ring_half_full(ring()))
        return;
    if (worker >= 0 && (handler || !(weft_control() & WEFT_CONTROL_UNPRIVILEGED)))
        call_worker();
    else if (!handler)
        (void)weft_poll();
}

/* Leaves the event to whoever works on the recorder next. Where there is a worker, that runs at once if it may
 * interrupt the caller. False: the ring is half full. */
static bool hand_over(arrival *event)
{
    close_up(); /* what comes next must not overtake it */
    bool room, closed, late, wake = false;
    do {
        uint32_t primask = weft_mask_interrupts();
        weft_recorder *recorder = weft_target_recorder;
        room = !weft_shared_get(&ring()->full) && weft_event_ring_used(ring()) <= ring()->mask / 2;
        closed = !recorder || recorder->open == WEFT_RECORDER_CLOSED;
        late = closed && recorder && room && !place(event);
        if (closed && recorder && !late) {
            if (room) {
                weft_event_ring_append(ring(), &event->slot);
                weft_note_under_way(false);
            }
            wake = worker >= 0 && (!weft_delivery_now.lazy || weft_event_ring_used(ring()) > ring()->mask / 4);
        }
        weft_restore_interrupts(primask);
        if (late)
            date(event);
    } while (late);
    if (wake)
        call_worker(); /* which may take longer than a mask may */
    return room && closed;
}

/* Whether the event may end a frame, or waits for one that does. */
static bool may_end_frame(const weft_recorder *recorder, uint32_t tag)
{
    uint32_t kind = tag & WEFT_TAG_KIND;
    const weft_region *region = &recorder->region[kind == WEFT_TAG_ACCESS  ? WEFT_REGION_BUS
                                                  : kind == WEFT_TAG_VALUE ? WEFT_REGION_VALUES
                                                                           : WEFT_REGION_CONTROL];
    return waits() || region->at > region->limit;
}

/* The caller holds interrupts back, and to end a frame takes thousands of instructions: that waits until the caller no
 * longer does, as long as half of the ring is free. */
static bool put_off(arrival *event)
{
    const weft_recorder *recorder = weft_target_recorder;
    return weft_masked() && recorder && may_end_frame(recorder, event->slot.tag) && hand_over(event);
}

/* Where there is a worker, a thread that has a stack of its own never works on the recorder, so its stack needs no room
 * for that. */
static bool leaves_work(bool handler)
{
    return worker >= 0 && !handler && (weft_control() & WEFT_CONTROL_PROCESS_STACK);
}

/* Here such a thread holds the worker up, by a mask or by its priority. So its event takes a free slot of the ring. */
static bool keep_off(arrival *event, bool handler)
{
    if (!leaves_work(handler))
        return false;
    append(event);
    return true;
}

/* Counts that, so that the recording says so. */
static void note_unmasked(void)
{
    weft_recorder *recorder = weft_target_recorder;
    if (recorder)
        recorder->unmasked++;
}

/* What changes what is recorded: in all contexts, whichever says so. */
static bool is_change(const weft_event_slot *event)
{
    bool trigger = (event->tag & WEFT_TAG_STAMP) == WEFT_TAG_STAMP && event->id == WEFT_EVENT_TRIGGER;
    return trigger || weft_event_is_sampling(event);
}

/* Whether filters and triggers let an event through. Counts it if not. */
static bool wanted(const weft_event_slot *event, uint32_t context)
{
    if (passes(context) || is_change(event))
        return !weft_trigger_wants || weft_trigger_wants(event);
    weft_left_out(event);
    return false;
}

/* For the owner. False: others wait, and come first. True: what comes from now on comes after it. */
static bool comes_next(weft_recorder *recorder, arrival *event)
{
    if (waits() && !weft_delivery_drain(recorder))
        return false;
    if (!weft_delivery_date && !weft_under_way)
        return true;
    bool next, late;
    do {
        uint32_t primask = weft_mask_interrupts();
        next = !waits();
        late = next && !place(event);
        if (next && !late)
            weft_note_under_way(false);
        weft_restore_interrupts(primask);
        if (late)
            date(event);
    } while (late);
    return next;
}

void weft_deliver(uint32_t tag, uint32_t id, uint32_t data, uint32_t data_high)
{
    uint32_t exception = weft_ipsr(), context = exception ? exception : weft_target_thread;
    arrival event = {{tag | context << 2, id, data, data_high}, placed};
    if (!wanted(&event.slot, context)) {
        weft_note_under_way(false);
        return;
    }
    if (weft_delivery_date)
        weft_delivery_date(&event.slot);
    if (misplaced(exception))
        note_unmasked();
    if (by_ring()) {
        append_only(&event, exception);
        return;
    }
    weft_note_under_way(true);
    if (worker >= 0 && (!exception || weft_delivery_now.lazy) && (hand_over(&event) || keep_off(&event, exception)))
        return;
    if (put_off(&event))
        return;
    weft_recorder *recorder = weft_shared_get(&weft_delivery_now.owned) ? NULL : weft_delivery_own();
    if (!recorder) {
        append(&event);
        return;
    }
    if (comes_next(recorder, &event))
        weft_delivery_record(recorder, &event.slot);
    else
        append(&event);
    (void)weft_delivery_release(recorder);
    if (has_ended())
        (void)send_ended(worker < 0);
}

/* The slots, right after one another. The fast ways are closed in a mask of its own, since another handler may open
 * them again, but not for long. With `kept`, the slot is empty then, and may be so before. False: nothing is recorded
 * any more. */
static bool append_all(weft_event_slot *slots, unsigned count, bool kept)
{
    const weft_recorder *recorder;
    bool closed;
    do {
        close_up();
        uint32_t primask = weft_mask_interrupts();
        recorder = weft_target_recorder;
        closed = !recorder || recorder->open == WEFT_RECORDER_CLOSED;
        for (unsigned i = 0; i < count && closed && recorder && slots[i].tag; i++)
            weft_event_ring_append(ring(), &slots[i]);
        if (closed && kept)
            slots->tag = 0;
        else if (closed)
            weft_note_under_way(false);
        weft_restore_interrupts(primask);
    } while (!closed);
    return recorder;
}

/* Has what was appended recorded: by the worker, or here. */
static void take_appended(void)
{
    if (worker >= 0 && weft_delivery_now.lazy) {
        if (weft_event_ring_used(ring()) > ring()->mask / 4)
            call_worker();
        return;
    }
    weft_recorder *recorder = weft_shared_get(&weft_delivery_now.owned) ? NULL : weft_delivery_own();
    if (recorder)
        (void)weft_delivery_release(recorder);
    if (has_ended())
        (void)send_ended(worker < 0);
}

void weft_delivery_place(uint32_t exception, const weft_place *place)
{
    if (!passes(exception)) {
        weft_note_under_way(false);
        return;
    }
    const uint32_t tag = WEFT_TAG_STAMP | exception << 2;
    weft_event_slot slots[] = {
        {tag, place->frame + WEFT_EVENT_PLACE, place->pc + place->under_way, place->exception << 1 | place->floats},
        {tag, WEFT_EVENT_PLACE_HASHES | place->laps << 3, place->hashes[0],
         place->hashes[1] | place->laps >> 29 << 24 | (uint32_t)place->counted << 31}};
    if (append_all(slots, 2, false))
        take_appended();
}

void weft_delivery_kept(weft_event_slot *kept)
{
    if (append_all(kept, 1, true) && weft_event_ring_used(ring()) > ring()->mask / 2)
        take_appended();
}

void weft_delivery_lose_path(void)
{
    uint32_t primask = weft_mask_interrupts();
    if (weft_target_recorder)
        weft_event_ring_lose(ring(), WEFT_TAG_PATH);
    weft_restore_interrupts(primask);
}

void weft_poll_in(unsigned irq)
{
    worker = (int32_t)irq;
}

bool weft_poll(void)
{
    weft_recorder *recorder = weft_delivery_own();
    if (recorder && profile_due) {
        profile_due = false;
        weft_delivery_at_forest = true;
        (void)weft_recorder_profile(recorder);
        weft_delivery_at_forest = false;
    }
    bool done = recorder ? weft_delivery_release(recorder) : !weft_shared_get(&weft_delivery_now.owned);
    return (!has_ended() || send_ended(true) == WEFT_OK) && done;
}

/* Ends an ownership that was short: what waits since is left to the worker, or recorded by code that cannot call it. */
static void leave(weft_recorder *recorder)
{
    if (!leaves_work(weft_ipsr()) || (weft_control() & WEFT_CONTROL_UNPRIVILEGED))
        (void)weft_delivery_release(recorder);
    else if (!weft_delivery_give_back(recorder, true))
        call_worker();
}

weft_recorder *weft_delivery_own_all(void)
{
    weft_recorder *recorder = weft_delivery_own();
    if (!recorder || claim(&weft_delivery_now.sending))
        return recorder;
    leave(recorder);
    return NULL;
}

void weft_delivery_release_all(weft_recorder *recorder)
{
    weft_shared_set(&weft_delivery_now.sending, 0);
    leave(recorder);
}

bool weft_delivery_clear(void)
{
    return weft_event_ring_clear(ring()) == WEFT_OK;
}
