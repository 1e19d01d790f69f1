/* SPDX-License-Identifier: MIT */
/* Frames: the unit in which a recording leaves the target. A frame is a head (version, kind, sequence number, events
 * lost so far, time, identity of the image, run), a body that its kind defines, and a check sum of both. On the wire it
 * is COBS coded and ended by a zero byte: a reader finds the next frame after any damage. core/FORMAT.md specifies the
 * bytes. */
#ifndef WEFT_CORE_FRAME_H
#define WEFT_CORE_FRAME_H

#include "core/bytes.h"
#include "core/format.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_frame {
    uint8_t version;
    uint8_t kind;      /* weft_frame_kind; readers skip kinds that they do not know */
    uint32_t sequence; /* counts the frames of a recording, of all kinds, from 0, modulo 2^32 */
    uint64_t lost;     /* events that the recorder lost before the start of this frame's interval */
    uint64_t time;     /* ticks when the frame was closed */
    uint32_t identity; /* of the image that runs (version 2); 0: not known */
    uint32_t run;      /* tells the recordings of a device apart (version 2); 0 in version 1 */
    const uint8_t *body;
    size_t body_size;
} weft_frame;

#define WEFT_FRAME_HEAD_MAX (2u + 2u * WEFT_VARINT32_MAX + 2u * WEFT_VARINT64_MAX + 4u)
#define WEFT_FRAME_CHECK_SIZE 4u
/* Distance from the start of a buffer at which head, body and check are built, so that they can be coded in place. */
#define WEFT_FRAME_SHIFT(content_max) WEFT_COBS_SHIFT(content_max)
/* Most bytes on the wire of content_max bytes of head, body and check. */
#define WEFT_FRAME_WIRE_MAX(content_max) (WEFT_COBS_MAX(content_max) + 1u)

/* The parts of a head, in their order. */
static inline void weft_frame_start(weft_writer *writer, uint8_t version, uint8_t kind, uint32_t sequence)
{
    weft_write_u8(writer, version);
    weft_write_u8(writer, kind);
    weft_write_varint(writer, sequence);
}

static inline void weft_frame_moment(weft_writer *writer, uint64_t lost, uint64_t time)
{
    weft_write_varint64(writer, lost);
    weft_write_varint64(writer, time);
}

static inline void weft_frame_origin(weft_writer *writer, uint32_t identity, uint32_t run)
{
    weft_write_u32(writer, identity);
    weft_write_varint(writer, run);
}

/* Writes all of `frame` but its body, which follows. Version 1 has no identity and no run. */
void weft_frame_head(weft_writer *writer, const weft_frame *frame);

/* Writes a field of a META or STATS frame whose key is even. */
void weft_write_field(weft_writer *writer, uint32_t key, uint64_t value);

/* Ends a frame. Its head and body, `size` bytes, lie at bytes + shift, with room for the check after them; shift is at
 * least WEFT_FRAME_SHIFT(size + WEFT_FRAME_CHECK_SIZE). Afterwards the wire form lies at bytes. Returns its size. */
size_t weft_frame_seal(uint8_t *bytes, size_t shift, size_t size);

/* A part of a frame's head and body. */
typedef struct weft_frame_piece {
    const uint8_t *bytes;
    size_t size;
} weft_frame_piece;
/* As weft_frame_seal, from `count` pieces that lie apart, in order. A piece in the buffer must not begin before
 * bytes + shift + the sizes of the pieces before it. */
size_t weft_frame_seal_pieces(uint8_t *bytes, const weft_frame_piece *pieces, size_t count);

/* The check sum of a frame's head and body, of at least one byte: which one, its version says. */
uint32_t weft_frame_check(const uint8_t *content, size_t size);

/* Opens the wire form, of versions 1 to 3, given without its zero byte: decodes it in place and fills `frame`, whose
 * body points into `bytes`. WEFT_CORRUPT: not COBS, too short, or the sum is wrong. WEFT_VERSION: a sound frame of
 * another version; only `version` is filled. `bytes` is overwritten in every case. */
weft_status weft_frame_open(weft_frame *frame, uint8_t *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
