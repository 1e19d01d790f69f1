/* SPDX-License-Identifier: MIT */
/* A table of words of memory, by number (address / 4), with the bytes of each that are known. */
#ifndef WEFT_TOOLS_LIB_DEBUG_WORDS_H
#define WEFT_TOOLS_LIB_DEBUG_WORDS_H

#include <stdint.h>

typedef struct debug_word {
    uint32_t number; /* 0xffffffff: a free place */
    uint32_t value;
    uint8_t mask; /* known bytes; the others are 0 */
} debug_word;

/* Start with {0}. */
typedef struct debug_words {
    debug_word *places;
    uint32_t room, count; /* room: a power of two */
} debug_words;

/* NULL: not in the table. Valid until the next word is added. */
debug_word *debug_words_find(const debug_words *w, uint32_t number);
/* Adds a word that is not in it. */
debug_word *debug_words_add(debug_words *w, uint32_t number);
void debug_words_free(debug_words *w);

#endif
