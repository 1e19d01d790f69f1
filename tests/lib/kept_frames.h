/* SPDX-License-Identifier: MIT */
/* A recorder whose frames are kept, and their bodies read back. For a test of one file. */
#ifndef WEFT_TESTS_LIB_KEPT_FRAMES_H
#define WEFT_TESTS_LIB_KEPT_FRAMES_H

#include <string.h>

#include "core/recorder.h"
#include "tests/lib/check.h"

/* A sink that keeps the bytes, and refuses while `refuse` is set. */
typedef struct keeper {
    uint8_t bytes[5000];
    size_t size;
    bool refuse;
    bool overflow;
} keeper;

static keeper kept;

static weft_status keep(void *context, const uint8_t *frame, size_t size)
{
    keeper *k = context;
    if (k->refuse)
        return WEFT_AGAIN;
    if (size > sizeof k->bytes - k->size) {
        k->overflow = true;
        return WEFT_AGAIN;
    }
    memcpy(k->bytes + k->size, frame, size);
    k->size += size;
    return WEFT_OK;
}

static const weft_sink sink = {&kept, keep};
WEFT_RECORDER_DEF(trace, 512, 8, 4);

static inline bool start(size_t size)
{
    memset(&kept, 0, sizeof kept);
    trace_config.sink = &sink;
    trace_config.bytes_size = size;
    return weft_recorder_init(&trace, &trace_config) == WEFT_OK;
}

/* The next frame of what the sink kept, from *at on; decoded in place. */
static inline bool next_frame(size_t *at, weft_frame *frame)
{
    uint8_t *from = kept.bytes + *at;
    uint8_t *zero = memchr(from, 0, kept.size - *at);
    EXPECT(zero != NULL);
    *at += (size_t)(zero - from) + 1;
    EXPECT(weft_frame_open(frame, from, (size_t)(zero - from)) == WEFT_OK);
    return true;
}

typedef struct body {
    uint64_t paths_before, accesses_before, values_before, marks_before, begun;
    uint32_t paths, accesses, values, context, accesses_tail, values_tail;
    const uint8_t *section[WEFT_REGIONS];
    uint32_t size[WEFT_REGIONS];
} body;

static inline bool read_body(const weft_frame *frame, body *b)
{
    weft_reader reader;
    weft_reader_init(&reader, frame->body, frame->body_size);
    EXPECT(weft_read_bytes(&reader, 6) != NULL);
    b->paths_before = weft_read_varint64(&reader);
    b->accesses_before = weft_read_varint64(&reader);
    b->values_before = weft_read_varint64(&reader);
    b->marks_before = weft_read_varint64(&reader);
    b->begun = weft_read_varint64(&reader);
    b->paths = weft_read_varint(&reader);
    b->accesses = weft_read_varint(&reader);
    b->values = weft_read_varint(&reader);
    b->context = weft_read_varint(&reader);
    b->accesses_tail = weft_read_varint(&reader);
    b->values_tail = weft_read_varint(&reader);
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        b->size[i] = weft_read_varint(&reader);
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        b->section[i] = weft_read_bytes(&reader, b->size[i]);
    EXPECT(reader.status == WEFT_OK && weft_reader_left(&reader) == 0);
    return true;
}

#endif
