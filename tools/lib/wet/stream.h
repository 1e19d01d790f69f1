/* SPDX-License-Identifier: MIT */
/* The numbers of a file's streams, as they are stored: a block is spread out when one of its numbers is asked for, and
 * kept while there is room. A stream that is WET_INFERRED has no numbers here: only the word layer (word.h) resolves
 * it. What is damaged reads as 0 and sets `damaged` of the file. */
#ifndef WEFT_TOOLS_LIB_WET_STREAM_H
#define WEFT_TOOLS_LIB_WET_STREAM_H

#include "tools/lib/wet/file.h"

/* The place of a number in its block. */
static inline uint32_t wet_block_mask(const wet_file *f)
{
    return (UINT32_C(1) << f->block_bits) - 1;
}

/* Number `at` of a stream. */
uint32_t wet_stream_get(wet_file *f, uint32_t stream, uint32_t at);
/* `count` numbers from `at`. */
void wet_stream_read(wet_file *f, uint32_t stream, uint32_t at, uint32_t count, uint32_t *out);
/* Whether it is read by blocks: else each number stands for itself. */
bool wet_stream_has_blocks(const wet_file *f, uint32_t stream);
/* The numbers of a block, of a stream that has blocks; valid until `drops` changes. */
const uint32_t *wet_stream_block(wet_file *f, uint32_t stream, uint32_t block);
/* The same if it is kept, else NULL. */
static inline const uint32_t *wet_stream_kept(const wet_stream *s, uint32_t block)
{
    return s->blocks ? s->blocks[block] : NULL;
}

/* Keeps the numbers of a block (from malloc, taken over) and returns them. */
const uint32_t *wet_stream_keep(wet_file *f, uint32_t stream, uint32_t block, uint32_t *words);
/* How many numbers a block has. */
uint32_t wet_stream_block_size(const wet_file *f, const wet_stream *s, uint32_t block);
/* How many blocks a stream has. */
static inline uint32_t wet_stream_block_count(const wet_file *f, const wet_stream *s)
{
    return (uint32_t)((s->count + (UINT64_C(1) << f->block_bits) - 1) >> f->block_bits);
}

/* Compares the check sums of `size` bytes of the file's data; sets `damaged` of the file where they differ. */
void wet_stream_check(wet_file *f, const uint8_t *data, size_t size);
/* Frees all blocks that are kept. */
void wet_stream_drop(wet_file *f);

#endif
