/* SPDX-License-Identifier: MIT */
/* Step 4: directory and data of the file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "tools/lib/base/checksum.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/output.h"
#include "tools/lib/wet/history_pack.h"
#include "tools/lib/wet/packing.h"
#include "tools/lib/wet/schedule.h"

#define SNAPSHOTS_LEVEL 12 /* of zstd, 1 to 19. More: smaller and slower */

static void write_edge(wet_column_writer *w, const packed_edge *edge, bool timed)
{
    squeeze_bytes_varint(w->directory, edge->producer_count);
    for (uint32_t i = 0; i < edge->producer_count; i++)
        squeeze_bytes_varint(w->directory, edge->producers[i]);
    squeeze_bytes_varint(w->directory, edge->newest);
    if (!edge->newest)
        wet_column_write(w, edge->which);
    if (!timed)
        return;
    squeeze_bytes_varint(w->directory, edge->mode);
    if (edge->when != WET_NONE)
        wet_column_write(w, edge->when);
}

/* All stores that any byte of the load ever comes from. */
static void write_searched(wet_column_writer *w, const packed_node *out, uint32_t first, uint32_t end)
{
    uint32_t *producers = NULL, count = 0;
    for (uint32_t i = first; i < end; i++)
        for (uint32_t k = 0; k < out->parts[i].edge.producer_count; k++) {
            uint32_t producer = out->parts[i].edge.producers[k], at = 0;
            while (at < count && producers[at] != producer)
                at++;
            if (at < count || !producer)
                continue;
            producers = memory_grow(producers, count + 1, sizeof *producers);
            producers[count++] = producer;
        }
    squeeze_bytes_varint(w->directory, count);
    for (uint32_t i = 0; i < count; i++)
        squeeze_bytes_varint(w->directory, producers[i]);
    free(producers);
}

static void write_loads(wet_column_writer *w, const wet_node *node, const packed_node *out)
{
    uint32_t at = 0;
    for (uint32_t load = 0; load < node->load_count; load++) {
        uint32_t first = at;
        while (at < out->part_count && out->parts[at].load == load)
            at++;
        if (out->searched[load]) {
            squeeze_bytes_varint(w->directory, 0);
            write_searched(w, out, first, at);
            continue;
        }
        squeeze_bytes_varint(w->directory, at - first);
        for (uint32_t i = first; i < at; i++) {
            squeeze_bytes_varint(w->directory, out->parts[i].byte);
            write_edge(w, &out->parts[i].edge, true);
        }
    }
}

static void write_statics(wet_column_writer *w, const wet_node *node)
{
    squeeze_bytes_varint(w->directory, node->count);
    squeeze_bytes_varint(w->directory, node->statement_count);
    for (uint32_t i = 0; i < node->statement_count; i++)
        squeeze_bytes_varint(w->directory, node->statements[i]);
    squeeze_bytes_varint(w->directory, (uint32_t)(node->procedure + 1));
    squeeze_bytes_varint(w->directory, node->control_count);
    squeeze_bytes_add(w->directory, node->parent, node->operation_count);
    squeeze_bytes_add(w->directory, node->parent_input, node->operation_count);
}

/* False: a column has more bytes than a file can hold of one. */
static bool write_node(const packing *p, uint32_t number, squeeze_bytes *directory, squeeze_bytes *data)
{
    const wet_node *node = &p->t->nodes[number];
    const packed_node *out = &p->nodes[number];
    uint32_t *numbers = memory_grow(NULL, out->columns.count + 1, sizeof *numbers);
    memset(numbers, 0xff, (out->columns.count + 1) * sizeof *numbers);
    wet_column_writer w = {&out->columns, p->tier, numbers, 0, directory, data, false};
    write_statics(&w, node);
    wet_column_write(&w, out->times);
    for (uint32_t i = 0; i < node->slot_count; i++) {
        if (!out->dropped[i]) {
            wet_column_write(&w, out->slots[i]);
            continue;
        }
        squeeze_bytes_varint(directory, WET_INFERRED);
        w.next++;
    }
    for (uint32_t i = 0; i < node->input_count; i++)
        write_edge(&w, &out->inputs[i], false);
    for (uint32_t i = 0; i < node->control_count; i++)
        write_edge(&w, &out->controls[i], true);
    write_loads(&w, node, out);
    free(numbers);
    return !w.too_long;
}

/* Appends bytes packed by zstd; their sizes go into the directory. */
static void write_packed(const squeeze_bytes *plain, squeeze_bytes *directory, squeeze_bytes *data)
{
    size_t before = data->size, room = ZSTD_compressBound(plain->size);
    squeeze_bytes_add(data, NULL, room);
    size_t packed = ZSTD_compress(data->data + before, room, plain->data, plain->size, SNAPSHOTS_LEVEL);
    data->size = before + packed;
    squeeze_bytes_varint(directory, plain->size);
    squeeze_bytes_varint(directory, packed);
}

/* Snapshots and schedule follow the last stream. */
static void write_snapshots(const wet_trace *t, squeeze_bytes *directory, squeeze_bytes *data)
{
    squeeze_bytes plain = wet_snapshots_bytes(t->snapshots);
    squeeze_bytes_varint(directory, WET_WINDOW);
    write_packed(&plain, directory, data);
    squeeze_bytes_free(&plain);
    write_packed(wet_schedule_bytes(t->schedule), directory, data);
}

static void head_make(uint8_t head[WET_HEAD_SIZE], const squeeze_bytes *directory, unsigned version)
{
    weft_writer w;
    weft_writer_init(&w, head, WET_HEAD_SIZE);
    weft_write_bytes(&w, wet_file_magic, sizeof wet_file_magic - 1);
    weft_write_u8(&w, (uint8_t)version);
    weft_write_u32(&w, 0);
    weft_write_u64(&w, directory->size);
    uint32_t crc = checksum_crc32(checksum_crc32(0, head + 12, 8), directory->data, directory->size);
    for (unsigned i = 0; i < 4; i++)
        head[8 + i] = (uint8_t)(crc >> 8 * i);
}

static void write_sums(squeeze_bytes *directory, const squeeze_bytes *data)
{
    for (size_t at = 0; at < data->size; at += WET_CHUNK) {
        uint32_t crc = checksum_crc32(0, data->data + at, data->size - at < WET_CHUNK ? data->size - at : WET_CHUNK);
        const uint8_t bytes[4] = {(uint8_t)crc, (uint8_t)(crc >> 8), (uint8_t)(crc >> 16), (uint8_t)(crc >> 24)};
        squeeze_bytes_add(directory, bytes, sizeof bytes);
    }
}

bool pack_write(const packing *p, const char *path, wet_report *report, char *message, size_t message_size)
{
    squeeze_bytes plain = {0}, directory = {0}, data = {0};
    uint8_t head[WET_HEAD_SIZE];
    output *out = output_open(path, message, message_size);
    if (!out)
        return false;
    pack_program(p->t, p->tier, &plain);
    bool good = true;
    for (uint32_t i = 0; i < p->t->node_count && good; i++)
        good = write_node(p, i, &plain, &data);
    if (!good) {
        squeeze_bytes_free(&plain);
        squeeze_bytes_free(&data);
        output_discard(out);
        snprintf(message, message_size, "%s: the run is too long: a .wet holds less than 4 GB of one value's history",
                 path);
        return false;
    }
    size_t streams = data.size;
    write_snapshots(p->t, &plain, &data);
    report->snapshots = data.size - streams;
    if (p->t->history)
        wet_history_pack(p->t->history, p->tier, &plain, &data);
    report->history = data.size - streams - report->snapshots;
    write_sums(&plain, &data);
    squeeze_bytes_add(&directory, NULL, ZSTD_compressBound(plain.size));
    directory.size = ZSTD_compress(directory.data, directory.size, plain.data, plain.size, 12);
    squeeze_bytes_free(&plain);
    head_make(head, &directory,
              (p->t->history ? WET_VERSION_HISTORY : WET_VERSION) + (p->t->clears ? WET_VERSION_CLEARED : 0));
    fwrite(head, 1, sizeof head, output_stream(out));
    fwrite(directory.data, 1, directory.size, output_stream(out));
    if (data.size) /* none where every column is a constant */
        fwrite(data.data, 1, data.size, output_stream(out));
    report->bytes = sizeof head + directory.size + data.size;
    squeeze_bytes_free(&directory);
    squeeze_bytes_free(&data);
    return output_commit(out, message, message_size);
}
