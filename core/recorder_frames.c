/* SPDX-License-Identifier: MIT */
/* The way to the sink, and the frames that are not TRACE: META, PROFILE and STATS. */
#include "core/own.h"
#include "core/recorder_parts.h"

static weft_status to_sink(weft_recorder *recorder, const uint8_t *bytes, size_t size)
{
    const weft_sink *sink = recorder->config.sink;
    weft_status status = sink->write(sink->context, bytes, size);
    if (status == WEFT_OK)
        return WEFT_OK;
    recorder->refused++;
    return WEFT_AGAIN;
}

/* The container's head goes out first, once. False: the sink refused it. */
static bool send_head(weft_recorder *recorder)
{
    if (!recorder->head_sent)
        recorder->head_sent =
            to_sink(recorder, (const uint8_t *)WEFT_CONTAINER_HEAD, WEFT_CONTAINER_HEAD_SIZE) == WEFT_OK;
    return recorder->head_sent;
}

static void write_text(weft_writer *writer, uint32_t key, const uint8_t *bytes, size_t size)
{
    weft_write_varint(writer, key);
    weft_write_varint(writer, (uint32_t)size);
    weft_write_bytes(writer, bytes, size);
}

static size_t text_size(const char *text, size_t most)
{
    size_t size = 0;
    while (size < most && text[size])
        size++;
    return size;
}

/* A field that stands only where it says something. */
static void write_nonzero(weft_writer *writer, uint32_t key, uint64_t value)
{
    if (value)
        weft_write_field(writer, key, value);
}

enum { SMALL_FRAME = 240 }; /* content of META, NAMES and STATS frames at most */

typedef struct small_frame {
    weft_writer writer;
    uint8_t bytes[WEFT_FRAME_WIRE_MAX(SMALL_FRAME) + 1];
} small_frame;

static void small_begin(const weft_recorder *recorder, small_frame *small, weft_frame_kind kind, uint64_t time,
                        uint64_t lost)
{
    weft_writer_init(&small->writer, small->bytes + WEFT_FRAME_SHIFT(SMALL_FRAME), SMALL_FRAME - WEFT_FRAME_CRC_SIZE);
    weft_recorder_write_head(recorder, &small->writer, kind, time, lost);
}

static weft_status small_send(weft_recorder *recorder, small_frame *small)
{
    size_t size = weft_frame_seal(small->bytes, WEFT_FRAME_SHIFT(SMALL_FRAME), small->writer.size);
    weft_status status = to_sink(recorder, small->bytes, size);
    if (status == WEFT_OK)
        recorder->sequence++;
    return status;
}

void weft_recorder_send_meta(weft_recorder *recorder, uint64_t time, uint64_t lost)
{
    const weft_recorder_config *config = &recorder->config;
    if (recorder->meta_due || !send_head(recorder))
        return;
    small_frame small;
    weft_writer *out = &small.writer;
    small_begin(recorder, &small, WEFT_FRAME_META, time, lost);
    weft_write_field(out, WEFT_META_CLOCK_HZ, config->clock ? config->clock->hz : 0);
    weft_write_field(out, WEFT_META_PROBES, config->probes);
    weft_write_field(out, WEFT_META_CONTROL_CODER,
                     config->control_coder ? config->control_coder->id : WEFT_CONTROL_COPIES);
    weft_write_field(out, WEFT_META_BUS_CODER, weft_recorder_bus_id(recorder));
    weft_write_field(out, WEFT_META_FRAME_SIZE, config->bytes_size);
    weft_write_field(out, WEFT_META_SLOTS, 1u << weft_recorder_slots_log2(recorder));
    weft_write_field(out, WEFT_META_VALUE_SLOTS, 1u << weft_recorder_value_slots_log2(recorder));
    if (config->profiler && config->profiler->meta)
        config->profiler->meta(config->profiler_state, out);
    write_nonzero(out, WEFT_META_DERIVE, config->derive);
    write_nonzero(out, WEFT_META_TIME_BASE, config->time_base);
    write_nonzero(out, WEFT_META_SAMPLING, config->sampling);
    if (config->build_id_size)
        write_text(out, WEFT_META_BUILD_ID, config->build_id, config->build_id_size);
    if (config->note)
        write_text(out, WEFT_META_NOTE, (const uint8_t *)config->note, text_size(config->note, WEFT_RECORDER_NOTE_MAX));
    if (small_send(recorder, &small) != WEFT_OK)
        return;
    recorder->meta_due = config->meta_every ? config->meta_every : WEFT_RECORDER_META_EVERY;
    recorder->names_sent = 0;
}

weft_status weft_recorder_send_names(weft_recorder *recorder, uint64_t time, uint64_t lost)
{
    uint16_t next = recorder->names_sent;
    if (next == recorder->names_count)
        return WEFT_OK;
    if (!send_head(recorder))
        return WEFT_AGAIN;
    small_frame small;
    weft_writer *out = &small.writer;
    small_begin(recorder, &small, WEFT_FRAME_NAMES, time, lost);
    for (; next < recorder->names_count; next++) {
        const weft_recorder_name_entry *name = &recorder->config.names[next];
        size_t before = out->size;
        write_text(out, name->number, (const uint8_t *)name->text, text_size(name->text, WEFT_RECORDER_NAME_MAX));
        if (out->status == WEFT_OK)
            continue;
        weft_writer_rollback(out, before);
        break;
    }
    if (small_send(recorder, &small) == WEFT_OK)
        recorder->names_sent = next;
    return recorder->names_sent == recorder->names_count ? WEFT_OK : WEFT_AGAIN;
}

weft_status weft_recorder_send_stats(weft_recorder *recorder)
{
    const weft_recorder_config *config = &recorder->config;
    if (!send_head(recorder))
        return WEFT_AGAIN;
    small_frame small;
    weft_writer *out = &small.writer;
    small_begin(recorder, &small, WEFT_FRAME_STATS, weft_recorder_now(recorder), weft_recorder_all_lost(recorder));
    weft_write_field(out, WEFT_STATS_PATHS, recorder->before.paths);
    weft_write_field(out, WEFT_STATS_ACCESSES, recorder->before.accesses);
    weft_write_field(out, WEFT_STATS_VALUES, recorder->before.values);
    weft_write_field(out, WEFT_STATS_LOST_PATHS, recorder->lost.paths);
    weft_write_field(out, WEFT_STATS_LOST_ACCESSES, recorder->lost.accesses);
    weft_write_field(out, WEFT_STATS_LOST_VALUES, recorder->lost.values);
    weft_write_field(out, WEFT_STATS_FRAMES, recorder->sequence);
    weft_write_field(out, WEFT_STATS_REFUSED, recorder->refused);
    weft_write_field(out, WEFT_STATS_SWITCHES, recorder->switches);
    weft_write_field(out, WEFT_STATS_FRAME_HIGH, recorder->used_high);
    weft_write_field(out, WEFT_STATS_FRAME_SIZE, config->bytes_size);
    weft_write_field(out, WEFT_STATS_LOST_EARLY, recorder->early);
    write_nonzero(out, WEFT_STATS_MARKS, recorder->before.marks);
    write_nonzero(out, WEFT_STATS_LOST_MARKS, recorder->lost.marks);
    write_nonzero(out, WEFT_STATS_UNMASKED, recorder->unmasked);
    if (recorder->left_out)
        recorder->left_out(out);
    if (config->control_coder && config->control_coder->stats)
        config->control_coder->stats(config->control_coder_state, out);
    if (config->model_coder && config->model_coder->stats)
        config->model_coder->stats(config->model_coder_state, out);
    if (config->profiler && config->profiler->stats)
        config->profiler->stats(config->profiler_state, out);
    return small_send(recorder, &small);
}

/* The oldest frame of the queue. */
static weft_status send_one(weft_recorder *recorder)
{
    weft_recorder_frame *frame = &recorder->queue[recorder->sent % 2];
    if (!frame->wire_size) {
        weft_recorder_send_meta(recorder, frame->time, frame->lost);
        (void)weft_recorder_send_names(recorder, frame->time, frame->lost);
        weft_recorder_seal(recorder, frame);
    }
    if (!send_head(recorder) || to_sink(recorder, frame->buffer, frame->wire_size) != WEFT_OK)
        return WEFT_AGAIN;
    recorder->sequence++;
    if (recorder->meta_due)
        recorder->meta_due--;
    recorder->sent++;
    return WEFT_OK;
}

weft_status weft_recorder_send(weft_recorder *recorder)
{
    while (recorder->ended != recorder->sent)
        if (send_one(recorder) != WEFT_OK)
            return WEFT_AGAIN;
    return WEFT_OK;
}

weft_status weft_recorder_free_buffer(weft_recorder *recorder)
{
    if (weft_recorder_full(recorder))
        (void)recorder->send(recorder);
    if (weft_recorder_full(recorder))
        return WEFT_AGAIN;
    recorder->waiting = false;
    return WEFT_OK;
}

/* Writes the next part of the profile into the free buffer as a sealed frame. All before it is sent. */
static void seal_part(weft_recorder *recorder)
{
    size_t shift = weft_recorder_shift(recorder);
    uint8_t *buffer = weft_recorder_buffer(recorder);
    weft_writer out;
    weft_writer_init(&out, buffer + shift, recorder->config.bytes_size - shift - WEFT_FRAME_CRC_SIZE - 1);
    weft_recorder_write_head(recorder, &out, WEFT_FRAME_PROFILE, weft_recorder_now(recorder),
                             weft_recorder_all_lost(recorder));
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

weft_status weft_recorder_send_profile(weft_recorder *recorder)
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
