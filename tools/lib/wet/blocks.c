/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/blocks.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

void wet_begun_drop(wet_file *f, uint32_t stream, uint32_t block)
{
    wet_begun *b = f->streams[stream].begun ? &f->streams[stream].begun[block] : NULL;
    if (!b || !b->words)
        return;
    f->decoded -= b->count * sizeof *b->words;
    free(b->words);
    b->words = NULL;
    b->count = 0;
}

void wet_stream_drop(wet_file *f)
{
    for (uint32_t i = 0; i < f->stream_count; i++) {
        wet_stream *s = &f->streams[i];
        uint32_t blocks = wet_stream_block_count(f, s);
        for (uint32_t b = 0; s->blocks && b < blocks; b++) {
            free(s->blocks[b]);
            s->blocks[b] = NULL;
        }
        for (uint32_t b = 0; s->begun && b < blocks; b++)
            wet_begun_drop(f, i, b);
    }
    f->decoded = 0;
    f->drops++;
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
    uint64_t bytes = wet_stream_block_size(f, s, block) * sizeof *words;
    if (f->decoded + bytes > f->decoded_max)
        wet_stream_drop(f);
    wet_begun_drop(f, stream, block);
    f->decoded += bytes;
    if (!s->blocks)
        s->blocks = memory_zero(wet_stream_block_count(f, s) + 1, sizeof *s->blocks);
    free(s->blocks[block]); /* a damaged file may need what it is part of */
    return s->blocks[block] = words;
}
