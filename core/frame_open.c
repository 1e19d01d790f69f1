/* SPDX-License-Identifier: MIT */
/* Apart from core/frame.c, since a recorder only seals frames. */
#include "core/frame.h"
#include "core/own.h"

/* Versions 1 and 2 had a CRC-32. */
uint32_t weft_frame_check(const uint8_t *content, size_t size)
{
    bool crc = content[0] == 1 || content[0] == 2;
    return crc ? weft_crc32(0, content, size) : weft_sum_of(content, size);
}

weft_status weft_frame_open(weft_frame *frame, uint8_t *bytes, size_t size)
{
    weft_reader reader;
    if (!weft_cobs_decode(bytes, &size, bytes, size) || size <= WEFT_FRAME_CHECK_SIZE)
        return WEFT_CORRUPT;
    size -= WEFT_FRAME_CHECK_SIZE;
    weft_reader_init(&reader, bytes + size, WEFT_FRAME_CHECK_SIZE);
    if (weft_read_u32(&reader) != weft_frame_check(bytes, size))
        return WEFT_CORRUPT;
    weft_reader_init(&reader, bytes, size);
    frame->version = weft_read_u8(&reader);
    if (frame->version < WEFT_FORMAT_VERSION_MIN || frame->version > WEFT_FORMAT_VERSION)
        return WEFT_VERSION;
    frame->kind = weft_read_u8(&reader);
    frame->sequence = weft_read_varint(&reader);
    frame->lost = weft_read_varint64(&reader);
    frame->time = weft_read_varint64(&reader);
    frame->identity = frame->version == 1 ? 0 : weft_read_u32(&reader);
    frame->run = frame->version == 1 ? 0 : weft_read_varint(&reader);
    if (reader.status != WEFT_OK)
        return WEFT_CORRUPT;
    frame->body = bytes + reader.at;
    frame->body_size = size - reader.at;
    return WEFT_OK;
}
