/* SPDX-License-Identifier: MIT */
#include "core/recorder_loops.h"
#include "core/own.h"
#include "core/recorder_parts.h"

static size_t size_min(const void *state)
{
    (void)state;
    return WEFT_LOOPNEST_OUT_MIN;
}

static weft_status push(void *state, uint32_t symbol, weft_writer *out)
{
    return weft_loopnest_push(state, symbol, out);
}

static void flush(void *state, weft_writer *out)
{
    weft_loopnest_flush(state, out);
}

static void stats(const void *state, weft_writer *out)
{
    const weft_loopnest *nest = state;
    const uint32_t values[] = {nest->terms_high, nest->config.window};
    weft_recorder_write_fields(out, WEFT_STATS_CODER_HIGH, values, WEFT_COUNT(values));
}

const weft_control_coder weft_control_coder_loops = {&weft_coded, WEFT_CONTROL_LOOPS, size_min, push, flush, stats};
