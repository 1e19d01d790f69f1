/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/delivery.h"
#include "core/own.h"

#include "core/recorder_fast.h"
#include "port/cortex-m/control_hooks.h"
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
/* And where stamps.c is: an event gets its time when it is made; what is done before and after it is recorded. */
extern void weft_delivery_date(weft_event_slot *event) __attribute__((weak));
extern void weft_delivery_before(weft_event_slot *event) __attribute__((weak));
extern void weft_delivery_after(weft_recorder *recorder, const weft_event_slot *event) __attribute__((weak));

/* And where filter.c, trigger.c and activations.c are: what of it all is recorded (port/cortex-m/controls.h). */
#pragma weak weft_filter_passes
#pragma weak weft_trigger_watches
#pragma weak weft_trigger_wants
#pragma weak weft_trigger_before
#pragma weak weft_trigger_after
#pragma weak weft_delivery_record_sampling
#pragma weak weft_left_out

/* Times that an owner empties the ring before it leaves the rest to the next one. */
enum { ROUNDS = 8 };
/* Steps of a switch of context, and some more where others come meanwhile. */
enum { ENTER_TRIES = 12 };

static uint32_t owned;               /* 1: there is an owner */
static volatile uint32_t placed;     /* events, modulo 2^32, where they have times */
static uint32_t sending;             /* a context seals and sends frames; it need not be the owner */
static volatile bool profile_due;    /* the worker shall write the profile */
static volatile bool at_forest;      /* the owner reads or changes the profile */
static volatile int32_t worker = -1; /* interrupt that calls weft_poll; -1: none */
static volatile bool lazy;           /* the worker is asked for when the ring is half full */

static weft_event_ring *ring(void)
{
    return weft_delivery_choice.ring;
}

static bool by_ring(void)
{
    return weft_delivery_choice.by_ring;
}

/* Cheaper than weft_event_ring_idle. Enough with interrupts masked, or for an owner in between two events: each append
 * is masked, so none is half done. */
static bool waits(void)
{
    return weft_event_ring_used(ring()) || weft_shared_get(&ring()->full);
}

/* Without a mask, which code without privilege cannot set. */
static bool claim(uint32_t *word)
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

static bool passes(uint32_t context)
{
    return !weft_filter_passes || weft_filter_passes(context);
}

/* The exception number that the fast ways may compare with. */
static uint32_t open_for(const weft_recorder *recorder)
{
    uint32_t context = recorder->context;
    if (recorder->waiting || recorder->profiling || by_ring() || (weft_trigger_watches && weft_trigger_watches()))
        return WEFT_RECORDER_CLOSED;
    if (!passes(context))
        return WEFT_RECORDER_FREE;
    if (context == weft_target_thread)
        return 0;
    return context && context < WEFT_FIRST_THREAD_CONTEXT ? context : WEFT_RECORDER_FREE;
}

/* With interrupts masked: no fast way from now on. What is left of a switch of context is for the next owner. */
static void shut(weft_recorder *recorder)
{
    weft_recorder_set_open(recorder, WEFT_RECORDER_CLOSED);
    weft_recorder_keep(recorder);
}

typedef enum progress { REFUSED, GOES_ON, ENTERED } progress;

/* With interrupts masked, and nobody at work. The next step towards the caller's context. */
static progress enter_step(weft_recorder *recorder, uint32_t exception, uint32_t context)
{
    if (recorder->entering) {
        weft_recorder_enter_go_on(recorder);
        return GOES_ON;
    }
    if (weft_history_lent(&recorder->history)) {
        weft_recorder_keep(recorder);
        return GOES_ON;
    }
    if (recorder->history.pending) {
        weft_history_settle_step(&recorder->history);
        return GOES_ON;
    }
    if (recorder->context != context && recorder->history.run) {
        weft_recorder_end_run(recorder);
        return GOES_ON;
    }
    if (recorder->context != context) {
        weft_recorder_set_open(recorder, WEFT_RECORDER_FREE);
        return weft_recorder_enter_begin(recorder, context) ? GOES_ON : REFUSED;
    }
    weft_recorder_set_open(recorder, exception);
    return ENTERED;
}

/* In steps, so that the mask is short. Between them other contexts may come and go. */
bool weft_delivery_enter(void)
{
    uint32_t exception = weft_ipsr(), context = exception ? exception : weft_target_thread;
    /* Each switch gets a stamp, and what no mask holds back is counted. */
    progress done = weft_delivery_after || weft_unmaskable(exception) || !passes(context) ? REFUSED : GOES_ON;
    for (unsigned tries = 0; done == GOES_ON && tries < ENTER_TRIES; tries++) {
        uint32_t primask = weft_mask_interrupts();
        weft_recorder *recorder = weft_target_recorder;
        done = recorder && recorder->open != WEFT_RECORDER_CLOSED ? enter_step(recorder, exception, context) : REFUSED;
        weft_restore_interrupts(primask);
    }
    return done == ENTERED;
}

void weft_delivery_lend(void)
{
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = weft_target_recorder;
    if (recorder && recorder->open < WEFT_RECORDER_FREE && !weft_history_lent(&recorder->history))
        weft_recorder_lend(recorder);
    weft_restore_interrupts(primask);
}

weft_recorder *weft_delivery_own(void)
{
    uint32_t primask = weft_mask_interrupts(); /* so that no fast way is open once there is an owner */
    bool claimed = claim(&owned);
    weft_recorder *recorder = claimed ? weft_target_recorder : NULL;
    if (recorder)
        shut(recorder);
    else if (claimed)
        weft_shared_set(&owned, 0);
    weft_restore_interrupts(primask);
    if (recorder)
        weft_history_settle(&recorder->history);
    while (recorder && recorder->entering)
        weft_recorder_enter_go_on(recorder);
    return recorder;
}

/* For the recorder's owner, or what comes after it. */
static weft_status send(weft_recorder *recorder)
{
    if (!claim(&sending))
        return WEFT_AGAIN;
    weft_status status = weft_recorder_send(recorder);
    weft_shared_set(&sending, 0);
    return status;
}

/* Sends what has ended, or lets the worker do so. The recording may have ended; while one sends, none starts. */
static weft_status send_ended(bool here)
{
    if (!here && worker >= 0)
        weft_irq_pend((unsigned)worker);
    if (!here || !claim(&sending))
        return WEFT_AGAIN;
    weft_recorder *recorder = weft_target_recorder;
    weft_status status = recorder ? weft_recorder_send(recorder) : WEFT_OK;
    weft_shared_set(&sending, 0);
    return status;
}

static bool has_ended(void)
{
    const weft_recorder *recorder = weft_target_recorder;
    return recorder && recorder->ended != recorder->sent;
}

bool weft_delivery_idle(const weft_recorder *recorder)
{
    if (!recorder->config.profile_only)
        return !at_forest;
    return !owned && !waits() && !recorder->waiting && !recorder->profiling;
}

void weft_delivery_forest(bool begins)
{
    at_forest = begins;
}

bool weft_delivery_profile(void)
{
    if (worker < 0 || weft_ipsr())
        return false;
    profile_due = true;
    weft_irq_pend((unsigned)worker);
    weft_barrier();
    return !profile_due;
}

static void record_event(weft_recorder *recorder, const weft_event_slot *event)
{
    uint32_t context = (event->tag & ~WEFT_TAG_STAMP) >> 2;
    switch ((weft_event_tag)(event->tag & WEFT_TAG_KIND)) {
    case WEFT_TAG_OWN:
        if (event->id == WEFT_EVENT_SAMPLING && weft_delivery_record_sampling)
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

static void record(weft_recorder *recorder, weft_event_slot *event)
{
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
        record(recorder, &event);
    if (weft_shared_get(&ring()->full))
        record_lost(recorder);
    return !waits();
}

bool weft_delivery_release(weft_recorder *recorder)
{
    for (unsigned left = ROUNDS;; left--) {
        uint32_t primask = weft_mask_interrupts();
        bool done = !waits();
        if (done || left == 0) {
            weft_shared_set(&owned, 0);
            if (done)
                weft_recorder_set_open(recorder, open_for(recorder));
        }
        weft_restore_interrupts(primask);
        if (done)
            weft_delivery_lend();
        if (done || left == 0)
            return done;
        weft_delivery_drain(recorder);
    }
}

/* An event on its way to its place among the others. */
typedef struct arrival {
    weft_event_slot slot;
    uint32_t placed; /* before it got its time */
} arrival;

/* With interrupts masked, where the event gets its place. If others got theirs since it was dated, they stand before
 * it: so it is dated again. */
static void place(arrival *event)
{
    if (weft_delivery_date && event->placed != placed++)
        weft_delivery_date(&event->slot);
}

/* Not after weft_stop. The owner may have been interrupted before it closed the recorder: no event may overtake this
 * one. */
static void append(arrival *event)
{
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = weft_target_recorder;
    if (recorder) {
        if (recorder->open != WEFT_RECORDER_CLOSED)
            shut(recorder);
        place(event);
        weft_event_ring_append(ring(), &event->slot);
    }
    weft_restore_interrupts(primask);
}

/* An append needs no mask; a time and a place together do. */
static void append_dated(arrival *event)
{
    uint32_t primask = weft_mask_interrupts();
    place(event);
    weft_event_ring_append(ring(), &event->slot);
    weft_restore_interrupts(primask);
}

/* Delivery by the ring. Where there is a worker, it empties the ring; code without privilege cannot call it. */
static void append_only(arrival *event, bool handler)
{
    if (weft_target_recorder && weft_delivery_date)
        append_dated(event);
    else if (weft_target_recorder)
        weft_event_ring_append(ring(), &event->slot);
    if (!weft_shared_get(&ring()->full) && weft_event_ring_used(ring()) <= ring()->mask / 2)
        return;
    if (worker >= 0 && (handler || !(weft_control() & WEFT_CONTROL_UNPRIVILEGED)))
        weft_irq_pend((unsigned)worker);
    else if (!handler)
        (void)weft_poll();
}

/* No fast way from now on, unless a handler opens it again. */
static void close_up(void)
{
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = weft_target_recorder;
    if (recorder && recorder->open != WEFT_RECORDER_CLOSED)
        shut(recorder);
    weft_restore_interrupts(primask);
}

/* Leaves the event to the worker, which runs at once if the caller may be interrupted by it. False: the ring is
 * full. */
static bool hand_over(arrival *event)
{
    close_up(); /* what comes next must not overtake it */
    uint32_t primask = weft_mask_interrupts();
    bool room = !weft_shared_get(&ring()->full) && weft_event_ring_used(ring()) <= ring()->mask / 2;
    weft_recorder *recorder = weft_target_recorder;
    bool closed = !recorder || recorder->open == WEFT_RECORDER_CLOSED;
    if (closed && recorder) {
        if (room) {
            place(event);
            weft_event_ring_append(ring(), &event->slot);
        }
        if (!lazy || weft_event_ring_used(ring()) > ring()->mask / 4)
            weft_irq_pend((unsigned)worker);
    }
    weft_restore_interrupts(primask);
    return room && closed;
}

/* A thread that has a stack of its own never works on the recorder where there is a worker: its stack need not have
 * room for that. It holds the worker up, by a mask or its priority, so the event takes what is left of the ring. */
static bool keep_off(arrival *event, bool handler)
{
    if (handler || !(weft_control() & WEFT_CONTROL_PROCESS_STACK))
        return false;
    append(event);
    return true;
}

/* The contract is broken (weft_target.h): the recording says so. */
static void note_unmasked(void)
{
    weft_recorder *recorder = weft_target_recorder;
    if (recorder)
        recorder->unmasked++;
}

/* False: it is left out. */
static bool wanted(const weft_event_slot *event, uint32_t context)
{
    if (passes(context))
        return !weft_trigger_wants || weft_trigger_wants(event);
    weft_left_out(event);
    return false;
}

/* For the owner. False: others wait, and come first. */
static bool comes_next(weft_recorder *recorder, arrival *event)
{
    if (waits() && !weft_delivery_drain(recorder))
        return false;
    if (!weft_delivery_date)
        return true;
    uint32_t primask = weft_mask_interrupts();
    bool next = !waits();
    if (next)
        place(event);
    weft_restore_interrupts(primask);
    return next;
}

void weft_deliver(uint32_t tag, uint32_t id, uint32_t data, uint32_t data_high)
{
    uint32_t exception = weft_ipsr(), context = exception ? exception : weft_target_thread;
    arrival event = {{tag | context << 2, id, data, data_high}, placed};
    if (!wanted(&event.slot, context))
        return;
    if (weft_delivery_date)
        weft_delivery_date(&event.slot);
    if (!(by_ring() && WEFT_MAINLINE) && weft_unmaskable(exception))
        note_unmasked();
    if (by_ring()) {
        append_only(&event, exception);
        return;
    }
    if (worker >= 0 && (!exception || lazy) && (hand_over(&event) || keep_off(&event, exception)))
        return;
    weft_recorder *recorder = weft_shared_get(&owned) ? NULL : weft_delivery_own();
    if (!recorder) {
        append(&event);
        return;
    }
    if (comes_next(recorder, &event))
        record(recorder, &event.slot);
    else
        append(&event);
    (void)weft_delivery_release(recorder);
    if (has_ended())
        (void)send_ended(worker < 0);
}

bool weft_delivery_busy(void)
{
    return weft_shared_get(&owned) || weft_shared_get(&sending);
}

weft_recorder *weft_delivery_own_all(void)
{
    weft_recorder *recorder = weft_delivery_own();
    if (!recorder || claim(&sending))
        return recorder;
    (void)weft_delivery_release(recorder);
    return NULL;
}

void weft_delivery_release_all(weft_recorder *recorder)
{
    weft_shared_set(&sending, 0);
    (void)weft_delivery_release(recorder);
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
        at_forest = true;
        (void)weft_recorder_profile(recorder);
        at_forest = false;
    }
    bool done = recorder ? weft_delivery_release(recorder) : !weft_shared_get(&owned);
    return (!has_ended() || send_ended(true) == WEFT_OK) && done;
}

bool weft_delivery_lock(void)
{
    if (!claim(&owned))
        return false;
    if (!weft_shared_get(&sending))
        return true;
    weft_shared_set(&owned, 0);
    return false;
}

void weft_delivery_unlock(void)
{
    weft_shared_set(&owned, 0);
}

bool weft_delivery_clear(void)
{
    return weft_event_ring_clear(ring()) == WEFT_OK;
}

/* An open append may be that of a path, an access or a value: it is counted as a path, which has a gap in the trace,
 * too. */
void weft_delivery_abandon(void)
{
    static const weft_counts one = {.paths = 1};
    weft_recorder *recorder = weft_delivery_own();
    if (!recorder)
        return;
    while (!weft_delivery_drain(recorder) && weft_event_ring_abandon(ring()))
        weft_recorder_lost(recorder, &one);
    (void)weft_delivery_release(recorder);
}

void weft_delivery_seize(void)
{
    static const weft_counts one = {.paths = 1};
    bool was_owned = weft_shared_get(&owned);
    weft_shared_set(&owned, 0);
    weft_shared_set(&sending, 0);
    weft_recorder *recorder = was_owned ? weft_delivery_own() : NULL;
    if (!recorder)
        return;
    weft_recorder_lost(recorder, &one);
    (void)weft_delivery_release(recorder);
}

void weft_delivery_begin(weft_recorder *recorder)
{
    uint32_t primask = weft_mask_interrupts();
    recorder->send = send;
    weft_target_recorder = recorder;
    weft_target_predicted = &recorder->history.at;
    weft_recorder_set_open(recorder, open_for(recorder));
    /* With these coders nearly every event takes long. */
    lazy = recorder->config.control_coder || recorder->config.bus_coder || recorder->config.model_coder ||
           recorder->config.value_coder;
    weft_shared_set(&owned, 0);
    weft_restore_interrupts(primask);
}

bool weft_delivery_end(void)
{
    weft_recorder *recorder = weft_delivery_own();
    if (!recorder)
        return !weft_shared_get(&owned);
    for (unsigned left = ROUNDS;; left--) {
        uint32_t primask = weft_mask_interrupts();
        bool done = !waits();
        if (done)
            weft_target_forget();
        if (done || left == 0)
            weft_shared_set(&owned, 0);
        weft_restore_interrupts(primask);
        if (done || left == 0)
            return done;
        weft_delivery_drain(recorder);
    }
}

void weft_delivery_reopen(void)
{
    if (!weft_shared_get(&owned))
        close_up();
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = weft_target_recorder;
    if (recorder && !owned && recorder->open == WEFT_RECORDER_CLOSED && !recorder->entering && !waits())
        weft_recorder_set_open(recorder, open_for(recorder));
    weft_restore_interrupts(primask);
    weft_delivery_lend();
}
