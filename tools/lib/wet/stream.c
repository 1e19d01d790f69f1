/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/stream.h"

#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/squeeze/coded.h"
#include "tools/lib/squeeze/mix.h"
#include "tools/lib/squeeze/squeeze.h"
#include "tools/lib/wet/ahead.h"
#include "tools/lib/wet/begun.h"
#include "tools/lib/wet/store.h"

static void stream_check(wet_file *f, wet_stream *s)
{
    s->checked = true;
    wet_stream_check(f, s->data, (size_t)s->count * (s->kind == WET_RAW ? 4 : s->kind == WET_RAW16 ? 2 : 1));
}

static void decode_small(wet_file *f, const wet_stream *s, uint32_t *out)
{
    wet_stream_check(f, s->data, s->size);
    weft_reader in;
    uint32_t last = 0;
    weft_reader_init(&in, s->data, s->size);
    for (uint32_t i = 0; i < s->count; i++)
        out[i] = last += (uint32_t)weft_unzigzag(weft_read_varint(&in));
    if (in.status != WEFT_OK)
        f->damaged = true;
}

/* A cursor goes over the block once, forward. */
static void decode_packed(wet_file *f, wet_stream *s, uint32_t block, uint32_t count, uint32_t *out)
{
    squeeze_cursor cursor;
    size_t used, size;
    const uint8_t *data = wet_stream_bytes(f, s, block, &size);
    memset(out, 0, count * sizeof *out);
    wet_stream_check(f, data, size);
    if (squeeze_open(&cursor, data, size, &used) != WEFT_OK) {
        f->damaged = true;
        return;
    }
    if (cursor.wide || cursor.bfcm.count != count)
        f->damaged = true;
    else
        weft_bfcm_forward(&cursor.bfcm, out, count);
    squeeze_close(&cursor);
}

static void decode_mixed(wet_file *f, wet_stream *s, uint32_t block, uint32_t count, uint32_t *out)
{
    size_t size;
    const uint8_t *data = wet_stream_bytes(f, s, block, &size);
    wet_stream_check(f, data, size);
    if (!f->mixer)
        f->mixer = squeeze_mixer_new();
    if (!squeeze_unmix(f->mixer, data, size, out, count))
        f->damaged = true;
}

/* Kept, as wet_stream_block has it. Another thread may have decoded it. */
static const uint32_t *coded_block(wet_file *f, uint32_t stream, uint32_t block)
{
    wet_stream *s = &f->streams[stream];
    size_t size;
    const uint8_t *data = wet_stream_bytes(f, s, block, &size);
    wet_stream_check(f, data, size);
    uint32_t *words = f->ahead ? wet_ahead_take(f, stream, block) : NULL, count = wet_stream_block_size(f, s, block);
    const wet_stored *stored = wet_store_block(s, block);
    if (!words && stored) {
        words = memory_zero(count, sizeof *words);
        wet_stored_read(stored, 0, count, words);
    } else if (!words) {
        if (!f->coder)
            f->coder = squeeze_coder_new();
        words = memory_zero(count, sizeof *words);
        if (!squeeze_decode(f->coder, data, size, words, count))
            f->damaged = true;
    }
    return wet_stream_keep(f, stream, block, words);
}

bool wet_stream_has_blocks(const wet_file *f, uint32_t stream)
{
    uint8_t kind = f->streams[stream].kind;
    return kind == WET_PACKED || kind == WET_MIXED || kind == WET_CODED || kind == WET_SMALL || kind == WET_PATTERN ||
           kind == WET_INFERRED;
}

static void decode_pattern(wet_file *f, const wet_stream *s, uint32_t at, uint32_t count, uint32_t *out)
{
    uint32_t unique = s->first, values = s->value;
    wet_stream_read(f, s->second, at, count, out);
    for (uint32_t i = 0; i < count; i++) {
        f->damaged |= out[i] >= values;
        out[i] = out[i] < values ? wet_stream_get(f, unique, out[i]) : 0;
    }
}

const uint32_t *wet_stream_block(wet_file *f, uint32_t stream, uint32_t block)
{
    wet_stream *s = &f->streams[stream];
    const uint32_t *kept = wet_stream_kept(s, block);
    if (kept)
        return kept;
    if (s->kind == WET_CODED)
        return coded_block(f, stream, block);
    uint32_t count = wet_stream_block_size(f, s, block), *words = memory_zero(count, sizeof *words);
    if (s->kind == WET_SMALL)
        decode_small(f, s, words);
    else if (s->kind == WET_PACKED)
        decode_packed(f, s, block, count, words);
    else if (s->kind == WET_MIXED)
        decode_mixed(f, s, block, count, words);
    else if (s->kind == WET_PATTERN)
        decode_pattern(f, s, block << f->block_bits, count, words);
    else
        f->damaged = true;
    return wet_stream_keep(f, stream, block, words);
}

/* The first numbers of a block of a coded stream: no more of it is decoded where that is enough. */
static const uint32_t *first_words(wet_file *f, uint32_t stream, uint32_t block, uint32_t count)
{
    wet_block *b = wet_stream_known(&f->streams[stream], block);
    if (!b || b->begun.count < count)
        return wet_begun_words(f, stream, block, count);
    b->lately = WET_ASKED;
    return b->begun.words;
}

uint32_t wet_stream_get(wet_file *f, uint32_t stream, uint32_t at)
{
    wet_stream *s = &f->streams[stream];
    const uint32_t *kept = wet_stream_kept(s, at >> f->block_bits);
    if (kept)
        return kept[at & wet_block_mask(f)];
    const wet_stored *stored = wet_store_block(s, at >> f->block_bits);
    if (stored)
        return wet_stored_get(stored, at & wet_block_mask(f));
    if (!s->checked && (s->kind == WET_RAW || s->kind == WET_RAW8 || s->kind == WET_RAW16))
        stream_check(f, s);
    switch (s->kind) {
    case WET_CONSTANT:
        return s->value;
    case WET_RAW8:
        return s->data[at];
    case WET_RAW16:
        return s->data[2 * (size_t)at] | (uint32_t)s->data[2 * (size_t)at + 1] << 8;
    case WET_RAW: {
        uint32_t word;
        memcpy(&word, s->data + 4 * (size_t)at, 4);
        return word;
    }
    case WET_PATTERN: {
        uint32_t which = wet_stream_get(f, s->second, at);
        if (which < s->value)
            return wet_stream_get(f, s->first, which);
        f->damaged = true;
        return 0;
    }
    case WET_CODED:
        if (f->alone)
            return first_words(f, stream, at >> f->block_bits, (at & wet_block_mask(f)) + 1)[at & wet_block_mask(f)];
        return wet_stream_block(f, stream, at >> f->block_bits)[at & wet_block_mask(f)];
    case WET_PACKED:
    case WET_MIXED:
    case WET_SMALL:
        return wet_stream_block(f, stream, at >> f->block_bits)[at & wet_block_mask(f)];
    default:
        f->damaged = true;
        return 0;
    }
}

static const uint32_t *words_up_to(wet_file *f, uint32_t stream, uint32_t block, uint32_t count)
{
    if (f->alone && f->streams[stream].kind == WET_CODED)
        return first_words(f, stream, block, count);
    return wet_stream_block(f, stream, block);
}

void wet_stream_read(wet_file *f, uint32_t stream, uint32_t at, uint32_t count, uint32_t *out)
{
    if (!wet_stream_has_blocks(f, stream)) {
        for (uint32_t i = 0; i < count; i++)
            out[i] = wet_stream_get(f, stream, at + i);
        return;
    }
    while (count) {
        uint32_t here = wet_block_mask(f) + 1 - (at & wet_block_mask(f)), part = count < here ? count : here;
        uint32_t block = at >> f->block_bits, place = at & wet_block_mask(f);
        const wet_stored *stored = wet_store_block(&f->streams[stream], block);
        if (stored)
            wet_stored_read(stored, place, part, out);
        else
            memcpy(out, words_up_to(f, stream, block, place + part) + place, part * sizeof *out);
        out += part;
        at += part;
        count -= part;
    }
}
