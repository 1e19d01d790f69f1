/* SPDX-License-Identifier: MIT */
/* Blocks of coded streams that other threads decode before they are asked for. For one who reads most of a file in the
 * order of time and knows which streams: a list says which blocks, and about when. It need not be right. A block that
 * is asked for too early is decoded by who asks; one that is never asked for has cost time. The numbers are the same.
 *
 * Only the thread that owns the file calls these functions; the others read the streams' bytes and nothing else. */
#ifndef WEFT_TOOLS_LIB_WET_AHEAD_H
#define WEFT_TOOLS_LIB_WET_AHEAD_H

#include "tools/lib/wet/file.h"

typedef struct wet_ahead_block {
    uint32_t stream, block; /* of a coded stream, each block once */
    uint32_t when;          /* a timestamp */
} wet_ahead_block;

/* Begins with `count` blocks (from malloc, taken over; put in order of time). The file has it from then on, unless
 * there is one core only, or no block. The file had none. */
void wet_ahead_begin(wet_file *f, wet_ahead_block *blocks, size_t count);
/* The numbers of a block, from malloc, the caller's; waits where they are being decoded. NULL: decode it yourself. */
uint32_t *wet_ahead_take(wet_file *f, uint32_t stream, uint32_t block);
/* Blocks that were needed before `time`, if at all, count as those that the file keeps: there is room for others. */
void wet_ahead_pass(wet_file *f, uint32_t time);
/* Ends the threads. Blocks that are decoded are dropped. Nothing happens where the file has none. */
void wet_ahead_end(wet_file *f);

#endif
