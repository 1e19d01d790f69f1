/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/history_pack.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/column.h"

#define DIRECTORY_LEVEL 12 /* of zstd, as for the whole directory */

typedef struct packer {
    squeeze_coder *coder;
    wet_columns columns; /* of a node */
    wet_column_writer writer;
    uint32_t *numbers; /* as many as there are columns */
    size_t number_max;
} packer;

/* The words of a column in a mode; their number. */
static uint32_t words_of(const wet_bits *bits, unsigned mode, uint32_t executions, uint32_t **words)
{
    uint32_t misses = wet_bits_misses(bits, 0, executions), at = 0;
    uint32_t count = mode == WET_MISSES ? misses
                     : mode == WET_HITS ? executions - misses
                                        : (uint32_t)(((uint64_t)executions + 31) / 32);
    uint32_t *out = *words = memory_zero(count + 1, sizeof *out);
    for (uint32_t i = 0; i < executions; i++) {
        bool missed = wet_bits_missed(bits, i);
        if (mode == WET_BITS)
            out[i / 32] |= (uint32_t)missed << i % 32;
        else if (missed == (mode == WET_MISSES))
            out[at++] = i;
    }
    return count;
}

static uint32_t column_try(packer *p, const wet_bits *bits, unsigned mode, uint32_t executions)
{
    uint32_t *words, count = words_of(bits, mode, executions, &words);
    return wet_columns_add(&p->columns, p->coder, words, count, false, false);
}

/* The mode that takes least; its column. A list is tried where it is the shorter one. */
static uint32_t column_best(packer *p, const wet_bits *bits, uint32_t executions, int tier, unsigned *mode)
{
    *mode = wet_bits_misses(bits, 0, executions) <= executions / 2 ? WET_MISSES : WET_HITS;
    uint32_t list = column_try(p, bits, *mode, executions);
    uint32_t plain = column_try(p, bits, WET_BITS, executions);
    if (wet_column_bytes(&p->columns, list, tier) <= wet_column_bytes(&p->columns, plain, tier))
        return list;
    *mode = WET_BITS;
    return plain;
}

static void event_pack(packer *p, const wet_bits *bits, uint32_t executions, int tier)
{
    uint32_t misses = wet_bits_misses(bits, 0, executions);
    squeeze_bytes_varint(p->writer.directory, misses);
    if (!misses || misses == executions)
        return;
    unsigned mode;
    uint32_t column = column_best(p, bits, executions, tier, &mode), before = (uint32_t)p->number_max;
    p->numbers = memory_room(p->numbers, p->columns.count, &p->number_max, sizeof *p->numbers);
    memset(p->numbers + before, 0xff, (p->number_max - before) * sizeof *p->numbers);
    p->writer.numbers = p->numbers;
    squeeze_bytes_varint(p->writer.directory, mode);
    wet_column_write(&p->writer, column);
}

static void node_pack(const wet_history_node *node, unsigned kind, int tier, squeeze_coder *coder,
                      squeeze_bytes *directory, squeeze_bytes *data)
{
    packer p = {.coder = coder, .columns = {.tier = tier}};
    p.writer = (wet_column_writer){&p.columns, tier, NULL, 0, directory, data, false};
    for (uint32_t i = 0; i < node->event_count; i++)
        if (node->events[i].kind == kind)
            event_pack(&p, &node->bits[i], node->executions, tier);
    wet_columns_free(&p.columns);
    free(p.numbers);
}

static void kind_pack(const wet_history *h, unsigned kind, int tier, squeeze_bytes *directory, squeeze_bytes *data)
{
    squeeze_coder *coder = squeeze_coder_new();
    for (uint32_t i = 0; i < h->node_count; i++)
        node_pack(&h->nodes[i], kind, tier, coder, directory, data);
    squeeze_coder_free(coder);
}

void wet_history_pack(const wet_history *h, int tier, squeeze_bytes *directory, squeeze_bytes *data)
{
    squeeze_bytes_varint(directory, strlen(h->text));
    squeeze_bytes_add(directory, h->text, strlen(h->text));
    for (unsigned kind = 0; kind < MISSES_KINDS; kind++)
        squeeze_bytes_varint(directory, h->waited[kind]);
    for (unsigned kind = 0; kind < MISSES_KINDS; kind++)
        kind_pack(h, kind, tier, directory, data);
}

void wet_history_sizes(const wet_history *h, int tier, uint64_t sizes[MISSES_KINDS])
{
    for (unsigned kind = 0; kind < MISSES_KINDS; kind++) {
        squeeze_bytes directory = {0}, data = {0}, packed = {0};
        kind_pack(h, kind, tier, &directory, &data);
        squeeze_bytes_add(&packed, NULL, ZSTD_compressBound(directory.size));
        sizes[kind] =
            data.size + ZSTD_compress(packed.data, packed.size, directory.data, directory.size, DIRECTORY_LEVEL);
        squeeze_bytes_free(&directory);
        squeeze_bytes_free(&data);
        squeeze_bytes_free(&packed);
    }
}
