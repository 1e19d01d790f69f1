/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/blocks.h"

#include <malloc.h>
#include <stdlib.h>

#include "tools/lib/base/checksum.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/varint.h"

#define ROOM 8u                          /* of a limit that is passed, one part in ROOM becomes free : 2 to 64 */
#define ORDERED_MAX (UINT64_C(64) << 20) /* bytes kept at first of a file that is read once : from 1 MB */
#define AGAIN 4u /* the limit doubles where more than one part in AGAIN was decoded again : 2 to 64 */

typedef struct wet_held {
    uint32_t stream, block;
} wet_held;

static void begun_free(wet_file *f, wet_begun *b)
{
    if (!b->words)
        return;
    f->decoded -= b->count * sizeof *b->words;
    free(b->words);
    b->words = NULL;
    b->count = 0;
}

static void words_free(wet_file *f, const wet_stream *s, uint32_t block)
{
    wet_block *b = wet_stream_known(s, block);
    if (!b->words)
        return;
    f->decoded -= wet_stream_block_size(f, s, block) * sizeof *b->words;
    free(b->words);
    b->words = NULL;
}

/* Drops blocks that were not asked for since the hand was there last. Who reads a block for long asks for it again
 * after each time that blocks were dropped. */
static void blocks_drop(wet_file *f, uint64_t least)
{
    while (f->held_count && f->decoded > least) {
        f->hand = f->hand < f->held_count ? f->hand : 0;
        wet_held *h = &f->held[f->hand];
        const wet_stream *s = &f->streams[h->stream];
        wet_block *b = wet_stream_known(s, h->block);
        if (b->lately == WET_ASKED) {
            b->lately = WET_NOT_ASKED;
            f->hand++;
            continue;
        }
        b->lately = WET_DROPPED;
        words_free(f, s, h->block);
        begun_free(f, &b->begun);
        *h = f->held[--f->held_count];
    }
    f->drops++;
}

void wet_blocks_shrink(wet_file *f, uint64_t bytes)
{
    blocks_drop(f, bytes);
    malloc_trim(0); /* they lie between others */
}

void wet_blocks_in_order(wet_file *f)
{
    f->decoded_most = f->decoded_max;
    f->decoded_max = ORDERED_MAX < f->decoded_max ? ORDERED_MAX : f->decoded_max;
}

/* How many blocks a program uses in turn is not known: the limit doubles while many of them come back. */
static void limit_adapt(wet_file *f, uint64_t bytes, bool again)
{
    f->decoded_lately += bytes;
    f->decoded_again += again ? bytes : 0;
    if (f->decoded_lately < f->decoded_max / ROOM)
        return;
    if (f->decoded_again > f->decoded_lately / AGAIN && f->decoded_max <= f->decoded_most / 2)
        f->decoded_max *= 2;
    f->decoded_lately = f->decoded_again = 0;
}

/* A block that will be kept. */
static wet_block *block_hold(wet_file *f, uint32_t stream, uint32_t block, uint64_t bytes)
{
    wet_block *b = &wet_stream_blocks(f, &f->streams[stream])[block];
    if (f->decoded + bytes > f->decoded_max)
        blocks_drop(f, f->decoded_max - f->decoded_max / ROOM);
    limit_adapt(f, bytes, b->lately == WET_DROPPED);
    b->lately = WET_ASKED;
    f->held = memory_room(f->held, f->held_count, &f->held_max, sizeof *f->held);
    f->held[f->held_count++] = (wet_held){stream, block};
    begun_free(f, &b->begun);
    f->decoded += bytes;
    return b;
}

void wet_begun_keep(wet_file *f, uint32_t stream, uint32_t block, uint32_t *words, uint32_t count)
{
    wet_begun *b = &block_hold(f, stream, block, count * sizeof *words)->begun;
    b->words = words;
    b->count = count;
}

void wet_blocks_free(wet_file *f)
{
    for (uint32_t i = 0; i < f->stream_count; i++) {
        const wet_stream *s = &f->streams[i];
        wet_block *blocks = wet_stream_known(s, 0);
        for (uint32_t block = 0; blocks && block < wet_stream_block_count(f, s); block++) {
            words_free(f, s, block);
            begun_free(f, &blocks[block].begun);
        }
        free(blocks);
    }
    free(f->held);
}

/* Compares the chunks that hold `size` bytes of data with their check sums. */
void wet_stream_check(wet_file *f, const uint8_t *data, size_t size)
{
    size_t at = (size_t)(data - f->bytes) - f->data_at, left = f->size - f->data_at;
    for (size_t i = at / WET_CHUNK; f->sums && i * WET_CHUNK < at + size; i++) {
        size_t first = i * WET_CHUNK, length = left - first < WET_CHUNK ? left - first : WET_CHUNK;
        if (f->sum_state[i] == WET_UNCHECKED)
            f->sum_state[i] =
                checksum_crc32(0, f->bytes + f->data_at + first, length) == f->sums[i] ? WET_GOOD : WET_BAD;
        if (f->sum_state[i] == WET_GOOD)
            continue;
        f->damaged = true;
        if (!f->damaged_at)
            f->damaged_at = f->data_at + first;
    }
}

static bool has_sizes(const wet_stream *s)
{
    return s->kind == WET_PACKED || s->kind == WET_MIXED || s->kind == WET_CODED;
}

wet_block *wet_stream_blocks(const wet_file *f, wet_stream *s)
{
    wet_block *blocks = wet_stream_known(s, 0), *made;
    if (blocks)
        return blocks;
    uint32_t count = wet_stream_block_count(f, s);
    made = memory_zero(count + UINT64_C(1), sizeof *made);
    if (has_sizes(s)) {
        weft_reader in;
        weft_reader_init(&in, f->directory + s->sizes, f->directory_size - s->sizes);
        for (uint32_t i = 0; i < count; i++)
            made[i + 1].at = made[i].at + varint_read(&in);
    }
    if (atomic_compare_exchange_strong(&s->blocks, &blocks, made))
        return made;
    free(made); /* another thread was faster */
    return blocks;
}

const uint8_t *wet_stream_bytes(const wet_file *f, wet_stream *s, uint32_t block, size_t *size)
{
    const wet_block *b = &wet_stream_blocks(f, s)[block];
    *size = b[1].at - b[0].at;
    return s->data + b->at;
}

uint32_t wet_stream_block_size(const wet_file *f, const wet_stream *s, uint32_t block)
{
    uint32_t left = s->count - (block << f->block_bits), whole = wet_block_mask(f) + 1;
    return left < whole ? left : whole;
}

const uint32_t *wet_stream_keep(wet_file *f, uint32_t stream, uint32_t block, uint32_t *words)
{
    const wet_stream *s = &f->streams[stream];
    wet_block *b = block_hold(f, stream, block, wet_stream_block_size(f, s, block) * sizeof *words);
    words_free(f, s, block); /* a damaged file may need what it is part of */
    return b->words = words;
}
