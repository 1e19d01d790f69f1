/* SPDX-License-Identifier: MIT */
#include "tools/lib/grammar/wpp.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/grammar/wpp_rules.h"
#include "tools/lib/grammar/wpp_stream.h"

enum { MAGIC_0 = 0xff, MAGIC_1 = 'W', VERSION = 1, RULES = 0, STREAM = 1, HEAD_MAX = 3 + WEFT_VARINT64_MAX + 4 };

/* Method stream takes time for each symbol of the stream, so it is not tried on longer ones. */
static const uint64_t stream_length_max = 200000000;

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

static uint32_t crc_of(const grammar *g)
{
    uint32_t crc = 0;
    grammar_expand(g, add_to_crc, &crc);
    return crc;
}

uint8_t *wpp_write(const grammar *g, bool lookahead, size_t *size)
{
    bit_coder rules, stream;
    bit_coder_encode(&rules);
    wpp_rules_write(&rules, g);
    bit_coder_finish(&rules);
    bool predict = g->length <= stream_length_max && rules.out_size > 1000;
    bit_coder_encode(&stream);
    if (predict) {
        wpp_stream_write(&stream, g);
        bit_coder_finish(&stream);
    }
    unsigned method = predict && stream.out_size < rules.out_size ? STREAM : RULES;
    const bit_coder *best = method == STREAM ? &stream : &rules;
    uint8_t *bytes = memory_grow(NULL, HEAD_MAX + best->out_size, 1);
    weft_writer out;
    weft_writer_init(&out, bytes, HEAD_MAX + best->out_size);
    weft_write_u8(&out, MAGIC_0);
    weft_write_u8(&out, MAGIC_1);
    weft_write_u8(&out, (uint8_t)(VERSION * 4 + method * 2 + lookahead));
    weft_write_varint64(&out, g->length);
    weft_write_u32(&out, crc_of(g));
    if (best->out_size)
        weft_write_bytes(&out, best->out, best->out_size);
    *size = out.size;
    free(rules.out);
    free(stream.out);
    return bytes;
}

grammar *wpp_read(const uint8_t *bytes, size_t size, uint64_t limit)
{
    weft_reader in;
    weft_reader_init(&in, bytes, size);
    if (!wpp_is(bytes, size) || bytes[2] >> 2 != VERSION)
        return NULL;
    weft_read_bytes(&in, 3);
    uint64_t length = weft_read_varint64(&in);
    uint32_t crc = weft_read_u32(&in);
    if (in.status != WEFT_OK || length > limit)
        return NULL;
    bit_coder c;
    bit_coder_decode(&c, bytes + in.at, size - in.at);
    grammar *g = bytes[2] >> 1 & 1 ? wpp_stream_read(&c, length, bytes[2] & 1) : wpp_rules_read(&c, length);
    if (g && (c.bad || g->length != length || crc_of(g) != crc)) {
        grammar_free(g);
        return NULL;
    }
    return g;
}
