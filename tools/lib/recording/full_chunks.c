/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tools/lib/recording/full_chunks.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zstd.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/whole_file.h"
#include "tools/lib/recording/chosen.h"
#include "tools/lib/recording/frames.h"

#define CHUNK_MAX (64u << 20) /* bytes of a chunk, unpacked: more is damage */
#define FRAME_MAX (96u << 20) /* bytes of a frame: more is damage */
#define PIECE (1u << 16)      /* bytes that are read at once, at least */
#define TAIL 256u             /* bytes: the end record is shorter */

bool full_fail(full_chunks *c, const char *format, ...)
{
    if (!c->failed) {
        va_list args;
        va_start(args, format);
        vsnprintf(c->error, sizeof c->error, format, args);
        va_end(args);
    }
    c->failed = true;
    return false;
}

bool full_fail_image(full_chunks *c, const compared_image *fits)
{
    char wrong[sizeof c->error];
    if (compared_fits(fits, wrong, sizeof wrong))
        return true;
    c->failed = false; /* what was damaged matters less */
    return full_fail(c, "%s", wrong);
}

bool full_fail_chunk(full_chunks *c, const char *what)
{
    return full_fail(c, "%sthe chunk before byte %llu is damaged", what, (unsigned long long)c->at);
}

/* ---- frames ---- */

/* Reads up to the next zero byte. Size without it; 0: end of file or damage. */
static size_t read_wire(full_chunks *c)
{
    size_t size = 0;
    for (;;) {
        if (size >= FRAME_MAX)
            return (size_t)full_fail(c, "the frame at byte %llu has no end", (unsigned long long)c->at);
        c->frame = memory_room(c->frame, size + PIECE - 1, &c->frame_max, 1);
        size_t room = c->frame_max - size;
        size_t got = fread(c->frame + size, 1, room, c->file);
        uint8_t *zero = memchr(c->frame + size, 0, got);
        if (zero) {
            size_t frame = (size_t)(zero - c->frame);
            size_t over = size + got - frame - 1;
            fseeko(c->file, -(off_t)over, SEEK_CUR);
            return frame;
        }
        size += got;
        if (ferror(c->file))
            return (size_t)full_fail(c, "it cannot be read at byte %llu: %s", (unsigned long long)c->at,
                                     strerror(errno));
        if (got < room)
            return size ? (size_t)full_fail(c, "cut in the frame that starts at byte %llu", (unsigned long long)c->at)
                        : 0;
    }
}

/* The next frame of kind FULL with the expected sequence number. */
static bool read_frame(full_chunks *c, weft_frame *frame)
{
    size_t size = read_wire(c);
    if (c->failed)
        return false;
    if (!size) {
        full_fail(c, "cut at byte %llu: there is no end record", (unsigned long long)c->at);
        return false;
    }
    weft_status status = weft_frame_open(frame, c->frame, size);
    if (status == WEFT_VERSION) {
        full_fail(c, "the frame at byte %llu is of version %u, which this build does not know",
                  (unsigned long long)c->at, frame->version);
        return false;
    }
    if (status == WEFT_OK && frame->kind != WEFT_FRAME_FULL) {
        full_fail(c, "the frame at byte %llu is of a recording with probes: a full one is wanted (weft capture --full)",
                  (unsigned long long)c->at);
        return false;
    }
    if (status != WEFT_OK || !frame->body_size) {
        full_fail(c, "the frame at byte %llu is damaged, or not of a full recording", (unsigned long long)c->at);
        return false;
    }
    if (frame->sequence != c->sequence++) {
        full_fail(c, "a frame is missing before byte %llu", (unsigned long long)c->at);
        return false;
    }
    if (c->chained && frame->lost != c->chain) {
        full_fail(c, "the frame at byte %llu does not follow the one before it: it is of another recording",
                  (unsigned long long)c->at);
        return false;
    }
    c->chain = frame_crc(frame);
    c->at += size + 1;
    return true;
}

/* ---- chunks ---- */

static bool split_chunk(full_chunks *c, const uint8_t *bytes, size_t size)
{
    weft_reader in;
    weft_reader_init(&in, bytes, size);
    c->instructions = weft_read_varint(&in);
    uint32_t sizes[FULL_COLUMNS];
    for (int i = 0; i < FULL_COLUMNS; i++)
        sizes[i] = weft_read_varint(&in);
    for (int i = 0; i < FULL_COLUMNS; i++) {
        const uint8_t *column = weft_read_bytes(&in, sizes[i]);
        if (!column)
            return full_fail_chunk(c, "");
        weft_reader_init(&c->columns[i], column, sizes[i]);
    }
    return true;
}

static bool open_chunk(full_chunks *c, weft_reader *body)
{
    uint64_t size = weft_read_varint64(body);
    if (body->status != WEFT_OK || size > CHUNK_MAX)
        return full_fail_chunk(c, "");
    if (size > c->chunk_max)
        c->chunk = memory_grow(c->chunk, c->chunk_max = size, 1);
    size_t packed = weft_reader_left(body);
    size_t got = ZSTD_decompressDCtx(c->unpacker, c->chunk, size, body->bytes + body->at, packed);
    if (ZSTD_isError(got) || got != size)
        return full_fail(c, "the chunk before byte %llu does not unpack", (unsigned long long)c->at);
    return split_chunk(c, c->chunk, size);
}

bool full_chunks_next(full_chunks *c)
{
    for (;;) {
        weft_frame frame;
        weft_reader body;
        if (c->failed || c->ended || !read_frame(c, &frame))
            return false;
        weft_reader_init(&body, frame.body, frame.body_size);
        uint8_t tag = weft_read_u8(&body);
        c->ended = tag == FULL_TAG_END;
        if (c->ended && c->at < c->bytes)
            return full_fail(c, "more follows the end record, at byte %llu: --recording N picks another recording",
                             (unsigned long long)c->at);
        if (tag == FULL_TAG_CHUNK)
            return open_chunk(c, &body);
    }
}

/* ---- opening ---- */

/* The first frame: lines key=value. */
static bool read_description(full_chunks *c)
{
    weft_frame frame;
    if (!read_frame(c, &frame))
        return false;
    if (frame.body[0] != FULL_TAG_DESCRIPTION)
        return full_fail(c, "it is a container, but not a full recording");
    char text[1024] = "";
    size_t size = frame.body_size - 1 < sizeof text - 1 ? frame.body_size - 1 : sizeof text - 1;
    memcpy(text, frame.body + 1, size);
    unsigned format = 0;
    for (char *save, *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        sscanf(line, "format=%u", &format);
        c->chained |= !strcmp(line, "chained=1");
        sscanf(line, "machine=%63s", c->machine);
    }
    return format == 1 || full_fail(c, "a full recording of format %u, which this build does not know", format);
}

static void read_totals(full_chunks *c, weft_reader *body)
{
    c->totals.instructions = weft_read_varint64(body);
    c->totals.accesses = weft_read_varint64(body);
    c->totals.exceptions = weft_read_varint64(body);
    c->totals.there = body->status == WEFT_OK;
}

/* The end record, if the last frame is one: the totals are then known from the start. */
static void read_tail(full_chunks *c)
{
    uint8_t tail[TAIL];
    size_t size = c->bytes < TAIL ? (size_t)c->bytes : TAIL;
    weft_frame frame;
    weft_reader body;
    off_t here = ftello(c->file);
    fseeko(c->file, (off_t)(c->bytes - size), SEEK_SET);
    bool read = fread(tail, 1, size, c->file) == size;
    fseeko(c->file, here, SEEK_SET);
    if (!read || tail[size - 1])
        return;
    uint8_t *before = memrchr(tail, 0, size - 1);
    if (!before || weft_frame_open(&frame, before + 1, (size_t)(tail + size - before) - 2) != WEFT_OK ||
        frame.kind != WEFT_FRAME_FULL)
        return;
    weft_reader_init(&body, frame.body, frame.body_size);
    if (weft_read_u8(&body) == FULL_TAG_END)
        read_totals(c, &body);
}

/* Where recording `number` begins, from 1, and where the next one does. */
static bool find_recording(full_chunks *c, const char *path, uint64_t number)
{
    whole_file whole;
    uint64_t found = 0, at = 0, from = 0;
    if (!whole_file_open(&whole, path))
        return full_fail(c, "%s", strerror(errno));
    while (found <= number && at < whole.size) {
        const uint8_t *head = memmem(whole.bytes + at, whole.size - at, WEFT_CONTAINER_HEAD, WEFT_CONTAINER_HEAD_SIZE);
        at = head ? (uint64_t)(head - whole.bytes) : whole.size;
        found += head != NULL;
        from = head && found == number ? at : from;
        if (!head || found > number)
            break;
        at += WEFT_CONTAINER_HEAD_SIZE - 1;
    }
    whole_file_close(&whole);
    if (found < number)
        return full_fail(c, "it holds %llu recording%s; it has no recording %llu", (unsigned long long)found,
                         found == 1 ? "" : "s", (unsigned long long)number);
    c->bytes = found > number ? at : c->bytes;
    c->at = from;
    return true;
}

bool full_chunks_open(full_chunks *c, const char *path)
{
    struct stat status;
    char head[WEFT_CONTAINER_HEAD_SIZE];
    if (stat(path, &status))
        return full_fail(c, "%s", strerror(errno));
    if (!S_ISREG(status.st_mode)) /* and a pipe is not opened: what is in it would be lost */
        return full_fail(c, "it is not a file on a disk");
    if (!(c->file = fopen(path, "rb")))
        return full_fail(c, "%s", strerror(errno));
    c->bytes = (uint64_t)status.st_size;
    if (recording_chosen() && !find_recording(c, path, recording_chosen()))
        return false;
    fseeko(c->file, (off_t)c->at, SEEK_SET);
    if (fread(head, 1, sizeof head, c->file) != sizeof head || memcmp(head, WEFT_CONTAINER_HEAD, sizeof head))
        return full_fail(c, "it is not a full recording, or its beginning is damaged");
    c->at += sizeof head;
    c->unpacker = memory_got(ZSTD_createDCtx());
    read_tail(c);
    return read_description(c);
}

void full_chunks_close(full_chunks *c)
{
    free(c->frame);
    free(c->chunk);
    ZSTD_freeDCtx(c->unpacker);
    if (c->file)
        fclose(c->file);
}
