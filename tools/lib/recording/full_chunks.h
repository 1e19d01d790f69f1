/* SPDX-License-Identifier: MIT */
/* The frames of a full recording (tools/qemu/FULL.md), chunk by chunk, each unpacked into its columns. The lower half
 * of the reader in full.h. */
#ifndef WEFT_TOOLS_LIB_RECORDING_FULL_CHUNKS_H
#define WEFT_TOOLS_LIB_RECORDING_FULL_CHUNKS_H

#include <stdio.h>

#include "core/frame.h"
#include "tools/lib/image/compared.h"
#include "tools/lib/recording/full_format.h"

struct ZSTD_DCtx_s;

/* The end record. */
typedef struct full_totals {
    bool there;
    uint64_t instructions, accesses, exceptions;
} full_totals;

typedef struct full_chunks {
    FILE *file;
    uint64_t bytes, at; /* size of the file; where the next frame starts */
    uint8_t *frame, *chunk;
    size_t frame_max, chunk_max;
    uint32_t sequence;
    uint32_t chain; /* of the last frame: the next one names it, */
    bool chained;   /* if the recording is not of an older build */
    struct ZSTD_DCtx_s *unpacker;
    char machine[64]; /* from the first frame */
    full_totals totals;
    bool ended, failed;
    char error[160];

    /* The chunk that is open: */
    weft_reader columns[FULL_COLUMNS];
    uint32_t instructions;
} full_chunks;

/* Opens a file into an object that is all zero, and reads its first and its last frame. False: see chunks->error. To be
 * closed in both cases. */
bool full_chunks_open(full_chunks *chunks, const char *path);
void full_chunks_close(full_chunks *chunks);
/* Opens the next chunk. False: the end, or damage (chunks->failed). */
bool full_chunks_next(full_chunks *chunks);

/* Keeps the first message; returns false. */
bool full_fail(full_chunks *chunks, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Fails, whatever failed before, unless the image fits; returns whether it does. */
bool full_fail_image(full_chunks *chunks, const compared_image *fits);
/* The same as full_fail about the chunk that is open: "a note" in "the chunk before byte N is damaged". */
bool full_fail_chunk(full_chunks *chunks, const char *what);

#endif
