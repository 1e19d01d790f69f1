/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/controls.h"
#include "core/own.h"

#include "port/cortex-m/controls_parts.h"
#include "port/cortex-m/weft_target.h"

volatile uint32_t weft_control_word;

/* Linked where filter.c and trigger.c are. */
#pragma weak weft_filter_tell
#pragma weak weft_trigger_settle

/* The recorder that is paused; good while it is the one that was started last. */
static weft_recorder *volatile paused;

/* The mark stands after all events that were made before. If one of them is not complete, since the caller has
 * interrupted its probe, there is no mark. */
weft_status weft_pause(void)
{
    weft_recorder *recorder = NULL;
    weft_status status = WEFT_AGAIN;
    /* Where the mark does not fit, the frame is cut. With one buffer that frame must go out before the mark is put. */
    for (unsigned tries = 0; status == WEFT_AGAIN && tries < 2; tries++) {
        recorder = weft_poll() ? weft_delivery_own_all() : NULL;
        if (!recorder)
            return WEFT_AGAIN;
        status = weft_recorder_change(recorder, WEFT_CHANGE_PAUSE, 0);
        weft_delivery_release_all(recorder);
    }
    if (status != WEFT_OK || !weft_delivery_end())
        return WEFT_AGAIN;
    paused = recorder;
    return WEFT_OK;
}

weft_recorder *weft_controls_paused(void)
{
    weft_recorder *recorder = paused;
    return recorder && !weft_target_recorder && recorder == weft_target_started() ? recorder : NULL;
}

void weft_controls_set_paused(weft_recorder *recorder)
{
    paused = recorder;
}

/* The mark of the resume stands first in its frame: that is how a reader sees that nothing goes on across it. */
weft_status weft_controls_go_on(weft_recorder *recorder)
{
    weft_status status = weft_recorder_flush(recorder);
    if (status == WEFT_OK)
        status = weft_recorder_change(recorder, WEFT_CHANGE_RESUME, 0);
    return status == WEFT_OK && weft_filter_tell ? weft_filter_tell(recorder) : status;
}

weft_status weft_resume(void)
{
    if (weft_trigger_settle && weft_trigger_settle() != WEFT_OK)
        return WEFT_AGAIN;
    weft_recorder *recorder = weft_controls_paused();
    if (!recorder || !weft_delivery_lock())
        return WEFT_AGAIN;
    weft_status status = weft_controls_go_on(recorder);
    if (status != WEFT_OK) {
        weft_delivery_unlock();
        return status;
    }
    paused = NULL;
    weft_delivery_begin(recorder);
    return WEFT_OK;
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
