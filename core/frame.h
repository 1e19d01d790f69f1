/* SPDX-License-Identifier: MIT */
/* Frames: the unit in which a recording leaves the target. A frame is a head (version, kind, sequence number, events
 * lost so far, time), a body that its kind defines, and a CRC-32 of both; on the wire it is COBS coded and ended by a
 * zero byte, so that a reader finds the next frame after any damage. core/FORMAT.md specifies the bytes. */
#ifndef WEFT_CORE_FRAME_H
#define WEFT_CORE_FRAME_H

#include "core/bytes.h"

/* The version that this build writes and reads. */
#define WEFT_FORMAT_VERSION 1u

typedef enum weft_frame_kind {
    WEFT_FRAME_META = 1,    /* what is recorded, and how: weft_meta_key fields */
    WEFT_FRAME_TRACE = 2,   /* an interval of paths, accesses and values */
    WEFT_FRAME_PROFILE = 3, /* a k-slab forest */
    WEFT_FRAME_STATS = 4,   /* totals, at the end of a recording: weft_stats_key fields */
    WEFT_FRAME_FULL = 5,    /* an interval of a whole execution, as the emulator sees it */
} weft_frame_kind;

/* Fields of META and STATS frames. A field is a varint key and a value: a varint when the key is even, a varint size and
 * so many bytes when it is odd. Readers skip keys that they do not know. */
typedef enum weft_meta_key {
    WEFT_META_CLOCK_HZ = 2,      /* ticks a second of the frames' times; 0 or absent: unknown */
    WEFT_META_PROBES = 4,        /* weft_probes bits */
    WEFT_META_CONTROL_CODER = 6, /* weft_control_coder_id */
    WEFT_META_BUS_CODER = 8,     /* weft_bus_coder_id */
    WEFT_META_FRAME_SIZE = 10,   /* bytes of the frame buffer */
    WEFT_META_SLOTS = 12,        /* last-address slots */
    WEFT_META_VALUE_SLOTS = 14,  /* last-value slots */
    WEFT_META_KSF_K = 16,        /* iterations of the k-slab forest; absent: none */
    WEFT_META_BUILD_ID = 1,      /* bytes of the ELF's build id */
    WEFT_META_NOTE = 3,          /* text of the firmware's author, UTF-8 */
} weft_meta_key;

typedef enum weft_stats_key {
    WEFT_STATS_PATHS = 2, /* events since the start, lost ones included */
    WEFT_STATS_ACCESSES = 4,
    WEFT_STATS_VALUES = 6,
    WEFT_STATS_LOST_PATHS = 8, /* events that the sink could not take */
    WEFT_STATS_LOST_ACCESSES = 10,
    WEFT_STATS_LOST_VALUES = 12,
    WEFT_STATS_FRAMES = 14,           /* frames that the sink took before this one */
    WEFT_STATS_REFUSED = 16,          /* writes that the sink refused */
    WEFT_STATS_SWITCHES = 18,         /* changes of context */
    WEFT_STATS_FRAME_HIGH = 20,       /* most bytes of the frame buffer ever used */
    WEFT_STATS_FRAME_SIZE = 22,       /* bytes of the frame buffer */
    WEFT_STATS_CODER_HIGH = 24,       /* control coder: most pool elements in use at once */
    WEFT_STATS_CODER_MAX = 26,        /* ... of so many */
    WEFT_STATS_CODER_RULES_HIGH = 28, /* a second pool of the control coder, if it has one */
    WEFT_STATS_CODER_RULES_MAX = 30,
    WEFT_STATS_KSF_HIGH = 32, /* k-slab forest: nodes */
    WEFT_STATS_KSF_MAX = 34,
    WEFT_STATS_TRE_HIGH = 36, /* address engines lent */
    WEFT_STATS_TRE_MAX = 38,
    WEFT_STATS_TRE_TAKEN = 40, /* accesses that went through an engine */
} weft_stats_key;

typedef struct weft_frame {
    uint8_t version;
    uint8_t kind;      /* weft_frame_kind; readers pass over kinds that they do not know */
    uint32_t sequence; /* counts the frames of a recording, of all kinds, from 0, modulo 2^32 */
    uint64_t lost;     /* events that the recorder lost before the start of this frame's interval */
    uint64_t time;     /* ticks when the frame was closed */
    const uint8_t *body;
    size_t body_size;
} weft_frame;

/* The six bytes at the start of a container file. */
#define WEFT_CONTAINER_HEAD "\0WEFT"
#define WEFT_CONTAINER_HEAD_SIZE 6u

#define WEFT_FRAME_HEAD_MAX (2u + WEFT_VARINT32_MAX + 2u * WEFT_VARINT64_MAX)
#define WEFT_FRAME_CRC_SIZE 4u
/* Head, body and CRC are built this far from the start of a buffer and coded in place. */
#define WEFT_FRAME_SHIFT(content_max) WEFT_COBS_SHIFT(content_max)
/* Bytes on the wire of at most content_max bytes of head, body and CRC. */
#define WEFT_FRAME_WIRE_MAX(content_max) (WEFT_COBS_MAX(content_max) + 1u)

/* Writes version, kind, sequence, lost and time of `frame`; the body follows. */
void weft_frame_head(weft_writer *writer, const weft_frame *frame);

/* Ends a frame. Its head and body, `size` bytes, lie at bytes + shift, with room for the CRC behind them and shift at
 * least WEFT_FRAME_SHIFT(size + WEFT_FRAME_CRC_SIZE). Afterwards the wire form lies at bytes; its size is returned. */
size_t weft_frame_seal(uint8_t *bytes, size_t shift, size_t size);

/* The same from pieces that lie apart. Piece i must not lie before bytes + shift + the sizes of the pieces before it, but
 * for pieces outside of the buffer. */
typedef struct weft_frame_piece {
    const uint8_t *bytes;
    size_t size;
} weft_frame_piece;
size_t weft_frame_seal_pieces(uint8_t *bytes, const weft_frame_piece *pieces, size_t count);

/* Opens the wire form without its zero byte: decodes it in place and fills `frame`, whose body points into `bytes`.
 * WEFT_CORRUPT: not COBS, too short, or the CRC is wrong. WEFT_VERSION: a sound frame of another version (only `version`
 * is filled). `bytes` is overwritten in every case. */
weft_status weft_frame_open(weft_frame *frame, uint8_t *bytes, size_t size);

#endif
