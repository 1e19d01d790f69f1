/* SPDX-License-Identifier: MIT */
/* The fast path of a loop's passes, to be inlined into its probe: see core/recorder_fast.h. */
#ifndef WEFT_CORE_RECORDER_PASSES_H
#define WEFT_CORE_RECORDER_PASSES_H

#include "core/recorder_fast.h"

#ifdef __cplusplus
extern "C" {
#endif

/* paths: with no more passes than this, each is recorded as one path. So a loop that always makes as many passes can be
 * predicted. Those beyond the first of a longer one stay out of the history, and take three bytes. */
#define WEFT_RECORDER_PASSES_FEW 8u

/* Another `count` passes of the path before, at most WEFT_RECORDER_PATHS_MAX; the raw coder has room. The history is
 * kept. */
static inline void weft_recorder_put_again(weft_recorder *recorder, uint32_t count)
{
    weft_region *control = &recorder->region[WEFT_REGION_CONTROL];
    weft_recorder_end_run(recorder);
    *control->at++ = WEFT_RUN_AGAIN;
    control->at = weft_put_varint(control->at, count);
    recorder->paths += count;
    weft_recorder_path_done(recorder);
}

/* The same for the fast path. False: nothing was done. */
static inline bool weft_recorder_again_here(weft_recorder *recorder, uint32_t path, uint32_t count)
{
    if (!weft_recorder_control_fits(recorder) || weft_history_last(&recorder->history) != path ||
        count >= WEFT_RECORDER_PATHS_MAX || weft_recorder_paths(recorder) + count >= recorder->paths_max)
        return false;
    weft_recorder_put_again(recorder, count);
    return true;
}

#ifdef __cplusplus
}
#endif

#endif
