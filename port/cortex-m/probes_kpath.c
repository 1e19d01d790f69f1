/* SPDX-License-Identifier: MIT */
/* The entry points of builds with a k-slab forest, in a file of their own so that other builds do not link the forest.
 * A path cannot wait in the ring, since its activation may end before. So what a handler makes while it interrupts the
 * owner, who writes the profile mostly, is counted as lost. With ring delivery, which masks nothing, the owner is
 * the context that counts a path. A handler never writes the profile: a path that finds it full is lost, too.
 *
 * Without a control stream, no order of contexts is recorded: any of them may count paths while the forest's gate
 * (core/ksf.h) is open. Whoever finds it shut opens it, if nobody is at work. With a control stream it is
 * never open. */
#include "core/own.h"
#include "core/recorder_fast.h"
#include "core/recorder_ksf.h"
#include "port/cortex-m/delivery.h"
#include "port/cortex-m/delivery_choice.h"
#include "port/cortex-m/event_ring.h"
#include "port/cortex-m/kpath_parts.h"
#include "port/cortex-m/probes.h"

static weft_ksf_node no_node; /* so that what is shut has an address */
weft_kpath_gate weft_kpath_entrance __attribute__((used)) = {{WEFT_KSF_SHUT, &no_node}, NULL, NULL, 0};

/* `changed` is the forest, where a mask is enough to change it; or NULL. */
static void open_gate(weft_ksf *forest, weft_ksf *changed)
{
    weft_kpath_entrance.forest = changed;
    weft_kpath_entrance.roots = forest->roots;
    weft_kpath_entrance.roots_mask = forest->roots_mask;
    weft_ksf_open(forest, &weft_kpath_entrance.gate);
}

void weft_kpath_shut(void)
{
    weft_kpath_entrance.gate.open = WEFT_KSF_SHUT;
}

/* A recorder of a profile only is made ready for the caller. False: another context is at work. */
static __attribute__((noinline)) bool enter(uint32_t exception)
{
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = weft_target_recorder;
    bool idle = !recorder || weft_delivery_idle(recorder);
    if (recorder && idle) { /* without a control stream, a switch of context is not recorded */
        recorder->context = exception ? exception : weft_target_thread;
        open_gate(recorder->config.profiler_state, recorder->config.profiler_state);
    }
    weft_restore_interrupts(primask);
    return idle;
}

/* With interrupts masked. WEFT_OK: the caller may change the forest. WEFT_AGAIN: not before it has entered. */
static inline weft_status may_count(const weft_recorder *recorder)
{
    if (weft_kpath_entrance.gate.open != WEFT_KSF_SHUT)
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
        weft_status may = recorder ? may_count(recorder) : WEFT_OK, status = may;
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
static inline weft_status count_path(weft_recorder *recorder, uint32_t path, weft_ksf_activation *activation)
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
    weft_kpath_shut();
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
    weft_kpath_shut();
    recorder->context = exception ? exception : weft_target_thread;
    if (busy || weft_recorder_kpath_here(recorder, path, activation) != WEFT_OK) {
        if (exception)
            lose(activation);
        else
            weft_recorder_kpath(recorder, recorder->context, path, activation);
    }
    if (WEFT_MAINLINE && !recorder->waiting && !recorder->profiling) /* others may only count at known edges */
        open_gate(recorder->config.profiler_state, NULL);
    (void)weft_delivery_release(recorder);
}

/* Beside a control stream: known and near, each in a mask of its own. */
static bool take_beside(uint32_t path, weft_ksf_activation *activation)
{
    const uint32_t exception = weft_ipsr();
    uint32_t primask = weft_mask_interrupts();
    weft_recorder *recorder = weft_target_recorder;
    bool taken = recorder && recorder->open == exception && weft_recorder_kpath_known(recorder, path, activation);
    weft_restore_interrupts(primask);
    if (taken)
        return true;
    primask = weft_mask_interrupts();
    recorder = weft_target_recorder;
    taken = recorder && recorder->open == exception && weft_recorder_kpath_near(recorder, path, activation);
    weft_restore_interrupts(primask);
    return taken;
}

/* The gate is shut, or the path is to be looked for. */
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
    weft_status status = !only && take_beside(path, activation) ? WEFT_OK : count_path(recorder, path, activation);
    if (status == WEFT_FULL && weft_delivery_profile())
        status = count_path(recorder, path, activation);
    if (status != WEFT_OK)
        take_slowly(path, activation);
    else if (!only)
        record(path);
}

/* With interrupts masked: the forest that the gate is open for; NULL: it is shut, or masks are not enough. */
static inline weft_ksf *open_forest(void)
{
    return weft_kpath_entrance.gate.open != WEFT_KSF_SHUT ? weft_kpath_entrance.forest : NULL;
}

/* To be looked for, with interrupts on. WEFT_CONFIG: the gate was shut meanwhile. */
static __attribute__((noinline)) weft_status look_for(weft_ksf *forest, uint32_t path, weft_ksf_activation *activation)
{
    weft_ksf_place place;
    weft_status status = weft_ksf_look(forest, &place);
    while (status == WEFT_AGAIN) {
        weft_ksf_find(forest, activation, path, &place);
        uint32_t primask = weft_mask_interrupts();
        status = forest == open_forest() ? weft_ksf_take(forest, activation, &place) : WEFT_CONFIG;
        weft_restore_interrupts(primask);
    }
    return status;
}

/* Out of line, so that the usual way saves few registers. */
__attribute__((noinline, used)) void weft_kpath_other(uint32_t path, weft_ksf_activation *activation)
{
    bool taken = false;
    weft_ksf *forest = open_forest(); /* what looks and takes is told if it is no longer open */
    if (!WEFT_MAINLINE) {
        uint32_t primask = weft_mask_interrupts();
        forest = open_forest();
        taken = forest && weft_ksf_near(forest, activation, path);
        weft_restore_interrupts(primask);
    }
    if (!taken && !(forest && look_for(forest, path, activation) == WEFT_OK))
        take_rarely(path, activation);
}

#if !WEFT_MAINLINE

void __weft_kpath(uint32_t path, uint32_t activation[4])
{
    weft_ksf_activation *state = (weft_ksf_activation *)activation;
    uint32_t primask = weft_mask_interrupts();
    bool taken = weft_ksf_pass(&weft_kpath_entrance.gate, state, path);
    weft_restore_interrupts(primask);
    if (!taken)
        weft_kpath_other(path, state);
}

/* The forest need not know that an activation ends. */
void __weft_kpath_exit(uint32_t path, uint32_t activation[4]) __attribute__((alias("__weft_kpath")));

#endif
