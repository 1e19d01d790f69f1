/* SPDX-License-Identifier: MIT */
/* Many passes of one path, in a file of their own so that programs without such loops do not link it. */
#include "core/recorder_passes.h"
#include "core/own.h"

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* After a pass of `path`: of `count` more, takes those that the frame has room for. */
static uint32_t take_again(weft_recorder *recorder, uint32_t context, uint32_t path, uint32_t count)
{
    uint32_t paths = weft_recorder_paths(recorder);
    if (recorder->config.control_coder || recorder->context != context ||
        weft_history_last(&recorder->history) != path || !weft_recorder_control_fits(recorder) ||
        paths >= recorder->paths_max)
        return 0;
    uint32_t taken = least(count, recorder->paths_max - paths);
    weft_recorder_put_again(recorder, taken);
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
    bool many = count > WEFT_RECORDER_PASSES_FEW;
    while (count > 0) {
        uint32_t taken = many ? take_again(recorder, context, path, count) : 0;
        if (taken == 0) {
            weft_recorder_path(recorder, context, path);
            taken = 1 + (recorder->waiting ? lose_some(recorder, count - 1) : 0);
        }
        count -= taken;
    }
}

/* A coder takes them one by one, each up to some hundred instructions; about as many as one frame is sealed in. */
uint32_t weft_recorder_passes_max(const weft_recorder *recorder)
{
    return recorder->config.control_coder ? 64 : WEFT_RECORDER_PATHS_MAX;
}
