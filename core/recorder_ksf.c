/* SPDX-License-Identifier: MIT */
#include "core/recorder_ksf.h"
#include "core/own.h"
#include "core/recorder_parts.h"

static weft_status flush(void *state, weft_writer *out)
{
    weft_status status = weft_ksf_flush(state, out);
    return status == WEFT_AGAIN ? WEFT_AGAIN : WEFT_OK;
}

static void stats(const void *state, weft_writer *out)
{
    const weft_ksf *ksf = state;
    const uint32_t values[] = {weft_ksf_high_water(ksf), ksf->nodes_max - 1u};
    weft_recorder_write_fields(out, WEFT_STATS_KSF_HIGH, values, WEFT_COUNT(values));
}

static void meta(const void *state, weft_writer *out)
{
    const weft_ksf *ksf = state;
    weft_write_field(out, WEFT_META_KSF_K, ksf->chunk + 1u);
}

static uint64_t close_segment(void *state)
{
    return weft_ksf_close(state);
}

const weft_profiler weft_profiler_ksf = {
    close_segment, flush, stats, meta, WEFT_RECORDER_PROFILE_MIN(WEFT_KSF_PART_MIN), &weft_profile_frames};

static weft_status hold_out(weft_recorder *recorder, weft_ksf_activation *activation)
{
    *activation = (weft_ksf_activation){0};
    recorder->held_out++;
    return WEFT_OK;
}

/* What the forest answers to a path. Without a control stream its counts say how many came. */
static inline weft_status counted(weft_recorder *recorder, weft_ksf_activation *activation, weft_status status)
{
    if (status == WEFT_AGAIN || status == WEFT_OK)
        return status;
    return recorder->config.profile_holds ? hold_out(recorder, activation) : WEFT_FULL;
}

weft_status weft_recorder_kpath_here(weft_recorder *recorder, uint32_t path, weft_ksf_activation *activation)
{
    weft_ksf *ksf = recorder->config.profiler_state;
    return counted(recorder, activation, weft_ksf_push(ksf, activation, path));
}

weft_status weft_recorder_kpath_take(weft_recorder *recorder, weft_ksf_activation *activation, weft_ksf_place *place)
{
    return counted(recorder, activation, weft_ksf_take(recorder->config.profiler_state, activation, place));
}

void weft_recorder_kpath(weft_recorder *recorder, uint32_t context, uint32_t path, weft_ksf_activation *activation)
{
    const weft_recorder_config *config = &recorder->config;
    bool taken = false;
    if (weft_recorder_open(recorder)) {
        taken = weft_ksf_push(config->profiler_state, activation, path) == WEFT_OK;
        if (!taken && config->profile_holds) {
            (void)hold_out(recorder, activation);
            return;
        }
        if (!taken && weft_recorder_profile(recorder) == WEFT_OK)
            taken = weft_ksf_push(config->profiler_state, activation, path) == WEFT_OK;
    }
    if (!taken) { /* a frame waits, so the path is lost. What comes next does not continue what came before */
        *activation = (weft_ksf_activation){0};
        recorder->context = context;
        recorder->paths++; /* weft_recorder_open sees to it that these are fewer than 2^32 */
    } else if (!config->profile_only) {
        weft_recorder_path(recorder, context, path);
    }
}
