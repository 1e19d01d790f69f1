/* SPDX-License-Identifier: MIT */
/* Blocks of numbers, compressed with the bidirectional predictors of core/bfcm, as bytes of a file; and cursors on
 * them.
 *
 * A block holds the predictor's state with the cursor at its start: its flags as sparse bits, the misses in the order
 * in which they will be needed, and for FCM the rows of the table that are not 0. Opening a block spreads these three
 * over arrays. No value is decoded until the cursor moves. All bytes are checked: a damaged block cannot be opened.
 *
 *     u8       version and kind (block.h)
 *     u8       context
 *     u8       log2 of the rows of the table
 *     varint   count of values
 *     varint   size of the payload before compression
 *     varint   size of the payload as it follows: zstd, if it is smaller than before
 *     u32      CRC-32 of the payload before compression; little-endian
 *     bytes    payload: sparse bits, words, and for FCM sparse bits and words (words.h) */
#ifndef WEFT_TOOLS_LIB_SQUEEZE_SQUEEZE_H
#define WEFT_TOOLS_LIB_SQUEEZE_SQUEEZE_H

#include "core/bfcm.h"
#include "tools/lib/squeeze/bytes.h"

#define SQUEEZE_BLOCK_MAX (1u << 20) /* values of a block */

/* The predictor that a stream is coded with. */
typedef struct squeeze_choice {
    weft_bfcm_method method;
    uint8_t context;
} squeeze_choice;

/* The work space of packing: each thread has its own. */
typedef struct squeeze_packer squeeze_packer;
squeeze_packer *squeeze_packer_new(void);
void squeeze_packer_free(squeeze_packer *packer);

/* The method that is best for a prefix of a stream. All are tried. */
squeeze_choice squeeze_choose32(squeeze_packer *packer, const uint32_t *values, size_t count);
squeeze_choice squeeze_choose64(squeeze_packer *packer, const uint64_t *values, size_t count);

/* Appends one block of 1 .. SQUEEZE_BLOCK_MAX values. */
void squeeze_pack32(squeeze_packer *packer, squeeze_bytes *out, squeeze_choice choice, const uint32_t *values,
                    size_t count);
void squeeze_pack64(squeeze_packer *packer, squeeze_bytes *out, squeeze_choice choice, const uint64_t *values,
                    size_t count);

/* A cursor on one block. */
typedef struct squeeze_cursor {
    bool wide; /* 64-bit values: use wide_bfcm */
    weft_bfcm bfcm;
    weft_bfcm64 wide_bfcm;
    void *memory;
} squeeze_cursor;

/* Opens the block at the start of `bytes`, and sets *used to its size. WEFT_CORRUPT or WEFT_VERSION: there is nothing
 * to close. */
weft_status squeeze_open(squeeze_cursor *cursor, const uint8_t *bytes, size_t size, size_t *used);
void squeeze_close(squeeze_cursor *cursor);
size_t squeeze_count(const squeeze_cursor *cursor);
/* Up to `steps` values in that direction, widened to 64 bits; how many there were. */
size_t squeeze_forward(squeeze_cursor *cursor, uint64_t *out, size_t steps);
size_t squeeze_backward(squeeze_cursor *cursor, uint64_t *out, size_t steps);

#endif
