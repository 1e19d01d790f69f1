/* SPDX-License-Identifier: MIT */
/* The numbers of a file's streams, as they are stored: a block is spread out when one of its numbers is asked for, and
 * kept while there is room. A stream that is WET_INFERRED has no numbers here: only the word layer (word.h) resolves
 * it. What is damaged reads as 0 and sets `damaged` of the file. */
#ifndef WEFT_TOOLS_LIB_WET_STREAM_H
#define WEFT_TOOLS_LIB_WET_STREAM_H

#include "tools/lib/wet/blocks.h"

/* Number `at` of a stream. */
uint32_t wet_stream_get(wet_file *f, uint32_t stream, uint32_t at);
/* `count` numbers from `at`. */
void wet_stream_read(wet_file *f, uint32_t stream, uint32_t at, uint32_t count, uint32_t *out);
/* Whether it is read by blocks: else each number stands for itself. */
bool wet_stream_has_blocks(const wet_file *f, uint32_t stream);
/* The numbers of a block, of a stream that has blocks; valid until `drops` changes. */
const uint32_t *wet_stream_block(wet_file *f, uint32_t stream, uint32_t block);

#endif
