/* SPDX-License-Identifier: MIT */
/* Reads blocks of 32-bit numbers as format versions 5 and 6 of whole execution traces have them: each coded bit by bit
 * by how likely it is after those before it. Later ones are coded blocks (coded.h).
 *
 * Each number is predicted by up to three tables: A by a long context, B by a short one, C (not of symbols) by the last
 * two strides. Each prediction that differs from those before it costs a decision (was it right?), whose probability is
 * mixed from three counters. If all are wrong, the number itself follows. Three shapes of block say how:
 *
 *     SQUEEZE_WORDS    its count of significant bits, then these bits
 *     SQUEEZE_STRIDES  the same of its zigzag difference to the number before
 *     SQUEEZE_SYMBOLS  all are below 256: eight decisions, mixed from counters of 0, 1 and 2 numbers before
 *
 *     u8       shape
 *     bytes    the arithmetic code
 *
 * What is read beyond the end of the bytes is 0. There is no check sum: the file that holds the blocks has one. */
#ifndef WEFT_TOOLS_LIB_SQUEEZE_MIX_H
#define WEFT_TOOLS_LIB_SQUEEZE_MIX_H

#include <stdbool.h>

#include "tools/lib/squeeze/bytes.h"

enum { SQUEEZE_WORDS, SQUEEZE_STRIDES, SQUEEZE_SYMBOLS, SQUEEZE_SHAPES };

/* The work space: each thread has its own. 2.5 MB. */
typedef struct squeeze_mixer squeeze_mixer;
squeeze_mixer *squeeze_mixer_new(void);
void squeeze_mixer_free(squeeze_mixer *mixer);

/* Reads the `count` numbers of the block that `size` bytes hold. False: it is not one. */
bool squeeze_unmix(squeeze_mixer *mixer, const uint8_t *bytes, size_t size, uint32_t *values, size_t count);

#endif
