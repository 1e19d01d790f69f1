/* SPDX-License-Identifier: MIT */
/* Opening a block undoes steps 3 and 2 of packing (pack.c). The cursor itself is the predictor (core/bfcm). */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "tools/lib/base/checksum.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/squeeze/block.h"
#include "tools/lib/squeeze/squeeze.h"
#include "tools/lib/squeeze/words.h"

typedef struct block_head {
    weft_bfcm_method method;
    uint8_t context, bits;
    bool wide;
    size_t count, plain_size, size;
    uint32_t crc;
    const uint8_t *payload;
} block_head;

static weft_status head_read(weft_reader *reader, block_head *head)
{
    uint8_t kind = weft_read_u8(reader);
    head->method = (weft_bfcm_method)(kind & SQUEEZE_METHODS);
    head->wide = (kind & SQUEEZE_WIDE) != 0;
    head->context = weft_read_u8(reader);
    head->bits = weft_read_u8(reader);
    uint64_t count = weft_read_varint64(reader), plain = weft_read_varint64(reader), size = weft_read_varint64(reader);
    head->crc = weft_read_u32(reader);
    if (reader->status != WEFT_OK)
        return WEFT_CORRUPT;
    if ((kind & SQUEEZE_VERSION_MASK) != SQUEEZE_VERSION << SQUEEZE_VERSION_SHIFT || kind & SQUEEZE_RESERVED)
        return WEFT_VERSION;
    if (!count || count > SQUEEZE_BLOCK_MAX || size > plain ||
        plain > count * 24 + ((size_t)16 << SQUEEZE_TABLE_BITS_MAX))
        return WEFT_CORRUPT;
    if (head->bits > SQUEEZE_TABLE_BITS_MAX || !weft_bfcm_table_words(head->method, head->context, head->bits))
        return WEFT_CORRUPT;
    head->count = (size_t)count;
    head->plain_size = (size_t)plain;
    head->size = (size_t)size;
    head->payload = weft_read_bytes(reader, head->size);
    return head->payload ? WEFT_OK : WEFT_CORRUPT;
}

/* The payload. If it was compressed, *own holds what it was before. NULL: it is damaged. */
static const uint8_t *payload_open(const block_head *head, uint8_t **own)
{
    const uint8_t *payload = head->payload;
    *own = NULL;
    if (head->size < head->plain_size) {
        *own = malloc(head->plain_size);
        if (!*own || ZSTD_decompress(*own, head->plain_size, payload, head->size) != head->plain_size) {
            free(*own);
            return *own = NULL;
        }
        payload = *own;
    }
    if (checksum_crc32(0, payload, head->plain_size) == head->crc)
        return payload;
    free(*own);
    return *own = NULL;
}

/* The arrays into which the words of a block are read. */
typedef struct block_arrays {
    void *tables, *misses;
    uint8_t *flags, *used;
    size_t rows, row, count;
    bool wide;
} block_arrays;

static void put_miss(void *context, size_t index, uint64_t word)
{
    block_arrays *a = context;
    if (a->wide)
        ((uint64_t *)a->misses)[index] = word;
    else
        ((uint32_t *)a->misses)[index] = (uint32_t)word;
}

static void put_row(void *context, size_t index, uint64_t word)
{
    block_arrays *a = context;
    (void)index;
    while (a->row < a->rows && !(a->used[a->row >> 3] >> (a->row & 7) & 1))
        a->row++;
    if (a->row == a->rows)
        return;
    size_t at = 2 * a->row++ + 1;
    if (a->wide)
        ((uint64_t *)a->tables)[at] = word;
    else
        ((uint32_t *)a->tables)[at] = (uint32_t)word;
}

static size_t bits_set(const uint8_t *bits, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += (size_t)__builtin_popcount(bits[i]);
    return count;
}

/* The number of misses that the flags ask for. */
static size_t misses_flagged(const block_head *head, const uint8_t *flags)
{
    unsigned bits = weft_bfcm_flag_bits(head->method, head->context), mask = (1u << bits) - 1, miss = mask;
    size_t misses = 0;
    for (size_t i = 0; i < head->count; i++)
        misses += (flags[i * bits >> 3] >> (i * bits & 7) & mask) == miss;
    return misses;
}

static bool payload_spread(const block_head *head, block_arrays *a, const uint8_t *payload, size_t *right)
{
    weft_reader reader;
    unsigned width = a->wide ? 64 : 32;
    weft_reader_init(&reader, payload, head->plain_size);
    bits_unpack(&reader, a->flags, weft_bfcm_flags_size(head->method, head->context, head->count));
    *right = words_unpack(&reader, head->count, width, put_miss, a);
    if (reader.status == WEFT_OK && head->method < WEFT_BFCM_LAST) {
        a->rows = (size_t)1 << head->bits;
        a->used = memory_zero(a->rows / 8 + 1, 1);
        bits_unpack(&reader, a->used, (a->rows + 7) / 8);
        size_t words = words_unpack(&reader, a->rows, width, put_row, a);
        if (words != bits_set(a->used, a->rows / 8))
            reader.status = WEFT_CORRUPT;
        free(a->used);
    }
    return reader.status == WEFT_OK && weft_reader_left(&reader) == 0 && misses_flagged(head, a->flags) == *right;
}

static void cursor_set(squeeze_cursor *cursor, const block_head *head, const block_arrays *a, size_t right)
{
    size_t word = a->wide ? 8 : 4;
    memmove((uint8_t *)a->misses + (head->count - right) * word, a->misses, right * word);
    cursor->wide = a->wide;
    if (a->wide) {
        weft_bfcm64_config config = {head->method, head->context, head->bits, a->tables,
                                     a->flags,     head->count,   a->misses,  head->count};
        cursor->wide_bfcm = (weft_bfcm64){.config = config, .count = head->count, .right = right};
    } else {
        weft_bfcm_config config = {head->method, head->context, head->bits, a->tables,
                                   a->flags,     head->count,   a->misses,  head->count};
        cursor->bfcm = (weft_bfcm){.config = config, .count = head->count, .right = right};
    }
}

weft_status squeeze_open(squeeze_cursor *cursor, const uint8_t *bytes, size_t size, size_t *used)
{
    weft_reader reader;
    block_head head;
    uint8_t *own;
    size_t right;
    weft_reader_init(&reader, bytes, size);
    weft_status status = head_read(&reader, &head);
    if (status != WEFT_OK)
        return status;
    const uint8_t *payload = payload_open(&head, &own);
    if (!payload)
        return WEFT_CORRUPT;
    size_t word = head.wide ? 8 : 4, words = weft_bfcm_table_words(head.method, head.context, head.bits);
    size_t flags = weft_bfcm_flags_size(head.method, head.context, head.count);
    cursor->memory = memory_zero((words + head.count) * word + flags, 1);
    block_arrays a = {.tables = cursor->memory, .wide = head.wide, .count = head.count};
    a.misses = (uint8_t *)cursor->memory + words * word;
    a.flags = (uint8_t *)a.misses + head.count * word;
    bool good = payload_spread(&head, &a, payload, &right);
    free(own);
    if (!good) {
        free(cursor->memory);
        return WEFT_CORRUPT;
    }
    cursor_set(cursor, &head, &a, right);
    *used = reader.at;
    return WEFT_OK;
}

void squeeze_close(squeeze_cursor *cursor)
{
    free(cursor->memory);
    cursor->memory = NULL;
}

size_t squeeze_count(const squeeze_cursor *cursor)
{
    return cursor->wide ? cursor->wide_bfcm.count : cursor->bfcm.count;
}

/* Steps of a cursor of 32-bit values, in parts: they come out as 64-bit ones. */
static size_t steps_narrow(weft_bfcm *b, size_t (*move)(weft_bfcm *b, uint32_t *values, size_t steps), uint64_t *out,
                           size_t steps)
{
    uint32_t part[1024];
    size_t done = 0, got = 1;
    while (done < steps && got) {
        got = move(b, part, steps - done < 1024 ? steps - done : 1024);
        for (size_t i = 0; i < got; i++)
            out[done + i] = part[i];
        done += got;
    }
    return done;
}

size_t squeeze_forward(squeeze_cursor *cursor, uint64_t *out, size_t steps)
{
    return cursor->wide ? weft_bfcm64_forward(&cursor->wide_bfcm, out, steps)
                        : steps_narrow(&cursor->bfcm, weft_bfcm_forward, out, steps);
}

size_t squeeze_backward(squeeze_cursor *cursor, uint64_t *out, size_t steps)
{
    return cursor->wide ? weft_bfcm64_backward(&cursor->wide_bfcm, out, steps)
                        : steps_narrow(&cursor->bfcm, weft_bfcm_backward, out, steps);
}
