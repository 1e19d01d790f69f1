/* SPDX-License-Identifier: MIT */
/* The frames of a container in the order in which they were recorded, and where each stands in the file. Inside
 * container.c; others read containers through container.h. */
#ifndef WEFT_TOOLS_LIB_RECORDING_INDEX_H
#define WEFT_TOOLS_LIB_RECORDING_INDEX_H

#include "tools/lib/recording/frames.h"
#include "tools/lib/recording/gaps.h"

typedef struct frame_entry {
    uint64_t offset; /* of its first byte in the file */
    uint32_t size;   /* on the wire, without the zero byte */
    uint32_t sequence;
    uint32_t recording;     /* 0, 1...: the recordings of the file, one after the other */
    uint32_t crc;           /* equal if the frame was written twice; a new recording has another first frame */
    uint32_t order;         /* its place among the frames of the file */
    uint32_t identity, run; /* 0: none, in frames of version 1 */
    uint8_t kind;
    uint8_t version;
    bool after_gap; /* events may be missing between the frame of its kind before it and this one */
} frame_entry;

/* The body of the last frame of a kind; NULL: there is none. From malloc. */
typedef struct kept_body {
    uint8_t *bytes;
    size_t size;
} kept_body;

typedef struct frame_index {
    const uint8_t *bytes; /* the file, which must outlive the index */
    uint64_t size;
    frame_entry *frames;
    size_t count, max;
    size_t recordings;
    gap_list gaps; /* damage and frames of other versions, in the order of the file */
    kept_body meta, stats;
    uint64_t packs;    /* records of several paths each; losses_find counts them */
    frame_entry *pack; /* frames that say what these hold: of all recordings, also where one is chosen */
    size_t pack_count;
} frame_index;

/* Fills an index that is all zero. No frames: it is not a container. */
void index_build(frame_index *index, const uint8_t *bytes, uint64_t size);
/* An index of recording `number` of another one, from 0, which there is. Of the gaps, those from its first frame to the
 * next recording. For index_free; the bytes must outlive it. */
frame_index index_part(const frame_index *all, uint32_t number);
/* The first frame of a recording from `number` on: they are in order. */
size_t index_first_of(const frame_index *index, size_t number);
void index_free(frame_index *index);
/* Reads frame `number` into *buffer (from malloc, grown as needed). */
void index_read(const frame_index *index, size_t number, container_frame *frame, uint8_t **buffer);
void index_read_at(const frame_index *index, const frame_entry *entry, container_frame *frame, uint8_t **buffer);

#endif
