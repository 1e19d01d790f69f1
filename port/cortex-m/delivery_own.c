/* SPDX-License-Identifier: MIT */
/* Who works on the recorder: nobody, a context that the fast ways are open for, or the owner. */
#include "core/own.h"
#include "port/cortex-m/delivery_parts.h"

/* Times that an owner empties the ring before it leaves the rest to the next one. */
enum { ROUNDS = 8 };
/* Steps of a switch of context, and some more where others come meanwhile. */
enum { ENTER_TRIES = 16 };

weft_delivery_state weft_delivery_now;

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

typedef enum progress { REFUSED, GOES_ON, ENTERED } progress;

/* With interrupts masked, and nobody at work. The next step towards the caller's context. */
static progress enter_step(weft_recorder *recorder, uint32_t exception, uint32_t context)
{
    if (recorder->entering) {
        weft_recorder_enter_go_on(recorder);
        return GOES_ON;
    }
    if (recorder->history.pending) {
        if (weft_history_lent(&recorder->history))
            weft_recorder_keep(recorder);
        else
            weft_history_settle_step(&recorder->history);
        return GOES_ON;
    }
    if (recorder->context != context) {
        weft_recorder_set_open(recorder, WEFT_RECORDER_FREE);
        return weft_recorder_enter_begin(recorder, context) ? GOES_ON : REFUSED;
    }
    if (!passes(context))
        return REFUSED; /* a handler has changed the filter */
    weft_recorder_set_open(recorder, exception);
    return ENTERED;
}

/* In steps, so that interrupts are masked only briefly. Between them other contexts may come and go. */
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
    bool claimed = claim(&weft_delivery_now.owned);
    weft_recorder *recorder = claimed ? weft_target_recorder : NULL;
    if (recorder)
        shut(recorder);
    else if (claimed)
        weft_shared_set(&weft_delivery_now.owned, 0);
    weft_restore_interrupts(primask);
    if (recorder)
        weft_history_settle(&recorder->history);
    while (recorder && recorder->entering)
        weft_recorder_enter_go_on(recorder);
    return recorder;
}

bool weft_delivery_give_back(weft_recorder *recorder, bool always)
{
    uint32_t primask = weft_mask_interrupts();
    bool done = !waits();
    if (done || always)
        weft_shared_set(&weft_delivery_now.owned, 0);
    if (done)
        weft_recorder_set_open(recorder, open_for(recorder));
    weft_restore_interrupts(primask);
    if (done)
        weft_delivery_lend();
    return done;
}

bool weft_delivery_release(weft_recorder *recorder)
{
    for (unsigned left = ROUNDS;; left--) {
        bool done = weft_delivery_give_back(recorder, left == 0);
        if (done || left == 0)
            return done;
        weft_delivery_drain(recorder);
    }
}

bool weft_delivery_busy(void)
{
    return weft_shared_get(&weft_delivery_now.owned) || weft_shared_get(&weft_delivery_now.sending);
}

bool weft_delivery_lock(void)
{
    if (!claim(&weft_delivery_now.owned))
        return false;
    if (!weft_shared_get(&weft_delivery_now.sending))
        return true;
    weft_shared_set(&weft_delivery_now.owned, 0);
    return false;
}

void weft_delivery_unlock(void)
{
    weft_shared_set(&weft_delivery_now.owned, 0);
}

/* For the recorder's owner, or once its ownership has ended. */
static weft_status send(weft_recorder *recorder)
{
    if (!claim(&weft_delivery_now.sending))
        return WEFT_AGAIN;
    weft_status status = weft_recorder_send(recorder);
    weft_shared_set(&weft_delivery_now.sending, 0);
    return status;
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
    bool was_owned = weft_shared_get(&weft_delivery_now.owned);
    weft_shared_set(&weft_delivery_now.owned, 0);
    weft_shared_set(&weft_delivery_now.sending, 0);
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
    weft_delivery_now.lazy = recorder->config.control_coder || recorder->config.bus_coder ||
                             recorder->config.model_coder || recorder->config.value_coder;
    weft_shared_set(&weft_delivery_now.owned, 0);
    weft_restore_interrupts(primask);
}

/* Whoever sends frames has been interrupted by the caller: it must find its recording as it was. The ring is shut
 * before the recorder is forgotten, so that no event of NMI comes in between. */
bool weft_delivery_end(void)
{
    weft_recorder *recorder = weft_delivery_own();
    if (!recorder)
        return !weft_delivery_busy();
    for (unsigned left = ROUNDS;; left--) {
        uint32_t primask = weft_mask_interrupts();
        bool sends = weft_shared_get(&weft_delivery_now.sending), done = !sends && weft_event_ring_shut(ring());
        if (done)
            weft_target_forget();
        weft_restore_interrupts(primask);
        if (done) {
            (void)weft_event_ring_clear(ring());
            weft_shared_set(&weft_delivery_now.owned, 0);
            return true;
        }
        if (sends || left == 0) {
            (void)weft_delivery_release(recorder);
            return false;
        }
        weft_delivery_drain(recorder);
    }
}

void weft_delivery_reopen(void)
{
    if (!weft_shared_get(&weft_delivery_now.owned))
        close_up();
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = weft_target_recorder;
    if (recorder && !weft_delivery_now.owned && recorder->open == WEFT_RECORDER_CLOSED && !recorder->entering &&
        !waits())
        weft_recorder_set_open(recorder, open_for(recorder));
    weft_restore_interrupts(primask);
    weft_delivery_lend();
}
