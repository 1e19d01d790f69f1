/* SPDX-License-Identifier: MIT */
/* Blocks of numbers that are decoded and kept while there is room, and the check sums of what they are decoded from.
 * What stream.c and begun.c share; all others go through stream.h. */
#ifndef WEFT_TOOLS_LIB_WET_BLOCKS_H
#define WEFT_TOOLS_LIB_WET_BLOCKS_H

#include <stdatomic.h>

#include "tools/lib/wet/file.h"

/* The place of a number in its block. */
static inline uint32_t wet_block_mask(const wet_file *f)
{
    return (UINT32_C(1) << f->block_bits) - 1;
}

/* What is noted of a block. */
enum { WET_NOT_ASKED, WET_ASKED, WET_DROPPED };

/* The blocks of a stream, and one more. Made when a thread first asks; any thread may. */
wet_block *wet_stream_blocks(const wet_file *f, wet_stream *s);
/* The bytes of one of them, and how many. */
const uint8_t *wet_stream_bytes(const wet_file *f, wet_stream *s, uint32_t block, size_t *size);

/* The same block; NULL: none of the stream was asked for. */
static inline wet_block *wet_stream_known(const wet_stream *s, uint32_t block)
{
    wet_block *blocks = atomic_load_explicit(&s->blocks, memory_order_acquire);
    return blocks ? &blocks[block] : NULL;
}

/* The numbers of a block if they are kept, else NULL; valid until `drops` changes. */
static inline const uint32_t *wet_stream_kept(const wet_stream *s, uint32_t block)
{
    wet_block *b = wet_stream_known(s, block);
    if (!b || !b->words)
        return NULL;
    b->lately = WET_ASKED;
    return b->words;
}

/* Keeps the numbers of a block (from malloc, taken over) and returns them. */
const uint32_t *wet_stream_keep(wet_file *f, uint32_t stream, uint32_t block, uint32_t *words);
/* Keeps its first `count` numbers (begun.h; from malloc, taken over). */
void wet_begun_keep(wet_file *f, uint32_t stream, uint32_t block, uint32_t *words, uint32_t count);
/* How many numbers a block has. */
uint32_t wet_stream_block_size(const wet_file *f, const wet_stream *s, uint32_t block);
/* How many blocks a stream has. */
static inline uint32_t wet_stream_block_count(const wet_file *f, const wet_stream *s)
{
    return (uint32_t)((s->count + (UINT64_C(1) << f->block_bits) - 1) >> f->block_bits);
}

/* Compares the check sums of `size` bytes of the file's data; sets `damaged` of the file where they differ. */
void wet_stream_check(wet_file *f, const uint8_t *data, size_t size);
/* The file is read once, in the order of time: few blocks are kept, as long as nearly each is decoded once. */
void wet_blocks_in_order(wet_file *f);
/* Drops blocks until at most `bytes` are kept. */
void wet_blocks_shrink(wet_file *f, uint64_t bytes);
/* Frees all that is kept, when the file is closed. */
void wet_blocks_free(wet_file *f);

#endif
