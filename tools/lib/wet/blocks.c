/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/blocks.h"

#include <malloc.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"

#define ROOM 8u                          /* of a limit that is passed, one part in ROOM becomes free : 2 to 64 */
#define ORDERED_MAX (UINT64_C(64) << 20) /* bytes kept at first of a file that is read once : from 1 MB */
#define AGAIN 4u /* the limit doubles where more than one part in AGAIN was decoded again : 2 to 64 */

typedef struct wet_held {
    uint32_t stream, block;
} wet_held;

static void begun_free(wet_file *f, wet_stream *s, uint32_t block)
{
    wet_begun *b = s->begun ? &s->begun[block] : NULL;
    if (!b || !b->words)
        return;
    f->decoded -= b->count * sizeof *b->words;
    free(b->words);
    b->words = NULL;
    b->count = 0;
}

static void block_free(wet_file *f, wet_stream *s, uint32_t block)
{
    if (!s->blocks || !s->blocks[block])
        return;
    f->decoded -= wet_stream_block_size(f, s, block) * sizeof **s->blocks;
    free(s->blocks[block]);
    s->blocks[block] = NULL;
}

/* Drops blocks that were not asked for since the hand was there last. Who reads a block for long asks for it again
 * after each time that blocks were dropped. */
static void blocks_drop(wet_file *f, uint64_t least)
{
    while (f->held_count && f->decoded > least) {
        f->hand = f->hand < f->held_count ? f->hand : 0;
        wet_held *h = &f->held[f->hand];
        wet_stream *s = &f->streams[h->stream];
        if (s->lately[h->block] == WET_ASKED) {
            s->lately[h->block] = WET_NOT_ASKED;
            f->hand++;
            continue;
        }
        s->lately[h->block] = WET_DROPPED;
        block_free(f, s, h->block);
        begun_free(f, s, h->block);
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
static void block_hold(wet_file *f, uint32_t stream, uint32_t block, uint64_t bytes)
{
    wet_stream *s = &f->streams[stream];
    if (f->decoded + bytes > f->decoded_max)
        blocks_drop(f, f->decoded_max - f->decoded_max / ROOM);
    if (!s->lately)
        s->lately = memory_zero(wet_stream_block_count(f, s) + 1, 1);
    limit_adapt(f, bytes, s->lately[block] == WET_DROPPED);
    s->lately[block] = WET_ASKED;
    f->held = memory_room(f->held, f->held_count, &f->held_max, sizeof *f->held);
    f->held[f->held_count++] = (wet_held){stream, block};
    begun_free(f, s, block);
    f->decoded += bytes;
}

void wet_begun_keep(wet_file *f, uint32_t stream, uint32_t block, uint32_t *words, uint32_t count)
{
    block_hold(f, stream, block, count * sizeof *words);
    f->streams[stream].begun[block].words = words;
    f->streams[stream].begun[block].count = count;
}

void wet_blocks_free(wet_file *f)
{
    for (uint32_t i = 0; i < f->stream_count; i++) {
        wet_stream *s = &f->streams[i];
        for (uint32_t block = 0; s->lately && block < wet_stream_block_count(f, s); block++) {
            block_free(f, s, block);
            begun_free(f, s, block);
        }
        free(s->blocks);
        free(s->begun);
        free(s->lately);
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
            f->sum_state[i] = weft_crc32(0, f->bytes + f->data_at + first, length) == f->sums[i] ? WET_GOOD : WET_BAD;
        if (f->sum_state[i] == WET_GOOD)
            continue;
        f->damaged = true;
        if (!f->damaged_at)
            f->damaged_at = f->data_at + first;
    }
}

uint32_t wet_stream_block_size(const wet_file *f, const wet_stream *s, uint32_t block)
{
    uint32_t left = s->count - (block << f->block_bits), whole = wet_block_mask(f) + 1;
    return left < whole ? left : whole;
}

const uint32_t *wet_stream_keep(wet_file *f, uint32_t stream, uint32_t block, uint32_t *words)
{
    wet_stream *s = &f->streams[stream];
    block_hold(f, stream, block, wet_stream_block_size(f, s, block) * sizeof *words);
    if (!s->blocks)
        s->blocks = memory_zero(wet_stream_block_count(f, s) + 1, sizeof *s->blocks);
    block_free(f, s, block); /* a damaged file may need what it is part of */
    return s->blocks[block] = words;
}
