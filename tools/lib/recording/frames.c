/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/frames.h"

void trace_stretches_init(trace_stretches *stretches, const trace_body *body)
{
    stretches->body = body;
    weft_reader_init(&stretches->reader, body->section[WEFT_REGION_CONTEXTS], body->size[WEFT_REGION_CONTEXTS]);
    stretches->context = body->context;
    stretches->accesses_left = body->counts.accesses;
    stretches->values_left = body->counts.values;
    stretches->done = false;
}

bool trace_stretches_next(trace_stretches *stretches, trace_stretch *stretch)
{
    weft_reader *reader = &stretches->reader;
    if (stretches->done)
        return false;
    *stretch = (trace_stretch){.context = stretches->context};
    if (weft_reader_left(reader)) {
        uint32_t head = weft_read_varint(reader);
        if (head & 1) {
            stretch->accesses = weft_read_varint(reader);
            stretch->accesses_tail = weft_read_varint(reader);
        }
        if (head & 2) {
            stretch->values = weft_read_varint(reader);
            stretch->values_tail = weft_read_varint(reader);
        }
        stretches->context = head >> 2;
    } else {
        stretch->last = stretches->done = true;
        stretch->accesses = (uint32_t)stretches->accesses_left;
        stretch->values = (uint32_t)stretches->values_left;
        stretch->accesses_tail = stretches->body->accesses_tail;
        stretch->values_tail = stretches->body->values_tail;
    }
    if (stretch->accesses > stretches->accesses_left || stretch->values > stretches->values_left ||
        stretch->accesses_tail > stretch->accesses || stretch->values_tail > stretch->values)
        reader->status = WEFT_CORRUPT;
    if (reader->status != WEFT_OK) {
        stretches->done = true;
        return false;
    }
    stretches->accesses_left -= stretch->accesses;
    stretches->values_left -= stretch->values;
    return true;
}

static uint64_t count_switches(const trace_body *body)
{
    trace_stretches stretches;
    trace_stretch stretch;
    uint64_t count = 0;
    trace_stretches_init(&stretches, body);
    while (trace_stretches_next(&stretches, &stretch))
        count += !stretch.last;
    return count;
}

bool trace_parse(const weft_frame *frame, trace_body *body)
{
    weft_reader reader;
    weft_reader_init(&reader, frame->body, frame->body_size);
    body->control_coder = weft_read_u8(&reader);
    body->followers_log2 = weft_read_u8(&reader);
    body->bus_coder = weft_read_u8(&reader);
    body->slots_log2 = weft_read_u8(&reader);
    body->value_coder = weft_read_u8(&reader);
    body->value_slots_log2 = weft_read_u8(&reader);
    body->before.paths = weft_read_varint64(&reader);
    body->before.accesses = weft_read_varint64(&reader);
    body->before.values = weft_read_varint64(&reader);
    body->counts.paths = weft_read_varint(&reader);
    body->counts.accesses = weft_read_varint(&reader);
    body->counts.values = weft_read_varint(&reader);
    body->context = weft_read_varint(&reader);
    body->accesses_tail = weft_read_varint(&reader);
    body->values_tail = weft_read_varint(&reader);
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        body->size[i] = weft_read_varint(&reader);
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        body->section[i] = weft_read_bytes(&reader, body->size[i]);
    if (reader.status != WEFT_OK || weft_reader_left(&reader) || body->followers_log2 > 16 || body->slots_log2 > 24 ||
        body->value_slots_log2 > 24)
        return false;
    body->switches = count_switches(body);
    return true;
}

bool profile_parse(const weft_frame *frame, profile_body *body)
{
    weft_reader reader;
    weft_reader_init(&reader, frame->body, frame->body_size);
    body->only = weft_read_u8(&reader) & 1;
    body->start = weft_read_varint64(&reader);
    body->end = weft_read_varint64(&reader);
    body->part = weft_read_varint(&reader);
    body->size = weft_reader_left(&reader);
    body->bytes = weft_read_bytes(&reader, body->size);
    if (reader.status != WEFT_OK || body->size == 0)
        return false;
    body->last = body->bytes[body->size - 1] == 0;
    return true;
}

bool frame_field(const uint8_t *body, size_t size, uint32_t key, uint64_t *value, const uint8_t **bytes)
{
    weft_reader reader;
    bool found = false;
    weft_reader_init(&reader, body, size);
    while (weft_reader_left(&reader)) {
        uint32_t at = weft_read_varint(&reader);
        uint64_t number = at & 1 ? weft_read_varint(&reader) : weft_read_varint64(&reader);
        const uint8_t *data = at & 1 ? weft_read_bytes(&reader, (size_t)number) : NULL;
        if (reader.status != WEFT_OK)
            break;
        if (at == key) {
            *value = number;
            if (bytes)
                *bytes = data;
            found = true;
        }
    }
    return found;
}

bool frame_counts_before(const weft_frame *frame, weft_counts *counts)
{
    trace_body body;
    if (frame->kind == WEFT_FRAME_TRACE && trace_parse(frame, &body)) {
        *counts = body.before;
        return true;
    }
    return frame->kind == WEFT_FRAME_STATS &&
           frame_field(frame->body, frame->body_size, WEFT_STATS_PATHS, &counts->paths, NULL) &&
           frame_field(frame->body, frame->body_size, WEFT_STATS_ACCESSES, &counts->accesses, NULL) &&
           frame_field(frame->body, frame->body_size, WEFT_STATS_VALUES, &counts->values, NULL);
}
