/* SPDX-License-Identifier: MIT */
/* The states of a trigger. Probes move it to COMING, in any context; the rest is done by who owns the recorder.
 *
 *     IDLE -- arm --> ARMED -- path, function, call --> COMING -- its marks are written --> RUNNING
 *                                                                   -- `after` paths later --> ENDED
 *
 * Events that are made in ARMED without `before`, and in ENDED, are left out at once. Others may have been on their way
 * then: they are left out when they are to be recorded. */
#include "port/cortex-m/trigger.h"
#include "core/own.h"
#include "core/recorder_fast.h"
#include "port/cortex-m/controls.h"
#include "port/cortex-m/controls_parts.h"
#include "port/cortex-m/weft_target.h"

enum { IDLE, ARMED, COMING, RUNNING, ENDED };

/* paths: the last of `after` take the long way, so that the end is exact */
enum { LAST = 64 };

weft_trigger weft_control_trigger;

static weft_trigger armed;
static volatile uint32_t state;
static uint32_t run;  /* the recording that it is for */
static uint32_t from; /* the number of paths when it came */
static bool resumed;  /* the mark of the resume is written */
static uint64_t lost; /* events that did not reach the recorder, when it was armed */

/* IDLE also in another recording, and while one is paused. */
static uint32_t present(void)
{
    return weft_target_recorder && run == weft_target_runs() ? state : IDLE;
}

/* Nothing is recorded. */
static bool is_silent(uint32_t at)
{
    return (at == ARMED && !armed.before) || at == ENDED;
}

bool weft_trigger_armed(void)
{
    return present() == ARMED;
}

bool weft_trigger_done(void)
{
    return present() == ENDED;
}

/* Paths since the recording's start, modulo 2^32. */
static uint32_t paths_of(const weft_recorder *recorder)
{
    return (uint32_t)recorder->before.paths + weft_recorder_paths(recorder);
}

static uint32_t paths_left(const weft_recorder *recorder)
{
    uint32_t done = paths_of(recorder) - from;
    return done < armed.after ? armed.after - done : 0;
}

bool weft_trigger_watches(void)
{
    uint32_t at = present();
    if (at == RUNNING)
        return armed.after && paths_left(weft_target_recorder) <= LAST;
    return at == COMING || is_silent(at) || (at == ARMED && armed.count);
}

static bool is_its_path(const weft_event_slot *event)
{
    return (event->tag & WEFT_TAG_KIND) == WEFT_TAG_PATH && event->id - armed.first < armed.count;
}

bool weft_trigger_wants(const weft_event_slot *event)
{
    uint32_t at = present();
    if (at == ARMED && is_its_path(event))
        state = at = COMING;
    if (!is_silent(at))
        return true;
    weft_left_out(event);
    return false;
}

/* Asks the owner to write the marks, by an event that is a stamp of time or nothing. */
void weft_trigger_now(void)
{
    if (present() != ARMED)
        return;
    state = COMING;
    weft_deliver(WEFT_TAG_STAMP, WEFT_EVENT_TRIGGER, 0, 0);
}

/* Writes the marks of a trigger that has come. False: the recording does not go on yet. */
static bool begin(weft_recorder *recorder)
{
    if (armed.before && !resumed) {
        armed.hold->calls->let_go(armed.hold, armed.before);
        recorder->meta_due = 0; /* META may be among what was given up */
        (void)weft_recorder_change(recorder, WEFT_CHANGE_HELD, armed.hold->forgotten);
    } else if (!resumed && weft_controls_go_on(recorder) != WEFT_OK) {
        return false;
    }
    resumed = true;
    if (weft_recorder_change(recorder, WEFT_CHANGE_TRIGGER, armed.number) == WEFT_OK) {
        from = paths_of(recorder);
        state = RUNNING;
    }
    return true; /* if the sink refused the mark, the events are lost, and counted so */
}

/* Whether the trigger, which has come, came with this event. If nothing is recorded before the trigger, the first event
 * will do. If events were lost on the way to the recorder, the trigger may be among them, so this event will do. */
static bool is_it(const weft_recorder *recorder, const weft_event_slot *event)
{
    return !armed.before || resumed || event->id == WEFT_EVENT_TRIGGER || is_its_path(event) || recorder->early != lost;
}

static void end(weft_recorder *recorder)
{
    if (weft_recorder_change(recorder, WEFT_CHANGE_PAUSE, 0) != WEFT_OK)
        return; /* with the next event */
    state = ENDED;
    (void)weft_recorder_flush(recorder);
}

/* Leaves out the passes of a loop that are too many. */
static void shorten(weft_event_slot *event, uint32_t most)
{
    bool passes = (event->tag & (WEFT_TAG_KIND | WEFT_TAG_ONE)) == (WEFT_TAG_PATH | WEFT_TAG_ONE);
    if (!passes || event->data_high <= most)
        return;
    weft_left_out_paths(event->data_high - most);
    event->data_high = most;
}

bool weft_trigger_before(weft_recorder *recorder, weft_event_slot *event)
{
    uint32_t at = present();
    bool taken = at == COMING && is_it(recorder, event) ? begin(recorder) : !is_silent(at);
    if (taken && present() == RUNNING && armed.after) {
        uint32_t left = paths_left(recorder);
        if (left == 0)
            end(recorder);
        taken = left != 0;
        shorten(event, left);
    }
    if (!taken)
        weft_left_out(event);
    return taken;
}

void weft_trigger_after(weft_recorder *recorder)
{
    if (present() != RUNNING || !armed.after)
        return;
    uint32_t left = paths_left(recorder);
    if (left == 0)
        end(recorder);
    else if (left > LAST && weft_recorder_paths(recorder) + left - LAST < recorder->paths_max)
        weft_recorder_pace(recorder, left - LAST);
}

bool weft_trigger_silent(void)
{
    return is_silent(present());
}

bool weft_trigger_stays_silent(void)
{
    return run == weft_target_runs() && is_silent(state);
}

void weft_trigger_let_go(void)
{
    if (armed.before && run == weft_target_runs())
        armed.hold->calls->let_go(armed.hold, armed.before);
}

weft_status weft_trigger_settle(void)
{
    weft_recorder *recorder = weft_target_recorder;
    if (present() != IDLE && !weft_poll())
        return WEFT_AGAIN;
    if (is_silent(present())) {
        if (!weft_delivery_end())
            return WEFT_AGAIN;
        weft_controls_set_paused(recorder);
    }
    if (!weft_delivery_lock()) /* a handler may arm another one */
        return WEFT_AGAIN;
    weft_trigger_let_go();
    state = IDLE;
    weft_delivery_unlock();
    return WEFT_OK;
}

/* False: the sink refused what was held back for the trigger before, and nothing has changed. */
static bool set(const weft_trigger *trigger)
{
    if (trigger->before && !trigger->hold->calls->begin(trigger->hold))
        return false;
    armed = *trigger;
    run = weft_target_runs();
    resumed = false;
    lost = weft_target_started()->early;
    state = ARMED;
    return true;
}

/* Nothing is recorded at present, nor will be until the trigger comes. */
static weft_status arm_paused(const weft_trigger *trigger)
{
    weft_recorder *recorder = weft_controls_lock_paused();
    if (!recorder)
        return WEFT_AGAIN;
    weft_controls_set_paused(NULL);
    (void)set(trigger);
    weft_delivery_begin(recorder);
    return WEFT_OK;
}

static weft_status arm_owned(weft_recorder *recorder, const weft_trigger *trigger)
{
    weft_status status = trigger->before ? WEFT_OK : weft_recorder_change(recorder, WEFT_CHANGE_PAUSE, 0);
    return status == WEFT_OK && !set(trigger) ? WEFT_AGAIN : status;
}

/* Twice, as weft_pause: where the mark does not fit, the frame is cut, and must go out first. */
static weft_status arm_running(const weft_trigger *trigger)
{
    weft_status status = WEFT_AGAIN;
    for (unsigned tries = 0; status == WEFT_AGAIN && tries < 2; tries++) {
        /* What was recorded before is not held back. */
        bool ready = trigger->before ? weft_flush() == WEFT_OK : weft_poll();
        weft_recorder *recorder = ready ? weft_delivery_own_all() : NULL;
        if (!recorder)
            return WEFT_AGAIN;
        (void)weft_delivery_drain(recorder);
        status = arm_owned(recorder, trigger);
        weft_delivery_release_all(recorder);
    }
    return status;
}

weft_status weft_trigger_arm(const weft_trigger *trigger)
{
    const weft_recorder *ours = weft_target_started();
    if ((trigger->before && !trigger->hold) || (ours && ours->config.profiler))
        return WEFT_CONFIG;
    if (!ours || weft_trigger_settle() != WEFT_OK)
        return WEFT_AGAIN;
    weft_recorder *paused = weft_controls_paused();
    if (paused && !trigger->before)
        return arm_paused(trigger);
    if (paused && weft_resume() != WEFT_OK)
        return WEFT_AGAIN;
    return arm_running(trigger);
}
