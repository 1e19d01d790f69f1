/* SPDX-License-Identifier: MIT */
/* The entry points of builds with a k-slab forest, in a file of their own so that other builds do not link the forest.
 * A path cannot wait in the ring, since its activation may end before. So what a handler makes while it interrupts the
 * owner, who writes the profile mostly, is counted as lost. With ring delivery, which masks nothing, the owner is
 * the context that counts a path. A handler never writes the profile: a path that finds it full is lost, too. */
#include "core/own.h"
#include "core/recorder_fast.h"
#include "core/recorder_ksf.h"
#include "port/cortex-m/delivery.h"
#include "port/cortex-m/delivery_choice.h"
#include "port/cortex-m/event_ring.h"
#include "port/cortex-m/probes.h"

/* Where a recorder of a profile only is not open for the caller. False: another context is at work. */
static __attribute__((noinline)) bool enter(uint32_t exception)
{
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = weft_target_recorder;
    bool idle = !recorder || recorder->open == exception || weft_delivery_idle(recorder);
    if (recorder && idle) { /* without a control stream, a switch of context is not recorded */
        recorder->context = exception ? exception : weft_target_thread;
        weft_recorder_set_open(recorder, exception);
    }
    weft_restore_interrupts(primask);
    return idle;
}

/* With interrupts masked. WEFT_OK: the caller may change the forest. WEFT_AGAIN: not before it has entered. */
static inline weft_status may_count(const weft_recorder *recorder, uint32_t exception)
{
    if (exception == recorder->open)
        return WEFT_OK;
    if (recorder->config.profile_only)
        return WEFT_AGAIN;
    return weft_delivery_at_forest ? WEFT_CONFIG : WEFT_OK;
}

/* Takes what was looked for. WEFT_CONFIG: another context is at work. */
static inline weft_status take(weft_ksf_activation *activation, weft_ksf_place *place)
{
    const uint32_t exception = weft_ipsr();
    for (;;) {
        uint32_t primask = weft_mask_interrupts();
        weft_recorder *recorder = weft_target_recorder;
        weft_status may = recorder ? may_count(recorder, exception) : WEFT_OK, status = may;
        if (recorder && may == WEFT_OK)
            status = weft_recorder_kpath_take(recorder, activation, place);
        weft_restore_interrupts(primask);
        if (may != WEFT_AGAIN)
            return status;
        if (!enter(exception))
            return WEFT_CONFIG;
    }
}

/* Looks with interrupts on. */
static inline weft_status count(weft_recorder *recorder, uint32_t path, weft_ksf_activation *activation)
{
    weft_ksf_place place;
    weft_status status = weft_ksf_look(recorder->config.profiler_state, &place);
    while (status == WEFT_AGAIN && (recorder = weft_target_recorder)) {
        weft_ksf_find(recorder->config.profiler_state, activation, path, &place);
        status = take(activation, &place);
    }
    return status == WEFT_AGAIN ? WEFT_OK : status;
}

/* The control stream takes the path, in steps. */
static __attribute__((noinline)) void record(uint32_t path)
{
    uint32_t word = weft_history_word(weft_ipsr(), path);
    weft_status status = word == WEFT_HISTORY_NONE ? WEFT_FULL : WEFT_AGAIN;
    while (status == WEFT_AGAIN) {
        uint32_t primask = weft_mask_interrupts();
        weft_recorder *recorder = weft_target_recorder;
        bool open = recorder && weft_ipsr() == recorder->open;
        status = open ? weft_recorder_path_step(recorder, word, path) : WEFT_FULL;
        weft_restore_interrupts(primask);
    }
    if (status == WEFT_FULL)
        weft_deliver(WEFT_TAG_PATH, path, 0, 0);
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
    weft_delivery_at_forest = true;
    weft_recorder_kpath(recorder, exception ? exception : weft_target_thread, path, activation);
    weft_delivery_at_forest = false;
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

/* A path that does not follow the edge used last, or that comes in another context than the one before. */
static __attribute__((noinline)) void take_rarely(uint32_t path, weft_ksf_activation *activation)
{
    weft_recorder *recorder = weft_target_recorder;
    if (!recorder)
        return;
    if (weft_delivery_choice.by_ring) {
        take_by_ring(path, activation);
        return;
    }
    bool only = recorder->config.profile_only;
    weft_status status = count(recorder, path, activation);
    if (status == WEFT_FULL && weft_delivery_profile())
        status = count(recorder, path, activation);
    if (status != WEFT_OK)
        take_slowly(path, activation);
    else if (!only)
        record(path);
}

/* A path that does not follow the edge used last. In a mask of its own, so that each is short; out of line, so that the
 * usual way saves few registers. */
static __attribute__((noinline)) void take_near(uint32_t path, weft_ksf_activation *activation)
{
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = weft_target_recorder;
    bool open = recorder && weft_ipsr() == recorder->open;
    bool taken = open && weft_recorder_kpath_near(recorder, path, activation);
    bool done = taken && recorder->config.profile_only;
    weft_restore_interrupts(primask);
    if (done)
        return;
    if (taken)
        record(path);
    else
        take_rarely(path, activation);
}

void __weft_kpath(uint32_t path, uint32_t activation[4])
{
    weft_ksf_activation *state = (weft_ksf_activation *)activation;
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = weft_target_recorder;
    if (!recorder || weft_ipsr() != recorder->open || !weft_recorder_kpath_known(recorder, path, state)) {
        weft_restore_interrupts(primask);
        take_near(path, state);
        return;
    }
    bool only = recorder->config.profile_only;
    weft_restore_interrupts(primask);
    if (!only)
        record(path);
}

/* The forest need not know that an activation ends. */
void __weft_kpath_exit(uint32_t path, uint32_t activation[4])
{
    __weft_kpath(path, activation);
}
