/* SPDX-License-Identifier: MIT */
/* Varints of one or two bytes, read quickly; longer ones, and errors, as core/bytes.h has them. After an error the
 * reader's status stays, but what is read then may be anything. */
#ifndef WEFT_TOOLS_LIB_BASE_VARINT_H
#define WEFT_TOOLS_LIB_BASE_VARINT_H

#include "core/bytes.h"

/* 0: neither one byte nor two. */
static inline unsigned varint_short(const weft_reader *in, uint32_t *value)
{
    size_t left = in->size - in->at;
    if (!left)
        return 0;
    const uint8_t *next = in->bytes + in->at;
    if (next[0] < 0x80) {
        *value = next[0];
        return 1;
    }
    if (left < 2 || next[1] >= 0x80)
        return 0;
    *value = (next[0] & 0x7fu) | (uint32_t)next[1] << 7;
    return 2;
}

/* As weft_read_varint. */
static inline uint32_t varint_read(weft_reader *in)
{
    uint32_t value;
    unsigned size = varint_short(in, &value);
    in->at += size;
    return size ? value : weft_read_varint(in);
}

/* As weft_read_varint64. */
static inline uint64_t varint_read64(weft_reader *in)
{
    uint32_t value;
    unsigned size = varint_short(in, &value);
    in->at += size;
    return size ? value : weft_read_varint64(in);
}

#endif
