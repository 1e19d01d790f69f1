/* SPDX-License-Identifier: MIT */
#include "core/bytes.h"

#include <string.h>

void weft_writer_init(weft_writer *writer, uint8_t *bytes, size_t size_max)
{
    writer->bytes = bytes;
    writer->size_max = bytes ? size_max : SIZE_MAX;
    writer->size = 0;
    writer->status = WEFT_OK;
}

size_t weft_writer_room(const weft_writer *writer)
{
    return writer->size_max - writer->size;
}

void weft_writer_rollback(weft_writer *writer, size_t size)
{
    writer->size = size;
    writer->status = WEFT_OK;
}

void weft_write_bytes(weft_writer *writer, const uint8_t *bytes, size_t size)
{
    if (writer->status != WEFT_OK || size > weft_writer_room(writer)) {
        writer->status = WEFT_FULL;
        return;
    }
    if (writer->bytes && size)
        memcpy(writer->bytes + writer->size, bytes, size);
    writer->size += size;
}

void weft_write_u8(weft_writer *writer, uint8_t value)
{
    weft_write_bytes(writer, &value, 1);
}

static void write_little(weft_writer *writer, uint64_t value, unsigned size)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
    weft_write_bytes(writer, bytes, size);
}

void weft_write_u16(weft_writer *writer, uint16_t value)
{
    write_little(writer, value, 2);
}

void weft_write_u32(weft_writer *writer, uint32_t value)
{
    write_little(writer, value, 4);
}

void weft_write_u64(weft_writer *writer, uint64_t value)
{
    write_little(writer, value, 8);
}

void weft_write_varint(weft_writer *writer, uint32_t value)
{
    uint8_t bytes[WEFT_VARINT32_MAX];
    unsigned n = 0;
    for (; value > 0x7f; value >>= 7)
        bytes[n++] = (uint8_t)(value | 0x80);
    bytes[n++] = (uint8_t)value;
    weft_write_bytes(writer, bytes, n);
}

void weft_write_varint64(weft_writer *writer, uint64_t value)
{
    uint8_t bytes[WEFT_VARINT64_MAX];
    unsigned n = 0;
    for (; value > 0x7f; value >>= 7)
        bytes[n++] = (uint8_t)(value | 0x80);
    bytes[n++] = (uint8_t)value;
    weft_write_bytes(writer, bytes, n);
}

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

/* Reads a varint of `bits` bits. A last byte with bits beyond them is corrupt: one value, one coding. */
static uint64_t read_varint_of(weft_reader *reader, unsigned bits)
{
    uint64_t value = 0;
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

uint32_t weft_crc32(uint32_t crc, const uint8_t *bytes, size_t size)
{
    /* Half a byte at a time: 64 bytes of flash for the table. */
    static const uint32_t nibble[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
        0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
    };
    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        crc = nibble[crc & 15] ^ crc >> 4;
        crc = nibble[crc & 15] ^ crc >> 4;
    }
    return ~crc;
}

size_t weft_cobs_encode(uint8_t *out, const uint8_t *in, size_t size)
{
    const uint8_t *end = in + size;
    uint8_t *to = out;
    for (;;) {
        /* One group: its length, then up to 254 bytes that are not zero. */
        uint8_t *code = to++;
        const uint8_t *group_end = end - in > 254 ? in + 254 : end;
        uint8_t byte = 1;
        while (in < group_end && (byte = *in++) != 0)
            *to++ = byte;
        *code = (uint8_t)(to - code);
        if (byte == 0)
            continue; /* the zero is the group's end; another group follows, if only an empty one */
        if (in == end)
            return (size_t)(to - out);
    }
}

bool weft_cobs_decode(uint8_t *out, size_t *out_size, const uint8_t *in, size_t size)
{
    size_t to = 0;
    size_t at = 0;
    while (at < size) {
        size_t code = in[at++];
        if (code == 0 || code - 1 > size - at)
            return false;
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
