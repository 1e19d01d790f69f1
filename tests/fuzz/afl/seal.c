/* SPDX-License-Identifier: MIT */
/* Gives a recording the check sums, compression and identity of tests/lib/unchecked.h:
 *     seal IN.weft OUT.weft
 * What is not a frame stays as it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "core/frame.h"
#include "tests/lib/unchecked.h"

enum { HEAD = 6, CHUNK = 1 /* of the tags of full recordings */, ROOM = 1 << 22 };

static uint8_t content[ROOM], chunk[ROOM], wire[ROOM + ROOM / 64];

/* The identity follows version, kind and three varints. */
static void set_identity(size_t size)
{
    weft_reader in;
    weft_reader_init(&in, content, size);
    if (weft_read_u8(&in) < 2)
        return;
    (void)weft_read_u8(&in);
    (void)weft_read_varint(&in);
    (void)weft_read_varint64(&in);
    (void)weft_read_varint64(&in);
    if (weft_reader_left(&in) < 4)
        return;
    for (unsigned i = 0; i < 4; i++)
        content[in.at + i] = (uint8_t)(UNCHECKED_SUM >> 8 * i);
}

/* A frame of a full recording names the sum of the one before it where others say what is lost. Returns the new
 * size. */
static size_t set_chain(size_t size)
{
    static uint8_t rest[ROOM];
    weft_reader in;
    weft_writer out;
    weft_reader_init(&in, content, size);
    (void)weft_read_u8(&in);
    uint8_t kind = weft_read_u8(&in);
    (void)weft_read_varint(&in);
    size_t at = in.at;
    if (kind != WEFT_FRAME_FULL || !weft_read_varint64(&in))
        return size;
    size_t left = weft_reader_left(&in);
    memcpy(rest, content + in.at, left);
    weft_writer_init(&out, content + at, ROOM - at);
    weft_write_varint64(&out, UNCHECKED_SUM);
    weft_write_bytes(&out, rest, left);
    return at + out.size;
}

/* The chunk of a full recording, no longer packed. Returns the new size of all. */
static size_t unpack(const weft_frame *frame, size_t at, size_t size)
{
    weft_reader in;
    weft_reader_init(&in, frame->body, frame->body_size);
    if (frame->kind != WEFT_FRAME_FULL || weft_read_u8(&in) != CHUNK)
        return size;
    uint64_t plain = weft_read_varint64(&in);
    size_t packed = weft_reader_left(&in), got = __real_ZSTD_decompress(chunk, ROOM, in.bytes + in.at, packed);
    if (got != plain || at + in.at + plain + UNCHECKED_HEAD > ROOM) {
        fputs("seal: a chunk does not unpack\n", stderr);
        exit(1);
    }
    return at + in.at + unchecked_store(content + at + in.at, chunk, got);
}

static bool seal(const uint8_t *bytes, size_t size, FILE *out)
{
    weft_frame frame;
    size_t length;
    if (!weft_cobs_decode(content, &length, bytes, size) || length < WEFT_FRAME_CHECK_SIZE)
        return false;
    length -= WEFT_FRAME_CHECK_SIZE;
    set_identity(length);
    length = set_chain(length);
    /* Opened from another place, since opening decodes in place. */
    memcpy(wire + WEFT_FRAME_SHIFT(ROOM), content, length);
    size_t sealed = weft_frame_seal(wire, WEFT_FRAME_SHIFT(ROOM), length);
    if (weft_frame_open(&frame, wire, sealed - 1) != WEFT_OK)
        return false;
    length = unpack(&frame, (size_t)(frame.body - wire), length);
    memcpy(wire + WEFT_FRAME_SHIFT(ROOM), content, length);
    sealed = weft_frame_seal(wire, WEFT_FRAME_SHIFT(ROOM), length);
    return fwrite(wire, 1, sealed, out) == sealed;
}

int main(int argc, char **argv)
{
    static uint8_t in[ROOM];
    FILE *from = argc == 3 ? fopen(argv[1], "rb") : NULL, *to = from ? fopen(argv[2], "wb") : NULL;
    size_t size = to ? fread(in, 1, ROOM, from) : 0, at = HEAD;
    if (size <= HEAD || size == ROOM || fwrite(in, 1, HEAD, to) != HEAD) {
        fputs("usage: seal IN.weft OUT.weft\n", stderr);
        return 2;
    }
    for (const uint8_t *end; at < size && (end = memchr(in + at, 0, size - at)); at = (size_t)(end - in) + 1)
        if (!seal(in + at, (size_t)(end - in) - at, to) && fwrite(in + at, 1, (size_t)(end - in) + 1 - at, to) == 0)
            return 1;
    fclose(from);
    return fclose(to) ? 1 : 0;
}
