/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/controls.h"
#include "core/own.h"

#include "port/cortex-m/controls_parts.h"
#include "port/cortex-m/weft_target.h"

volatile uint32_t weft_control_word;

/* Linked where filter.c and trigger.c are. */
#pragma weak weft_filter_tell
#pragma weak weft_trigger_settle
#pragma weak weft_trigger_let_go
#pragma weak weft_trigger_silent
#pragma weak weft_trigger_stays_silent

/* The recorder that is paused; good until weft_stop. */
static weft_recorder *volatile paused;
static volatile bool brief; /* it goes on after a change of the filter */

/* The mark stands after all events that were made before. If one of them is not complete, since the caller has
 * interrupted its probe, there is no mark. */
weft_status weft_controls_halt(bool for_good)
{
    weft_recorder *recorder = NULL;
    weft_status status = WEFT_AGAIN;
    /* Where the mark does not fit, the frame is cut. With one buffer that frame must go out before the mark is put. */
    for (unsigned tries = 0; status == WEFT_AGAIN && tries < 2; tries++) {
        recorder = weft_poll() ? weft_delivery_own_all() : NULL;
        if (!recorder)
            return WEFT_AGAIN;
        bool stops = for_good || !weft_trigger_silent || !weft_trigger_silent();
        status = stops ? weft_recorder_change(recorder, WEFT_CHANGE_PAUSE, 0) : WEFT_AGAIN;
        if (for_good && status == WEFT_OK && weft_trigger_let_go)
            weft_trigger_let_go();
        weft_delivery_release_all(recorder);
    }
    if (status != WEFT_OK || !weft_delivery_end())
        return WEFT_AGAIN;
    weft_controls_set_paused(recorder);
    brief = !for_good;
    return WEFT_OK;
}

weft_status weft_pause(void)
{
    return weft_controls_halt(true);
}

weft_recorder *weft_controls_paused(void)
{
    weft_recorder *recorder = paused;
    bool good = !weft_target_recorder && recorder == weft_target_started() && !weft_target_stopping();
    return good ? recorder : NULL;
}

void weft_controls_set_paused(weft_recorder *recorder)
{
    brief = false;
    paused = recorder;
}

bool weft_controls_paused_briefly(void)
{
    return brief && weft_controls_paused();
}

weft_recorder *weft_controls_lock_paused(void)
{
    if (!weft_controls_paused() || !weft_delivery_lock())
        return NULL;
    weft_recorder *recorder = weft_controls_paused();
    if (!recorder)
        weft_delivery_unlock(); /* a handler has resumed it */
    return recorder;
}

/* The mark of the resume stands first in its frame: that is how a reader sees that nothing goes on across it. */
weft_status weft_controls_go_on(weft_recorder *recorder)
{
    weft_status status = weft_recorder_flush(recorder);
    if (status == WEFT_OK)
        status = weft_recorder_change(recorder, WEFT_CHANGE_RESUME, 0);
    return status == WEFT_OK && weft_filter_tell ? weft_filter_tell(recorder) : status;
}

weft_status weft_controls_continue(void)
{
    weft_recorder *recorder = weft_controls_lock_paused();
    if (!recorder)
        return WEFT_AGAIN;
    bool silent = weft_trigger_stays_silent && weft_trigger_stays_silent();
    weft_status status = silent ? WEFT_OK : weft_controls_go_on(recorder);
    if (status != WEFT_OK) {
        weft_delivery_unlock();
        return status;
    }
    paused = NULL;
    weft_delivery_begin(recorder);
    return WEFT_OK;
}

weft_status weft_resume(void)
{
    bool settled = !weft_trigger_settle || weft_trigger_settle() == WEFT_OK;
    return settled ? weft_controls_continue() : WEFT_AGAIN;
}

weft_status weft_controls_obey(uint32_t request)
{
    switch (request) {
    case WEFT_REQUEST_PAUSE:
        return weft_pause();
    case WEFT_REQUEST_RESUME:
        return weft_resume();
    case WEFT_REQUEST_STOP:
        return weft_stop();
    default:
        return WEFT_CONFIG;
    }
}

void weft_controls_poll(void)
{
    if (weft_controls_obey(weft_control_word) == WEFT_OK)
        weft_control_word = WEFT_REQUEST_NONE;
}
