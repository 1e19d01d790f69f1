/* SPDX-License-Identifier: MIT */
/* Blocks of 32-bit numbers, coded bit by bit by how likely each is after those before it: smaller than those of the
 * bidirectional predictors (squeeze.h), and quicker to read than mixed blocks (mix.h), but read from start to end only.
 *
 * Each number is predicted by up to three tables: A by a long context, B by a short one, C (not of symbols) by the last
 * two strides. Each prediction that differs from those before it costs a decision (was it right?), whose probability
 * follows from how often that entry, and the last two decisions, were right. If all are wrong, the number itself
 * follows. Three shapes of block say how:
 *
 *     SQUEEZE_WORDS    its count of significant bits, then these bits
 *     SQUEEZE_STRIDES  the same of its zigzag difference to the number before
 *     SQUEEZE_SYMBOLS  all are below 256: eight decisions, mixed from counters of 0, 1 and 2 numbers before
 *
 *     u8       shape (mix.h)
 *     bytes    the arithmetic code
 *
 * What is read beyond the end of the bytes is 0. There is no check sum: the file that holds the blocks has one. */
#ifndef WEFT_TOOLS_LIB_SQUEEZE_CODED_H
#define WEFT_TOOLS_LIB_SQUEEZE_CODED_H

#include <stdbool.h>

#include "tools/lib/squeeze/bytes.h"

/* The work space: each thread has its own. 1.2 MB. */
typedef struct squeeze_coder squeeze_coder;
squeeze_coder *squeeze_coder_new(void);
void squeeze_coder_free(squeeze_coder *coder);

/* Appends a block of `count` numbers. */
void squeeze_encode(squeeze_coder *coder, squeeze_bytes *out, const uint32_t *values, size_t count);
/* Reads the `count` numbers of the block that `size` bytes hold. False: it is not one. */
bool squeeze_decode(squeeze_coder *coder, const uint8_t *bytes, size_t size, uint32_t *values, size_t count);
/* Reads only the `first` ones of them, first <= count. */
bool squeeze_decode_first(squeeze_coder *coder, const uint8_t *bytes, size_t size, size_t count, uint32_t *values,
                          size_t first);

#endif
