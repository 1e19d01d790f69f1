/* SPDX-License-Identifier: MIT */
/* What only a reader of frames needs, so that a recorder does not link it. */
#include "core/bytes.h"
#include "core/own.h"

void weft_reader_init(weft_reader *reader, const uint8_t *bytes, size_t size)
{
    reader->bytes = bytes;
    reader->size = size;
    reader->at = 0;
    reader->status = WEFT_OK;
}

size_t weft_reader_left(const weft_reader *reader)
{
    return reader->status == WEFT_OK ? reader->size - reader->at : 0;
}

const uint8_t *weft_read_bytes(weft_reader *reader, size_t size)
{
    if (reader->status != WEFT_OK || size > reader->size - reader->at) {
        reader->status = WEFT_CORRUPT;
        return NULL;
    }
    const uint8_t *bytes = reader->bytes + reader->at;
    reader->at += size;
    return bytes;
}

static uint64_t read_little(weft_reader *reader, unsigned size)
{
    const uint8_t *bytes = weft_read_bytes(reader, size);
    uint64_t value = 0;
    /*@ loop invariant 0 <= i <= size && (bytes == \null ==> value == 0);
        loop assigns i, value;
        loop variant size - i; */
    for (unsigned i = 0; bytes && i < size; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

uint8_t weft_read_u8(weft_reader *reader)
{
    return (uint8_t)read_little(reader, 1);
}

uint16_t weft_read_u16(weft_reader *reader)
{
    return (uint16_t)read_little(reader, 2);
}

uint32_t weft_read_u32(weft_reader *reader)
{
    return (uint32_t)read_little(reader, 4);
}

uint64_t weft_read_u64(weft_reader *reader)
{
    return read_little(reader, 8);
}

/* Reads a varint of `bits` bits. A last byte with bits beyond them is corrupt. */
static uint64_t read_varint_of(weft_reader *reader, unsigned bits)
{
    uint64_t value = 0;
    /*@ loop invariant 0 <= shift <= bits + 6 && shift % 7 == 0 && reader_ok(reader);
        loop invariant 7 * (reader->at - \at(reader->at, Pre)) == shift;
        loop invariant reader->status == \at(reader->status, Pre);
        loop invariant shift > 0 ==> reader->status == WEFT_OK;
        loop assigns shift, value, reader->at, reader->status;
        loop variant bits + 6 - shift; */
    for (unsigned shift = 0; shift < bits; shift += 7) {
        const uint8_t *byte = weft_read_bytes(reader, 1);
        if (!byte)
            return 0;
        uint64_t low = *byte & 0x7fu;
        if (bits - shift < 7 && low >> (bits - shift))
            break;
        value |= low << shift;
        if (!(*byte & 0x80))
            return value;
    }
    reader->status = WEFT_CORRUPT;
    return 0;
}

uint32_t weft_read_varint(weft_reader *reader)
{
    return (uint32_t)read_varint_of(reader, 32);
}

uint64_t weft_read_varint64(weft_reader *reader)
{
    return read_varint_of(reader, 64);
}

bool weft_cobs_decode(uint8_t *out, size_t *out_size, const uint8_t *in, size_t size)
{
    size_t to = 0;
    size_t at = 0;
    /*@ loop invariant to <= at <= size && (at == size ==> size == 0 || to < at);
        loop assigns at, to, out[0 .. size - 1];
        loop variant size - at; */
    while (at < size) {
        size_t code = in[at++];
        /*@ ghost size_t group = at; */
        if (code == 0 || code - 1 > size - at)
            return false;
        /*@ loop invariant 1 <= i <= code && group <= at && to < at <= size && code - i <= size - at;
            loop assigns i, at, to, out[0 .. size - 1];
            loop variant code - i; */
        for (size_t i = 1; i < code; i++, at++) {
            if (in[at] == 0)
                return false;
            out[to++] = in[at];
        }
        if (code < 0xff && at < size)
            out[to++] = 0;
    }
    *out_size = to;
    return size > 0;
}
