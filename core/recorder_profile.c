/* SPDX-License-Identifier: MIT */
/* PROFILE frames, in a file of their own so that programs without a profiler do not link it. */
#include "core/own.h"
#include "core/recorder_parts.h"

/* Writes the next part of the profile into the free buffer as a sealed frame. All before it is sent. */
static void seal_part(weft_recorder *recorder)
{
    size_t shift = weft_recorder_shift(recorder);
    uint8_t *buffer = weft_recorder_buffer(recorder);
    weft_writer out;
    weft_moment now;
    weft_writer_init(&out, buffer + shift, recorder->config.bytes_size - shift - WEFT_FRAME_CHECK_SIZE - 1);
    weft_recorder_moment(recorder, &now);
    weft_recorder_write_head(recorder, &out, WEFT_FRAME_PROFILE, &now);
    weft_write_u8(&out, recorder->config.profile_only ? 1 : 0);
    weft_write_varint64(&out, recorder->profile_start);
    weft_write_varint64(&out, recorder->before.paths);
    weft_write_varint(&out, recorder->profile_part);
    size_t head = out.size;
    recorder->profiling = recorder->config.profiler->flush(recorder->config.profiler_state, &out) == WEFT_AGAIN;
    recorder->profile_part++;
    if (out.size == head)
        return; /* an empty profile */
    weft_recorder_frame *frame = &recorder->queue[recorder->ended % 2];
    frame->buffer = buffer;
    frame->wire_size = weft_frame_seal(buffer, shift, out.size);
    recorder->ended++;
    recorder->waiting = true;
}

static weft_status send_parts(weft_recorder *recorder)
{
    while (recorder->profiling || recorder->waiting) {
        recorder->waiting = recorder->send(recorder) != WEFT_OK;
        if (recorder->waiting)
            return WEFT_AGAIN;
        if (recorder->profiling)
            seal_part(recorder);
    }
    return WEFT_OK;
}

static weft_status write_profile(weft_recorder *recorder)
{
    if (weft_recorder_end(recorder) != WEFT_OK)
        return WEFT_AGAIN;
    const weft_recorder_config *config = &recorder->config;
    uint64_t paths = config->profiler->close(config->profiler_state);
    if (config->profile_only) /* else the control stream counts them */
        recorder->before.paths += paths;
    recorder->profiling = true;
    recorder->profile_part = 0;
    if (send_parts(recorder) != WEFT_OK) {
        weft_recorder_close_regions(recorder);
        return WEFT_AGAIN;
    }
    weft_recorder_begin_interval(recorder); /* the parts used the buffers */
    weft_recorder_begin_frame(recorder);
    weft_recorder_profile_done(recorder);
    return WEFT_OK;
}

/* The paths that the profile did not take are counted after it: before it, they would seem to be among its paths. */
static void lose_held_out(weft_recorder *recorder)
{
    weft_counts lost = {.paths = recorder->held_out};
    recorder->held_out = 0;
    if (lost.paths)
        weft_recorder_lost(recorder, &lost);
}

static weft_status end_profile(weft_recorder *recorder)
{
    if (write_profile(recorder) != WEFT_OK)
        return WEFT_AGAIN;
    lose_held_out(recorder);
    return WEFT_OK;
}

const weft_profile_way weft_profile_frames = {send_parts, write_profile, end_profile};
