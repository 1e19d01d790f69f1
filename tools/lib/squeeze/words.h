/* SPDX-License-Identifier: MIT */
/* The parts of a block as bytes: sparse bits, and words most of which are small.
 *
 * Sparse bits: the bytes that are not 0, before them a map of which bytes those are, before that a map of the map's
 * bytes that are not 0, and so on up to a map of one byte. Their sizes follow from the number of bytes.
 *
 *     12 bytes, 80 at 3 and 11 at 9, else 0:    03 | 08 02 | 80 11
 *     bits 3 and 9 of the map are set: 08 02; both bytes of the map are not 0: 03
 *
 * Words: a varint count; a byte for the map that makes them small (as they are, signed, or differences); per word a
 * nibble, its number of bytes; the lowest bytes of all words that have one, then their next bytes, and so on.
 *
 *     1000 1004 1008 1300:    04 | 02 | 12 21 | d1 09 09 49 | 07 02
 *     map 2, differences: 1 + zigzag of each is 7d1 9 9 249; so they have 2, 1, 1 and 2 bytes, low nibbles first */
#ifndef WEFT_TOOLS_LIB_SQUEEZE_WORDS_H
#define WEFT_TOOLS_LIB_SQUEEZE_WORDS_H

#include "core/bytes.h"
#include "tools/lib/squeeze/bytes.h"

/* Appends `size` bytes of sparse bits. */
void bits_pack(squeeze_bytes *out, const uint8_t *bits, size_t size);
/* Reads them into `size` bytes that are 0. */
void bits_unpack(weft_reader *reader, uint8_t *bits, size_t size);

/* Appends `count` words of `width` bits, 32 or 64. */
void words_pack(squeeze_bytes *out, const uint64_t *words, size_t count, unsigned width);

typedef void put_word(void *context, size_t index, uint64_t word);
/* Gives words to `put` and returns how many. More than `most`, or damage: reader->status is WEFT_CORRUPT, and 0. */
size_t words_unpack(weft_reader *reader, size_t most, unsigned width, put_word *put, void *context);

#endif
