/* SPDX-License-Identifier: MIT */
/* The binary form of a nest: a string of bits, the lowest of each byte first, filled up with zeros, and the low 16 bits
 * of the CRC-32 of all bytes before.
 *
 *     'W' 'L' 'N' 1                  four bytes
 *     gamma  length + 1              symbols of the expanded sequence
 *     gamma  alphabet + 1            distinct symbols, then each in rising order:
 *     gamma    symbol - last         the first: symbol + 1
 *     gamma  loops + 1               then each loop, inner ones before those that contain them:
 *     gamma    iterations - 1
 *     gamma    items
 *     index    each item             below alphabet: a symbol; else alphabet + number of a loop before this one
 *     gamma  items of the root + 1
 *     index  each item
 *
 * gamma is the Elias gamma code of a number from 1 on: k zeros, a one, and the k bits below the number's highest,
 * highest first. index is truncated binary for the numbers below max(2, alphabet + loops so far). */
#ifndef WEFT_TOOLS_LIB_LOOPS_BINARY_H
#define WEFT_TOOLS_LIB_LOOPS_BINARY_H

#include "tools/lib/loops/nest.h"

/* From malloc; *size bytes. */
uint8_t *nest_encode(const nest *n, size_t *size);
/* NULL, and what is wrong at which byte in `error`: the bytes are not a nest. */
nest *nest_decode(const uint8_t *bytes, size_t size, char error[160]);

#endif
