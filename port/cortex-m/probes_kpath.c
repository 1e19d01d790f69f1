/* SPDX-License-Identifier: MIT */
/* The entry points of builds with a k-slab forest, in a file of their own so that other builds do not link the forest.
 * A path cannot wait in the ring, since its activation may end before. So what a handler makes while it interrupts the
 * owner, who writes the profile mostly, is counted as lost. With ring delivery, which masks nothing, the owner is
 * whoever counts a path, and a handler never writes the profile: a path that finds it full is lost, too. */
#include "core/own.h"
#include "core/recorder_fast.h"
#include "core/recorder_ksf.h"
#include "port/cortex-m/delivery.h"
#include "port/cortex-m/delivery_choice.h"
#include "port/cortex-m/event_ring.h"
#include "port/cortex-m/probes.h"

/* With interrupts masked. WEFT_FULL: the forest is. WEFT_AGAIN: another context is at work. */
static weft_status count(weft_recorder *recorder, uint32_t path, weft_ksf_activation *activation)
{
    uint32_t exception = weft_ipsr();
    if (exception != recorder->open) {
        if (!weft_delivery_idle(recorder))
            return WEFT_AGAIN;
        if (recorder->config.profile_only) { /* without a control stream, a switch of context is not recorded */
            recorder->context = exception ? exception : weft_target_thread;
            weft_recorder_set_open(recorder, exception);
        }
    }
    return weft_recorder_kpath_here(recorder, path, activation);
}

/* WEFT_OK: that was all. */
static weft_status take(uint32_t path, weft_ksf_activation *activation)
{
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = weft_target_recorder;
    weft_status status = recorder ? count(recorder, path, activation) : WEFT_OK;
    bool coded = !recorder || recorder->config.profile_only;
    if (!coded && status == WEFT_OK && weft_ipsr() == recorder->open && weft_recorder_takes_path(recorder)) {
        weft_recorder_path_here(recorder, path);
        coded = true;
    }
    weft_restore_interrupts(primask);
    if (status == WEFT_OK && !coded)
        weft_deliver(WEFT_TAG_PATH, path, 0, 0);
    return status;
}

static void lose(weft_ksf_activation *activation)
{
    *activation = (weft_ksf_activation){0};
    weft_delivery_lose_path();
}

static void take_slowly(uint32_t path, weft_ksf_activation *activation)
{
    uint32_t exception = weft_ipsr();
    weft_recorder *recorder = weft_delivery_own();
    if (!recorder) {
        lose(activation);
        return;
    }
    (void)weft_delivery_drain(recorder);
    weft_delivery_forest(true);
    weft_recorder_kpath(recorder, exception ? exception : weft_target_thread, path, activation);
    weft_delivery_forest(false);
    (void)weft_delivery_release(recorder);
    (void)weft_poll();
}

/* With ring delivery. The port's Makefile sees to it that there is no control stream. */
static void take_by_ring(uint32_t path, weft_ksf_activation *activation)
{
    uint32_t exception = weft_ipsr();
    weft_recorder *recorder = weft_delivery_own();
    if (!recorder) {
        lose(activation);
        return;
    }
    bool busy = recorder->waiting || recorder->profiling;
    recorder->context = exception ? exception : weft_target_thread;
    if (busy || weft_recorder_kpath_here(recorder, path, activation) != WEFT_OK) {
        if (exception)
            lose(activation);
        else
            weft_recorder_kpath(recorder, recorder->context, path, activation);
    }
    (void)weft_delivery_release(recorder);
}

void __weft_kpath(uint32_t path, uint32_t activation[4])
{
    weft_ksf_activation *state = (weft_ksf_activation *)activation;
    if (!weft_target_recorder)
        return;
    if (weft_delivery_choice.by_ring) {
        take_by_ring(path, state);
        return;
    }
    weft_status status = take(path, state);
    if (status == WEFT_FULL && weft_delivery_profile())
        status = take(path, state);
    if (status != WEFT_OK)
        take_slowly(path, state);
}

/* The forest need not know that an activation ends. */
void __weft_kpath_exit(uint32_t path, uint32_t activation[4])
{
    __weft_kpath(path, activation);
}
