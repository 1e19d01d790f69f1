/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/tap.h"

#include "tools/lib/wet/stream.h"
#include "tools/lib/wet/word.h"

/* What is kept of an inferred stream; else the word is found by itself. */
static uint32_t fetch_inferred(wet_file *f, wet_tap *t, uint32_t at)
{
    const wet_stream *s = &f->streams[t->stream];
    uint32_t word = wet_word(f, s->first, s->second, at), block = at >> f->block_bits;
    const uint32_t *kept = wet_stream_kept(s, block);
    if (kept)
        *t = (wet_tap){kept, block << f->block_bits, wet_stream_block_size(f, s, block), f->drops, t->stream, t->ahead};
    return word;
}

uint32_t wet_tap_fetch(wet_file *f, wet_tap *t, uint32_t at)
{
    if (t->stream == WET_NONE || at >= f->streams[t->stream].count) {
        f->damaged = true;
        return 0;
    }
    const wet_stream *s = &f->streams[t->stream];
    if (s->kind == WET_INFERRED)
        return fetch_inferred(f, t, at);
    if (s->kind == WET_CONSTANT) {
        *t = (wet_tap){&s->value, 0, UINT32_MAX, f->drops, t->stream, t->ahead};
        return s->value;
    }
    if (!wet_stream_has_blocks(f, t->stream))
        return wet_stream_get(f, t->stream, at);
    uint32_t block = at >> f->block_bits;
    const uint32_t *words = wet_stream_block(f, t->stream, block);
    *t = (wet_tap){words, block << f->block_bits, wet_stream_block_size(f, s, block), f->drops, t->stream, t->ahead};
    return words[at & wet_block_mask(f)];
}
