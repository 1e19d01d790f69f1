/* SPDX-License-Identifier: MIT */
/* Many passes of one path, in a file of their own so that programs without such loops do not link it. The first two go
 * the usual way. Then the path is predicted to follow itself, and the others only make the present run longer. */
#include "core/own.h"
#include "core/recorder_fast.h"

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* After a pass of `path`: of `count` more, takes those that the present run has room for. Where the fast path is closed
 * (weft_recorder_pace), each pass would also ask for the end of a frame that has many. */
static uint32_t take_run(weft_recorder *recorder, uint32_t path, uint32_t count)
{
    const weft_region *control = &recorder->region[WEFT_REGION_CONTROL];
    if (recorder->config.control_coder || recorder->path != path ||
        recorder->followers[path & recorder->followers_mask] != path ||
        !weft_recorder_fits(recorder, WEFT_REGION_CONTROL))
        return 0;
    uint32_t taken = least(count, recorder->run_left);
    if (control->at > control->limit)
        taken = least(taken, recorder->paths < WEFT_RECORDER_PATHS_MAX ? WEFT_RECORDER_PATHS_MAX - recorder->paths : 0);
    recorder->run_left -= taken;
    recorder->paths += taken;
    return taken;
}

/* While a frame waits, these are lost, and the sink need not be asked about each. */
static uint32_t lose_some(weft_recorder *recorder, uint32_t count)
{
    uint32_t lost = least(count, WEFT_RECORDER_RUN_MAX);
    recorder->paths += lost;
    return lost;
}

void weft_recorder_passes(weft_recorder *recorder, uint32_t context, uint32_t path, uint32_t count)
{
    while (count > 0) {
        weft_recorder_path(recorder, context, path);
        count--;
        count -= recorder->waiting ? lose_some(recorder, count) : take_run(recorder, path, count);
    }
}

/* A coder takes them one by one, each up to some hundred instructions; about as many as one frame is sealed in. */
uint32_t weft_recorder_passes_max(const weft_recorder *recorder)
{
    return recorder->config.control_coder ? 64 : WEFT_RECORDER_PATHS_MAX;
}
