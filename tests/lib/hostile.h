/* SPDX-License-Identifier: MIT */
/* Streams that are hard on a search for repetitions. */
#ifndef WEFT_TESTS_LIB_HOSTILE_H
#define WEFT_TESTS_LIB_HOSTILE_H

#include <stddef.h>
#include <stdint.h>

enum {
    THUE_MORSE,
    FIBONACCI,
    EQUAL,
    RANDOM,
    ONE_EVERYWHERE,
    SQUARE_FREE,
    HOSTILE_TOO_DEEP,
    HOSTILE_NEARLY,
    HOSTILE_KINDS
};

/* The first `count` symbols, 2 at least, of the stream of a kind. */
void hostile(uint32_t *input, unsigned kind, size_t count);

#endif
