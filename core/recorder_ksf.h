/* SPDX-License-Identifier: MIT */
/* The k-slab forest as the recorder's profile, in addition to the control stream or instead of it (profile_only).
 *
 *     WEFT_KSF_DEF(forest, 4, 1000, 64);
 *     weft_ksf_init(&forest, &forest_config);
 *     config.profiler = &weft_profiler_ksf; config.profiler_state = &forest; config.profile_only = true; */
#ifndef WEFT_CORE_RECORDER_KSF_H
#define WEFT_CORE_RECORDER_KSF_H

#include "core/ksf.h"
#include "core/recorder.h"
#include "core/recorder_fast.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const weft_profiler weft_profiler_ksf; /* its state is a weft_ksf */

/* A path of an activation ended. The activation is all zero at the routine's entry, and the recorder's from then on. A
 * path that the forest cannot take, since the sink refuses, is counted as lost, and the activation starts again after
 * it. In addition to a control stream, the forest holds every path that the stream holds, and may hold some that the
 * stream lost. */
void weft_recorder_kpath(weft_recorder *recorder, uint32_t context, uint32_t path, weft_ksf_activation *activation);
/* The forest takes a path; a control stream does not. WEFT_FULL: weft_recorder_kpath must be called, or the profile be
 * written first. With profile_holds a path that finds no room is held out: the activation starts again after it. */
weft_status weft_recorder_kpath_here(weft_recorder *recorder, uint32_t path, weft_ksf_activation *activation);
/* weft_recorder_kpath's shortcut for a path that follows the edge used last, as most do. False: nothing was done. */
static inline bool weft_recorder_kpath_known(weft_recorder *recorder, uint32_t path, weft_ksf_activation *activation)
{
    return weft_ksf_known((weft_ksf *)recorder->config.profiler_state, activation, path);
}

/* And for one that follows another edge near it: weft_ksf_near. */
static inline bool weft_recorder_kpath_near(weft_recorder *recorder, uint32_t path, weft_ksf_activation *activation)
{
    return weft_ksf_near((weft_ksf *)recorder->config.profiler_state, activation, path);
}

/* The same for another path, between weft_ksf_look and weft_ksf_find. WEFT_AGAIN: weft_ksf_find, and this again. */
weft_status weft_recorder_kpath_take(weft_recorder *recorder, weft_ksf_activation *activation, weft_ksf_place *place);

#ifdef __cplusplus
}
#endif

#endif
