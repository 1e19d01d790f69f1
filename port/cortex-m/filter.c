/* SPDX-License-Identifier: MIT */
#include "core/own.h"
#include "port/cortex-m/controls.h"
#include "port/cortex-m/controls_parts.h"
#include "port/cortex-m/weft_target.h"

/* Linked where trigger.c is. */
#pragma weak weft_trigger_silent

static uint32_t named[WEFT_FILTER_MAX];
static volatile uint32_t count; /* 0: there is no filter */
static bool only;
static uint32_t run; /* the recording that it is for */

bool weft_filter_passes(uint32_t context)
{
    uint32_t contexts = count;
    if (!contexts || run != weft_target_runs())
        return true;
    for (uint32_t i = 0; i < contexts; i++)
        if (named[i] == context)
            return only;
    return !only;
}

weft_status weft_filter_tell(weft_recorder *recorder)
{
    uint32_t contexts = run == weft_target_runs() ? count : 0;
    if (!contexts)
        return WEFT_OK;
    weft_status status = WEFT_OK;
    for (uint32_t i = 0; i < contexts && status == WEFT_OK; i++)
        status = weft_recorder_change(recorder, WEFT_CHANGE_FILTER,
                                      named[i] << 2 | (only ? WEFT_FILTER_ONLY : WEFT_FILTER_OUT));
    return status;
}

/* While the probes do nothing. */
static weft_status set(uint32_t context, bool keep)
{
    if (run != weft_target_runs() || only != keep)
        count = 0;
    run = weft_target_runs();
    only = keep;
    for (uint32_t i = 0; i < count; i++)
        if (named[i] == context)
            return WEFT_OK;
    if (count == WEFT_FILTER_MAX)
        return WEFT_FULL;
    named[count] = context;
    count++;
    return WEFT_OK;
}

/* context NULL: no filter. */
static weft_status put(const uint32_t *context, bool keep)
{
    if (context)
        return set(*context, keep);
    count = 0;
    return WEFT_OK;
}

/* A trigger lets nothing be recorded at present: the marks come with what is recorded next. False: it has come
 * meanwhile. */
static bool change_in_silence(const uint32_t *context, bool keep, weft_status *status)
{
    weft_recorder *recorder = weft_poll() ? weft_delivery_own_all() : NULL;
    *status = WEFT_AGAIN;
    if (!recorder)
        return true;
    (void)weft_delivery_drain(recorder);
    bool silent = weft_trigger_silent();
    if (silent)
        *status = put(context, keep);
    weft_delivery_release_all(recorder);
    return silent;
}

static weft_status change(const uint32_t *context, bool keep)
{
    const weft_recorder *recorder = weft_target_started();
    if (recorder && recorder->config.profiler)
        return WEFT_CONFIG;
    weft_status status = WEFT_OK;
    if (weft_trigger_silent)
        (void)weft_poll(); /* what waits may be the last that it lets be recorded */
    if (weft_trigger_silent && weft_trigger_silent() && change_in_silence(context, keep, &status))
        return status;
    if (!weft_controls_paused())
        status = weft_controls_halt(false);
    if (status != WEFT_OK || !weft_delivery_lock()) /* a handler may change it, too */
        return WEFT_AGAIN;
    status = put(context, keep);
    weft_delivery_unlock();
    weft_status resumed = weft_controls_paused_briefly() ? weft_controls_continue() : WEFT_OK;
    return status == WEFT_OK ? resumed : status;
}

weft_status weft_filter_only(uint32_t context)
{
    return change(&context, true);
}

weft_status weft_filter_out(uint32_t context)
{
    return change(&context, false);
}

weft_status weft_filter_all(void)
{
    return change(NULL, false);
}
