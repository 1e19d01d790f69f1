/* SPDX-License-Identifier: MIT */
/* The writer's state mirrors the reader's (full.c). */
#include "tools/lib/recording/full_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "core/bytes.h"
#include "core/format.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/recording/full_chunks.h"
#include "tools/lib/recording/host_frame.h"

#define CHUNK_INSTRUCTIONS (1u << 17)
#define UNNUMBERED UINT32_MAX
#define LEVEL 1

typedef struct slot {
    uint64_t value;
    uint32_t address;
    uint8_t shape;
} slot;

/* A static instruction, as it was when it last executed. */
typedef struct node {
    uint32_t number; /* in the file */
    uint64_t writes;
    uint32_t last[FULL_VALUES_MAX];
    slot slots[FULL_ACCESSES_MAX];
    uint32_t slot_count;
} node;

typedef struct column {
    uint8_t *bytes;
    size_t size, max;
} column;

struct full_writer {
    FILE *file;
    int error;
    weft_frame head; /* of the next frame */
    node **nodes;    /* by the caller's numbers */
    size_t node_count, node_max;
    uint32_t numbered;
    column columns[FULL_COLUMNS];
    uint32_t in_chunk, note_at;
    uint32_t run_start, run_length, run_before;
    uint64_t instructions, accesses, exceptions;
};

/* ---- columns ---- */

static void put(full_writer *w, int c, const void *bytes, size_t size)
{
    column *to = &w->columns[c];
    to->bytes = memory_room(to->bytes, to->size + size, &to->max, 1);
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

static void put_byte(full_writer *w, int c, uint8_t byte)
{
    put(w, c, &byte, 1);
}

static void put_fixed(full_writer *w, int c, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        put_byte(w, c, (uint8_t)(value >> 8 * i));
}

static void put_varint(full_writer *w, int c, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        put_byte(w, c, (uint8_t)(value | 0x80));
    put_byte(w, c, (uint8_t)value);
}

static void put_difference(full_writer *w, int c, uint32_t value, uint32_t last)
{
    put_varint(w, c, weft_zigzag((int32_t)(value - last)));
}

/* A note of the instruction that was added last. */
static void put_note(full_writer *w, uint8_t kind)
{
    uint32_t at = w->in_chunk - 1;
    put_varint(w, FULL_NOTES, at - w->note_at);
    put_byte(w, FULL_NOTES, kind);
    w->note_at = at;
}

static void end_run(full_writer *w)
{
    if (!w->run_length)
        return;
    put_varint(w, FULL_RUNS, w->run_length);
    put_difference(w, FULL_RUNS, w->run_start, w->run_before);
    w->run_before = w->run_start + w->run_length;
    w->run_length = 0;
}

/* ---- frames ---- */

static void write_frame(full_writer *w, const uint8_t *body, size_t size)
{
    weft_frame frame = w->head;
    frame.version = WEFT_FORMAT_VERSION;
    frame.kind = WEFT_FRAME_FULL;
    frame.time = w->instructions;
    weft_writer head;
    uint8_t *content = memory_zero(WEFT_FRAME_HEAD_MAX + size, 1);
    weft_writer_init(&head, content, WEFT_FRAME_HEAD_MAX + size);
    weft_frame_head(&head, &frame);
    weft_write_bytes(&head, body, size);
    if (!w->error && !host_frame_write(&frame, WEFT_FRAME_FULL, body, size, w->file))
        w->error = errno;
    w->head.lost = weft_frame_check(content, head.size);
    w->head.sequence++;
    free(content);
}

static void write_chunk(full_writer *w)
{
    end_run(w);
    if (!w->in_chunk)
        return;
    size_t size = (1 + FULL_COLUMNS) * WEFT_VARINT32_MAX;
    for (int c = 0; c < FULL_COLUMNS; c++)
        size += w->columns[c].size;
    uint8_t *bytes = memory_zero(size, 1);
    weft_writer chunk, body;
    weft_writer_init(&chunk, bytes, size);
    weft_write_varint(&chunk, w->in_chunk);
    for (int c = 0; c < FULL_COLUMNS; c++)
        weft_write_varint(&chunk, (uint32_t)w->columns[c].size);
    for (int c = 0; c < FULL_COLUMNS; c++) {
        weft_write_bytes(&chunk, w->columns[c].bytes, w->columns[c].size);
        w->columns[c].size = 0;
    }
    size_t bound = ZSTD_compressBound(chunk.size);
    uint8_t *packed = memory_zero(1 + WEFT_VARINT64_MAX + bound, 1);
    weft_writer_init(&body, packed, 1 + WEFT_VARINT64_MAX + bound);
    weft_write_u8(&body, FULL_TAG_CHUNK);
    weft_write_varint64(&body, chunk.size);
    size_t got = ZSTD_compress(packed + body.size, bound, bytes, chunk.size, LEVEL);
    if (ZSTD_isError(got))
        w->error = w->error ? w->error : ENOMEM;
    else
        write_frame(w, packed, body.size + got);
    free(packed);
    free(bytes);
    w->in_chunk = w->note_at = 0;
}

full_writer *full_writer_open(FILE *file, const char *machine)
{
    char text[128];
    full_writer *w = memory_zero(1, sizeof *w);
    w->file = file;
    if (fwrite(WEFT_CONTAINER_HEAD, 1, WEFT_CONTAINER_HEAD_SIZE, file) != WEFT_CONTAINER_HEAD_SIZE)
        w->error = errno;
    int size = snprintf(text, sizeof text, "%cformat=1\nchained=1\nmachine=%.60s\n", FULL_TAG_DESCRIPTION, machine);
    write_frame(w, (const uint8_t *)text, (size_t)size);
    return w;
}

bool full_writer_close(full_writer *w)
{
    uint8_t bytes[1 + 3 * WEFT_VARINT64_MAX];
    weft_writer end;
    write_chunk(w);
    weft_writer_init(&end, bytes, sizeof bytes);
    weft_write_u8(&end, FULL_TAG_END);
    weft_write_varint64(&end, w->instructions);
    weft_write_varint64(&end, w->accesses);
    weft_write_varint64(&end, w->exceptions);
    write_frame(w, bytes, end.size);
    int error = w->error;
    for (size_t i = 0; i < w->node_count; i++)
        free(w->nodes[i]);
    for (int c = 0; c < FULL_COLUMNS; c++)
        free(w->columns[c].bytes);
    free(w->nodes);
    free(w);
    errno = error;
    return !error;
}

/* ---- instructions ---- */

static node *node_of(full_writer *w, const full_instruction *i)
{
    while (w->node_count <= i->number) {
        w->nodes = memory_room(w->nodes, w->node_count, &w->node_max, sizeof *w->nodes);
        w->nodes[w->node_count++] = NULL;
    }
    if (w->nodes[i->number])
        return w->nodes[i->number];
    node *n = w->nodes[i->number] = memory_zero(1, sizeof *n);
    n->number = w->numbered++;
    n->writes = i->writes;
    put_fixed(w, FULL_DEFINITIONS, i->pc, 4);
    put_byte(w, FULL_DEFINITIONS, i->size);
    put(w, FULL_DEFINITIONS, i->bytes, 4);
    put_byte(w, FULL_DEFINITIONS, i->condition);
    put_fixed(w, FULL_DEFINITIONS, i->writes, 8);
    return n;
}

static uint64_t low_bytes(uint64_t value, unsigned size)
{
    return size == 8 ? value : value & ((UINT64_C(1) << 8 * size) - 1);
}

static uint8_t shape_of(const full_access *a)
{
    return (uint8_t)(__builtin_ctz(a->size) | a->store << 2);
}

static bool shape_differs(const node *n, const full_event *event)
{
    bool differs = n->slot_count != event->access_count;
    for (uint32_t k = 0; k < event->access_count && !differs; k++)
        differs = shape_of(&event->accesses[k]) != (n->slots[k].shape & 7);
    return differs;
}

/* For each load, a value that the instruction wrote and that is also the access's. */
static void put_shape(full_writer *w, node *n, const full_event *event)
{
    n->slot_count = event->access_count;
    put_note(w, FULL_NOTE_SHAPE);
    put_varint(w, FULL_NOTES, n->slot_count);
    for (uint32_t k = 0; k < n->slot_count; k++) {
        const full_access *a = &event->accesses[k];
        unsigned source = FULL_NO_SOURCE;
        for (uint32_t v = 0; v < event->value_count && v < FULL_NO_SOURCE && !a->store && source == FULL_NO_SOURCE; v++)
            if (low_bytes(event->values[v], a->size) == a->value)
                source = v;
        n->slots[k].shape = (uint8_t)(shape_of(a) | source << 3);
        put_byte(w, FULL_NOTES, n->slots[k].shape);
    }
}

static void put_accesses(full_writer *w, node *n, const full_event *event)
{
    uint32_t expected = n->slot_count ? n->slots[0].address : 0;
    for (uint32_t k = 0; k < event->access_count; k++) {
        const full_access *a = &event->accesses[k];
        slot *s = &n->slots[k];
        put_difference(w, FULL_ACCESSES, a->address, expected);
        s->address = a->address;
        expected = a->address + a->size;
        unsigned source = s->shape >> 3;
        uint64_t likely = source == FULL_NO_SOURCE      ? s->value
                          : source < event->value_count ? low_bytes(event->values[source], a->size)
                                                        : 0;
        put_varint(w, FULL_ACCESSES, weft_zigzag64((int64_t)(a->value - likely)));
        s->value = a->value;
    }
    w->accesses += event->access_count;
}

static void add_instruction(full_writer *w, const full_event *event)
{
    if (w->in_chunk >= CHUNK_INSTRUCTIONS)
        write_chunk(w);
    node *n = node_of(w, event->instruction);
    if (n->number != w->run_start + w->run_length || !w->run_length) {
        end_run(w);
        w->run_start = n->number;
    }
    w->run_length++;
    w->in_chunk++;
    w->instructions++;
    if (event->instruction->condition != FULL_ALWAYS)
        put_byte(w, FULL_PASSED, event->passed);
    if (event->passed && event->completed && event->written != n->writes) {
        put_note(w, FULL_NOTE_WRITES);
        put_fixed(w, FULL_NOTES, event->written, 8);
        n->writes = event->written;
        memset(n->last, 0, sizeof n->last);
        n->slot_count = 0;
    }
    if (event->passed && shape_differs(n, event))
        put_shape(w, n, event);
    for (uint32_t i = 0; i < event->value_count; i++) {
        put_difference(w, FULL_VALUES, event->values[i], n->last[i]);
        n->last[i] = event->values[i];
    }
    if (event->passed)
        put_accesses(w, n, event);
    if (!event->completed)
        put_note(w, FULL_NOTE_INCOMPLETE);
    if (event->unknown || event->unknown_values) {
        put_note(w, FULL_NOTE_UNKNOWN);
        put_fixed(w, FULL_NOTES, event->unknown_values, 8);
        put_varint(w, FULL_NOTES, event->unknown);
    }
}

static void add_exception(full_writer *w, const full_event *event)
{
    if (!w->in_chunk)
        return;
    put_note(w, FULL_NOTE_EXCEPTION);
    put_varint(w, FULL_NOTES, event->from);
    put_varint(w, FULL_NOTES, event->to);
    put_byte(w, FULL_NOTES, event->entry);
    for (int r = 0; r < 15; r++)
        put_fixed(w, FULL_NOTES, event->registers[r], 4);
    put_fixed(w, FULL_NOTES, event->pc, 4);
    put_fixed(w, FULL_NOTES, event->xpsr, 4);
    put_fixed(w, FULL_NOTES, event->frame, 4);
    w->exceptions++;
}

void full_writer_add(full_writer *w, const full_event *event)
{
    if (event->kind == FULL_EXECUTED)
        add_instruction(w, event);
    else
        add_exception(w, event);
}
