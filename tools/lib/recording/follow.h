/* SPDX-License-Identifier: MIT */
/* A recording that arrives piece by piece, as from a UART: bytes in, whole frames out, counts on the way. Memory is
 * that of the longest frame.
 *
 *     follow f;
 *     follow_begin(&f, out, notice, own);          out: gets a container
 *     follow_bytes(&f, bytes, size);               as they come
 *     follow_cut(&f);                              the connection ended: what is unfinished is left out
 *     follow_end(&f);                              likewise; frees
 *
 * Frames are told apart as index.c does it, but in the order in which they come: a frame that comes late counts as
 * missing until then. Exact gaps are those of the container that was written (container.h). */
#ifndef WEFT_TOOLS_LIB_RECORDING_FOLLOW_H
#define WEFT_TOOLS_LIB_RECORDING_FOLLOW_H

#include <stdio.h>

#include "tools/lib/recording/frames.h"
#include "tools/lib/recording/tally.h"

/* A longer piece without a zero byte is not a frame: it is dropped. */
#define FOLLOW_PIECE_MAX ((size_t)16 << 20)

typedef enum follow_event {
    FOLLOW_STARTED, /* a recording's first frame that came; `frame` is set */
    FOLLOW_JOINED,  /* it came in the middle: `count` frames were before it */
    FOLLOW_MISSING, /* `count` frames did not come, or came late; `lost` events in them */
    FOLLOW_LOST,    /* the recorder lost `lost` events */
    FOLLOW_DAMAGED, /* `count` bytes that are not a frame */
    FOLLOW_LEFT,    /* `count` bytes at the end or after a cut, of a frame that is not whole: left out of the file */
    FOLLOW_ENDED    /* the recording's end record came */
} follow_event;

typedef struct follow_notice {
    follow_event event;
    uint64_t count, lost;
    const weft_frame *frame; /* FOLLOW_STARTED */
} follow_notice;

typedef struct follow {
    FILE *out;
    void (*notice)(void *own, const follow_notice *what);
    void *own;
    tally counts;
    uint64_t bytes, lost, left_out; /* bytes: of the file so far */
    uint32_t recordings;
    uint64_t frames, damaged; /* pieces that are frames, and that are not */
    bool ended;               /* the last recording, by its end record */

    uint8_t *piece; /* bytes since the last zero byte */
    size_t size, max;
    bool headless; /* the start of the piece may be missing: nothing came, or the connection was cut */
    bool tail;     /* the piece is beyond FOLLOW_PIECE_MAX: its rest is dropped too */

    uint8_t *last; /* the last TRACE frame as it stands in the file, with its zero byte */
    size_t last_size, last_max;
    bool open;                        /* of the recording that runs: */
    bool fresh;                       /* a head came, and no frame since */
    uint32_t identity, run, sequence; /* sequence: the next */
    uint8_t version;
    weft_counts expected;
} follow;

void follow_begin(follow *f, FILE *out, void (*notice)(void *own, const follow_notice *what), void *own);
void follow_bytes(follow *f, const uint8_t *bytes, size_t size);
void follow_cut(follow *f);
void follow_end(follow *f);

#endif
