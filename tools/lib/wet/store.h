/* SPDX-License-Identifier: MIT */
/* All numbers that a debugger may ask for, in memory. A window of time needs a few numbers of some hundred blocks, each
 * decoded from its start, so a dozen windows of a long run cost as much as the whole file. Threads decode all of it
 * once, and keep each block with one, two or four bytes for a number: 100 to 130 MB for 100 million instructions.
 *
 *     wet_store_begin(f, bytes);    threads fill it from then on; readers of streams (stream.h) take what is there
 *     wet_store_end(f);             before the file is closed, or where its memory is needed
 *
 * Only the thread that owns the file calls these functions. The others read what the file was opened with, and note
 * nothing there but the blocks that they have made. A block that is damaged is left out: who asks for it finds
 * that. */
#ifndef WEFT_TOOLS_LIB_WET_STORE_H
#define WEFT_TOOLS_LIB_WET_STORE_H

#include <string.h>

#include "tools/lib/wet/blocks.h"

/* A block: each number minus the smallest one. */
typedef struct wet_stored {
    uint32_t least;
    uint32_t width; /* bytes of a number: 1, 2 or 4 */
    uint8_t bytes[];
} wet_stored;

/* Begins with timestamps, words and the edges of loads, then the other edges, of both the short streams first, up to
 * `max` bytes: on all cores, four at most. Nothing happens on one core, or for a file without check sums. */
void wet_store_begin(wet_file *f, uint64_t max);
/* Ends the threads and frees all blocks. Nothing happens where there are none. */
void wet_store_end(wet_file *f);
/* The threads begin no other block until they may go on: for those who need all cores. */
void wet_store_pause(wet_file *f, bool paused);
/* Waits until all are made: for tests. */
void wet_store_wait(wet_file *f);

/* A block of a coded stream; NULL: it is not there (yet). */
static inline const wet_stored *wet_store_block(const wet_stream *s, uint32_t block)
{
    wet_block *b = wet_stream_known(s, block);
    return b ? atomic_load_explicit(&b->stored, memory_order_acquire) : NULL;
}

/* A number of it. */
static inline uint32_t wet_stored_get(const wet_stored *b, uint32_t at)
{
    uint16_t two;
    uint32_t four;
    if (b->width == 1)
        return b->least + b->bytes[at];
    if (b->width == 2) {
        memcpy(&two, b->bytes + 2 * (size_t)at, 2);
        return b->least + two;
    }
    memcpy(&four, b->bytes + 4 * (size_t)at, 4);
    return b->least + four;
}

/* `count` numbers from `at`. */
void wet_stored_read(const wet_stored *b, uint32_t at, uint32_t count, uint32_t *out);

#endif
