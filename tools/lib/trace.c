/* SPDX-License-Identifier: MIT */
/* The bodies of TRACE frames: sections, stretches, control events (declared in tools/lib/container.h). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/container.h"
#include "tools/lib/memory.h"

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
    return reader.status == WEFT_OK && weft_reader_left(&reader) == 0 && body->followers_log2 <= 16 &&
           body->slots_log2 <= 24 &&
           body->value_slots_log2 <= 24;
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

struct control {
    const container *file;
    size_t next_frame;
    uint8_t *buffer;
    container_frame frame;
    trace_body body;
    trace_stretches stretches;
    trace_symbols *symbols;
    uint32_t block[4096];
    size_t at, count;
    uint32_t recording;
    uint32_t context;
    uint64_t index, unread;
    bool open, started, bad; /* bad: a switch of the frame is not there */
};

control *control_open(const container *file)
{
    control *events = memory_zero(1, sizeof *events);
    events->file = file;
    events->symbols = trace_symbols_open();
    return events;
}

void control_close(control *events)
{
    if (!events)
        return;
    trace_symbols_close(events->symbols);
    free(events->buffer);
    free(events);
}

uint64_t control_unread(const control *events)
{
    return events->unread;
}

bool control_print_gaps(const container *file, uint64_t unread, const char *command)
{
    container_print_gaps(file, command);
    if (unread)
        fprintf(stderr, "weft %s: gap: not all paths of %" PRIu64 " frame%s can be read: damaged, or of a coder that this build does not know\n",
                command, unread, unread == 1 ? "" : "s");
    return unread || container_gap_count(file);
}

/* Opens the next TRACE frame. *event is a CONTROL_GAP or CONTROL_CONTEXT if one comes first; false: no more frames. */
static bool next_frame(control *events, control_event *event)
{
    trace_stretch stretch;
    do {
        if (events->next_frame == container_frame_count(events->file))
            return false;
    } while (container_kind(events->file, events->next_frame++) != WEFT_FRAME_TRACE);
    container_read(events->file, events->next_frame - 1, &events->frame, &events->buffer);
    bool gap = events->frame.after_gap || (events->started && events->frame.recording != events->recording);
    uint32_t before = events->context;
    (void)trace_parse(&events->frame.frame, &events->body);
    trace_stretches_init(&events->stretches, &events->body);
    trace_stretches_next(&events->stretches, &stretch);
    trace_symbols_start(events->symbols, &events->body);
    events->at = events->count = 0;
    events->index = events->body.before.paths;
    events->recording = events->frame.recording;
    events->context = events->body.context;
    event->kind = gap ? CONTROL_GAP : events->context != before || !events->started ? CONTROL_CONTEXT : CONTROL_PATH;
    event->context = events->context;
    event->index = events->index;
    events->open = events->started = true;
    events->bad = false;
    return true;
}

bool control_next(control *events, control_event *event)
{
    for (;;) {
        if (events->at == events->count && events->open) {
            events->at = 0;
            events->count = trace_symbols_read(events->symbols, events->block, WEFT_COUNT(events->block));
            if (events->count == 0) {
                events->open = false;
                if (events->bad || trace_symbols_corrupt(events->symbols) ||
                    events->index != events->body.before.paths + events->body.counts.paths) {
                    events->unread++;
                    *event = (control_event){.kind = CONTROL_GAP, .context = events->context, .index = events->index};
                    return true;
                }
            }
        }
        if (events->at == events->count) {
            if (!next_frame(events, event))
                return false;
            if (event->kind != CONTROL_PATH)
                return true;
            continue;
        }
        uint32_t symbol = events->block[events->at++];
        if (symbol >= WEFT_SYMBOL_PATH) {
            *event = (control_event){CONTROL_PATH, events->context, symbol - WEFT_SYMBOL_PATH, events->index++};
            return true;
        }
        trace_stretch stretch;
        if (symbol == WEFT_SYMBOL_CONTEXT && trace_stretches_next(&events->stretches, &stretch)) {
            events->context = stretch.context;
            *event = (control_event){CONTROL_CONTEXT, events->context, 0, events->index};
            return true;
        }
        events->bad = true;
    }
}
