/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/weft_target.h"
#include "core/own.h"

#include "port/cortex-m/control_hooks.h"
#include "port/cortex-m/delivery.h"
#include "port/cortex-m/identity.h"

/* From weft_start until weft_stop has given everything to the sink; weft_target_recorder ends before that. */
static weft_recorder *volatile started;
static volatile uint32_t runs; /* weft_start calls that were obeyed */
static volatile bool stopping; /* weft_stop was called */

/* The note section: a head of 12 bytes, "GNU" and its zero, the id. */
extern const uint8_t weft_build_id_start[] __attribute__((weak));
extern const uint8_t weft_build_id_end[] __attribute__((weak));
enum { NOTE_HEAD = 16 };

/* A word that no reset clears, where the linker script has one. At power-up it holds any number. */
extern uint32_t weft_run_before[] __attribute__((weak));

weft_recorder *weft_target_started(void)
{
    return started;
}

bool weft_target_stopping(void)
{
    return stopping;
}

uint32_t weft_target_runs(void)
{
    return runs;
}

extern volatile uint32_t __weft_laps __attribute__((weak)); /* there if the program counts */

static void add_build_id(weft_recorder_config *config)
{
    size_t note_size = (size_t)((uintptr_t)weft_build_id_end - (uintptr_t)weft_build_id_start);
    if (config->build_id || note_size <= NOTE_HEAD || note_size > NOTE_HEAD + WEFT_RECORDER_BUILD_ID_MAX)
        return;
    config->build_id = weft_build_id_start + NOTE_HEAD;
    config->build_id_size = note_size - NOTE_HEAD;
}

/* The number of the recording that starts now: not 0, and another one than those before it, since power came if that
 * word is there, else since the reset. */
static uint32_t next_run(void)
{
    uint32_t run = (weft_run_before ? weft_run_before[0] : runs) + 1;
    return run ? run : 1;
}

/* Linked where left_out.c is. */
#pragma weak weft_left_out_begin

weft_status weft_start(weft_recorder *recorder, const weft_recorder_config *config)
{
    weft_recorder_config full = *config;
    add_build_id(&full);
    if (&__weft_laps)
        full.probes = WEFT_PROBE_COUNTS;
    if (!full.identity)
        full.identity = weft_image_identity();
    if (!weft_delivery_lock())
        return WEFT_AGAIN;
    uint32_t run = next_run();
    if (!full.run)
        full.run = run;
    weft_status status = started || !weft_delivery_clear() ? WEFT_AGAIN : weft_recorder_init(recorder, &full);
    if (status != WEFT_OK) {
        weft_delivery_unlock();
        return status;
    }
    started = recorder;
    stopping = false;
    runs++;
    if (weft_run_before)
        weft_run_before[0] = run;
    if (weft_left_out_begin)
        weft_left_out_begin(recorder);
    weft_delivery_begin(recorder);
    return WEFT_OK;
}

/* Offers what is left to the sink, once. WEFT_OK: all is out, or a context that came in between has finished it, and
 * may have started another recording. False: the caller has interrupted a context that is doing this. */
static bool finish(weft_status *status)
{
    if (!weft_delivery_lock())
        return false;
    bool ended = started && !weft_target_recorder;
    *status = ended ? weft_recorder_finish(started) : WEFT_OK;
    if (ended && *status == WEFT_OK)
        started = NULL;
    weft_delivery_unlock();
    return true;
}

extern void weft_check(void) __attribute__((weak)); /* it brings no file of a library */

weft_status weft_stop(void)
{
    if (weft_check)
        weft_check();
    bool going_on = weft_delivery_end();
    if (going_on && !weft_target_recorder)
        stopping = true;
    weft_status status = WEFT_AGAIN;
    for (uint32_t tries = 0; going_on && status == WEFT_AGAIN && tries < WEFT_STOP_TRIES; tries++)
        going_on = finish(&status);
    return status;
}

extern void weft_kpath_shut(void) __attribute__((weak)); /* where there is a forest: it may not have been written */

weft_status weft_stop_for_good(void)
{
    weft_delivery_abandon();
    weft_status status = weft_stop();
    weft_target_forget();
    if (weft_kpath_shut)
        weft_kpath_shut();
    started = NULL;
    return status;
}

void weft_thread_switch(uint32_t thread)
{
    weft_target_thread = thread == WEFT_NO_THREAD ? 0 : WEFT_FIRST_THREAD_CONTEXT + thread;
    weft_delivery_reopen();
}
