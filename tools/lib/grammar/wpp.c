/* SPDX-License-Identifier: MIT */
#include "tools/lib/grammar/wpp.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/grammar/wpp_rules.h"
#include "tools/lib/grammar/wpp_stream.h"

enum {
    MAGIC_0 = 0xff,
    MAGIC_1 = 'W',
    VERSION_OF_STREAM = 1, /* its check sum is the stream's */
    VERSION_MIXED = 2,     /* its symbols are predicted as in version 1 */
    VERSION = 3,
    RULES = 0,
    STREAM = 1,
    CRC_SIZE = 4,
    HEAD_MAX = 3 + WEFT_VARINT64_MAX + CRC_SIZE
};

bool wpp_is(const uint8_t *bytes, size_t size)
{
    return size >= 3 && bytes[0] == MAGIC_0 && bytes[1] == MAGIC_1;
}

static bool add_to_crc(void *context, const uint32_t *symbols, size_t count)
{
    uint32_t *crc = context;
    uint8_t bytes[4 * 4096];
    for (size_t i = 0; i < count; i++)
        for (unsigned b = 0; b < 4; b++)
            bytes[4 * i + b] = (uint8_t)(symbols[i] >> 8 * b);
    *crc = weft_crc32(*crc, bytes, 4 * count);
    return true;
}

/* Version 1. */
static uint32_t crc_of_stream(const grammar *g)
{
    uint32_t crc = 0;
    grammar_expand(g, add_to_crc, &crc);
    return crc;
}

/* Version 2: of the file except for the check sum itself, which is at `at`. */
static uint32_t crc_of_file(const uint8_t *bytes, size_t size, size_t at)
{
    return weft_crc32(weft_crc32(0, bytes, at), bytes + at + CRC_SIZE, size - at - CRC_SIZE);
}

/* The file, from what a method wrote. */
static uint8_t *frame(const grammar *g, const bit_coder *coded, unsigned method, bool lookahead, size_t *size)
{
    uint8_t *bytes = memory_grow(NULL, HEAD_MAX + coded->out_size, 1);
    weft_writer out;
    weft_writer_init(&out, bytes, HEAD_MAX + coded->out_size);
    weft_write_u8(&out, MAGIC_0);
    weft_write_u8(&out, MAGIC_1);
    weft_write_u8(&out, (uint8_t)(VERSION * 4 + method * 2 + lookahead));
    weft_write_varint64(&out, g->length);
    size_t at = out.size;
    weft_write_u32(&out, 0);
    if (coded->out_size)
        weft_write_bytes(&out, coded->out, coded->out_size);
    *size = out.size;
    out.size = at;
    weft_write_u32(&out, crc_of_file(bytes, *size, at));
    return bytes;
}

uint8_t *wpp_write(const grammar *g, bool lookahead, wpp_ahead *ahead, size_t *size)
{
    bit_coder rules, stream;
    bit_coder_encode(&rules);
    wpp_rules_write(&rules, g);
    bit_coder_finish(&rules);
    bool predict = g->length <= WPP_STREAM_LENGTH_MAX && rules.out_size > 1000;
    bit_coder_encode(&stream);
    if (predict && !wpp_ahead_finish(ahead, &stream)) {
        wpp_stream_write(&stream, g);
        bit_coder_finish(&stream);
    }
    unsigned method = predict && stream.out_size < rules.out_size ? STREAM : RULES;
    uint8_t *bytes = frame(g, method == STREAM ? &stream : &rules, method, lookahead, size);
    free(rules.out);
    free(stream.out);
    return bytes;
}

/* What stands before the coded bits. */
typedef struct head {
    unsigned version, method;
    bool lookahead;
    uint64_t length;
    uint32_t crc;
    bit_coder c; /* at the first bit */
} head;

/* False: there is none, or the file is too long or does not have its check sum. */
static bool read_head(head *h, const uint8_t *bytes, size_t size, uint64_t limit)
{
    weft_reader in;
    weft_reader_init(&in, bytes, size);
    if (!wpp_is(bytes, size) || bytes[2] >> 2 < VERSION_OF_STREAM || bytes[2] >> 2 > VERSION)
        return false;
    *h = (head){.version = bytes[2] >> 2, .method = bytes[2] >> 1 & 1, .lookahead = bytes[2] & 1};
    weft_read_bytes(&in, 3);
    h->length = weft_read_varint64(&in);
    size_t at = in.at;
    h->crc = weft_read_u32(&in);
    bit_coder_decode(&h->c, bytes + in.at, size - in.at);
    return in.status == WEFT_OK && h->length <= limit &&
           (h->version == VERSION_OF_STREAM || h->crc == crc_of_file(bytes, size, at));
}

static grammar *read_grammar(head *h)
{
    grammar *g = h->method == STREAM ? wpp_stream_read(&h->c, h->length, h->lookahead, h->version <= VERSION_MIXED)
                                     : wpp_rules_read(&h->c, h->length);
    if (g && (h->c.bad || g->length != h->length || (h->version == VERSION_OF_STREAM && crc_of_stream(g) != h->crc))) {
        grammar_free(g);
        return NULL;
    }
    return g;
}

grammar *wpp_read(const uint8_t *bytes, size_t size, uint64_t limit)
{
    head h;
    return read_head(&h, bytes, size, limit) ? read_grammar(&h) : NULL;
}

bool wpp_expand(const uint8_t *bytes, size_t size, uint64_t limit, grammar_emit *emit, void *context)
{
    head h;
    if (!read_head(&h, bytes, size, limit))
        return false;
    if (h.method == STREAM && h.version != VERSION_OF_STREAM)
        return wpp_stream_expand(&h.c, h.length, h.version <= VERSION_MIXED, emit, context);
    grammar *g = read_grammar(&h);
    if (g)
        grammar_expand(g, emit, context);
    grammar_free(g);
    return g;
}
