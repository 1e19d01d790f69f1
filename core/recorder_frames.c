/* SPDX-License-Identifier: MIT */
/* The way to the sink, and the frames that are not TRACE: META and STATS. */
#include <stddef.h>

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

bool weft_recorder_send_head(weft_recorder *recorder)
{
    if (!recorder->head_sent)
        recorder->head_sent =
            to_sink(recorder, (const uint8_t *)WEFT_CONTAINER_HEAD, WEFT_CONTAINER_HEAD_SIZE) == WEFT_OK;
    return recorder->head_sent;
}

void weft_recorder_write_fields(weft_writer *out, uint32_t key, const uint32_t *values, size_t count)
{
    for (const uint32_t *end = values + count; values != end; key += 2)
        weft_write_field(out, key, *values++);
}

void weft_recorder_write_text(weft_writer *writer, uint32_t key, const uint8_t *bytes, size_t size)
{
    weft_write_varint(writer, key);
    weft_write_varint(writer, (uint32_t)size);
    weft_write_bytes(writer, bytes, size);
}

size_t weft_recorder_text_size(const char *text, size_t most)
{
    size_t size = 0;
    while (size < most && text[size])
        size++;
    return size;
}

/* A field that states a number: which member of an object it comes from. */
typedef struct member {
    uint8_t key;     /* of the field; with NONZERO if the field is left out when the number is 0 */
    uint8_t size;    /* 1, 4 or 8 bytes */
    uint16_t offset; /* in the object */
} member;

#define NONZERO 0x80u
#define MEMBER(type, key, its_member)                                                                                  \
    {                                                                                                                  \
        (uint8_t)(key), (uint8_t)sizeof(((type){0}).its_member), (uint16_t)offsetof(type, its_member)                  \
    }

static void write_members(weft_writer *out, const void *object, const member *members, size_t count)
{
    for (const member *end = members + count; members != end; members++) {
        const uint8_t *byte = (const uint8_t *)object + members->offset;
        const void *at = byte;
        uint64_t value = *byte;
        if (members->size == sizeof(uint64_t))
            value = *(const weft_long_member *)at;
        else if (members->size == sizeof(uint32_t))
            value = *(const weft_word_member *)at;
        if (members->key & NONZERO && !value)
            continue;
        weft_write_field(out, members->key & ~NONZERO, value);
    }
}

void weft_recorder_small_begin(const weft_recorder *recorder, weft_small_frame *small, weft_frame_kind kind,
                               const weft_moment *moment)
{
    weft_writer_init(&small->writer, small->bytes + WEFT_FRAME_SHIFT(WEFT_SMALL_FRAME),
                     WEFT_SMALL_FRAME - WEFT_FRAME_CHECK_SIZE);
    weft_recorder_write_head(recorder, &small->writer, kind, moment);
}

weft_status weft_recorder_small_send(weft_recorder *recorder, weft_small_frame *small)
{
    size_t size = weft_frame_seal(small->bytes, WEFT_FRAME_SHIFT(WEFT_SMALL_FRAME), small->writer.size);
    weft_status status = to_sink(recorder, small->bytes, size);
    if (status == WEFT_OK)
        recorder->sequence++;
    return status;
}

#define OF_CONFIG(key, its_member) MEMBER(weft_recorder_config, key, its_member)
static const member meta_last[] = {
    OF_CONFIG(WEFT_META_DERIVE | NONZERO, derive),
    OF_CONFIG(WEFT_META_TIME_BASE | NONZERO, time_base),
    OF_CONFIG(WEFT_META_SAMPLING | NONZERO, sampling),
};

/* These follow each other, so META's first fields need no keys. */
_Static_assert(WEFT_META_PROBES == WEFT_META_CLOCK_HZ + 2 && WEFT_META_CONTROL_CODER == WEFT_META_PROBES + 2 &&
                   WEFT_META_BUS_CODER == WEFT_META_CONTROL_CODER + 2 &&
                   WEFT_META_FRAME_SIZE == WEFT_META_BUS_CODER + 2 && WEFT_META_SLOTS == WEFT_META_FRAME_SIZE + 2 &&
                   WEFT_META_VALUE_SLOTS == WEFT_META_SLOTS + 2,
               "the order of their keys");

void weft_recorder_send_meta(weft_recorder *recorder, const weft_moment *moment)
{
    const weft_recorder_config *config = &recorder->config;
    if (recorder->meta_due || !weft_recorder_send_head(recorder))
        return;
    weft_small_frame small;
    weft_writer *out = &small.writer;
    weft_recorder_small_begin(recorder, &small, WEFT_FRAME_META, moment);
    const uint32_t first[] = {config->clock ? config->clock->hz : 0,
                              config->probes,
                              recorder->coders[WEFT_HEAD_CONTROL],
                              recorder->coders[WEFT_HEAD_BUS],
                              (uint32_t)config->bytes_size,
                              1u << recorder->coders[WEFT_HEAD_SLOTS],
                              1u << recorder->coders[WEFT_HEAD_VALUE_SLOTS]};
    weft_recorder_write_fields(out, WEFT_META_CLOCK_HZ, first, WEFT_COUNT(first));
    if (config->profiler && config->profiler->meta)
        config->profiler->meta(config->profiler_state, out);
    write_members(out, config, meta_last, WEFT_COUNT(meta_last));
    if (config->build_id_size)
        weft_recorder_write_text(out, WEFT_META_BUILD_ID, config->build_id, config->build_id_size);
    if (config->note)
        weft_recorder_write_text(out, WEFT_META_NOTE, (const uint8_t *)config->note,
                                 weft_recorder_text_size(config->note, WEFT_RECORDER_NOTE_MAX));
    if (weft_recorder_small_send(recorder, &small) != WEFT_OK)
        return;
    recorder->meta_due = config->meta_every ? config->meta_every : WEFT_RECORDER_META_EVERY;
    recorder->names_sent = 0;
}

#define OF_RECORDER(key, its_member) MEMBER(weft_recorder, key, its_member)
static const member stats[] = {
    OF_RECORDER(WEFT_STATS_PATHS, before.paths),
    OF_RECORDER(WEFT_STATS_ACCESSES, before.accesses),
    OF_RECORDER(WEFT_STATS_VALUES, before.values),
    OF_RECORDER(WEFT_STATS_LOST_PATHS, lost.paths),
    OF_RECORDER(WEFT_STATS_LOST_ACCESSES, lost.accesses),
    OF_RECORDER(WEFT_STATS_LOST_VALUES, lost.values),
    OF_RECORDER(WEFT_STATS_FRAMES, sequence),
    OF_RECORDER(WEFT_STATS_REFUSED, refused),
    OF_RECORDER(WEFT_STATS_SWITCHES, switches),
    OF_RECORDER(WEFT_STATS_FRAME_HIGH, used_high),
    OF_RECORDER(WEFT_STATS_FRAME_SIZE, config.bytes_size),
    OF_RECORDER(WEFT_STATS_LOST_EARLY, early),
    OF_RECORDER(WEFT_STATS_MARKS | NONZERO, before.marks),
    OF_RECORDER(WEFT_STATS_LOST_MARKS | NONZERO, lost.marks),
    OF_RECORDER(WEFT_STATS_PAUSES | NONZERO, pauses),
    OF_RECORDER(WEFT_STATS_UNMASKED | NONZERO, unmasked),
};

weft_status weft_recorder_send_stats(weft_recorder *recorder)
{
    const weft_recorder_config *config = &recorder->config;
    if (!weft_recorder_send_head(recorder))
        return WEFT_AGAIN;
    weft_small_frame small;
    weft_moment now;
    weft_writer *out = &small.writer;
    weft_recorder_moment(recorder, &now);
    weft_recorder_small_begin(recorder, &small, WEFT_FRAME_STATS, &now);
    write_members(out, recorder, stats, WEFT_COUNT(stats));
    if (recorder->left_out)
        recorder->left_out(out);
    if (recorder->coded)
        recorder->coded->stats(config, out);
    if (config->profiler && config->profiler->stats)
        config->profiler->stats(config->profiler_state, out);
    return weft_recorder_small_send(recorder, &small);
}

/* The oldest frame of the queue. Out of line, so that short loads reach its members. */
static __attribute__((noinline)) weft_status send_one(weft_recorder *recorder, weft_recorder_frame *frame)
{
    if (!frame->wire_size) {
        weft_recorder_send_meta(recorder, &frame->end);
        if (recorder->names)
            (void)recorder->names(recorder, &frame->end);
        weft_recorder_seal(recorder, frame);
    }
    if (!weft_recorder_send_head(recorder) || to_sink(recorder, frame->buffer, frame->wire_size) != WEFT_OK)
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
        if (send_one(recorder, &recorder->queue[recorder->sent % 2]) != WEFT_OK)
            return WEFT_AGAIN;
    return WEFT_OK;
}

weft_status weft_recorder_free_buffer(weft_recorder *recorder)
{
    for (bool tried = false; weft_recorder_full(recorder); tried = true) {
        if (tried)
            return WEFT_AGAIN;
        (void)recorder->send(recorder);
    }
    recorder->waiting = false;
    return WEFT_OK;
}
