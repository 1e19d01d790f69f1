/* SPDX-License-Identifier: MIT */
/* A number that somebody looks for among what was stored. One rule for every store: the number, signed or unsigned,
 * must fit the width of the store; then its bytes are compared. So -1 is found in a byte 0xff and 511 is not.
 * A number with a decimal point or an exponent is a float in a store of 4 bytes, and a double in one of 8.
 * Private to the room. */
#ifndef WEFT_TOOLS_LIB_DEBUG_SOUGHT_H
#define WEFT_TOOLS_LIB_DEBUG_SOUGHT_H

#include <stdbool.h>
#include <stdint.h>

/* What is said of a text that is no such number. */
#define DEBUG_SOUGHT_TEXT "find takes a number of up to 64 bits, such as -1, 0x1ff or 21.5\n"

typedef struct debug_sought {
    uint64_t bits;                     /* as 8 bytes are stored */
    uint32_t single;                   /* a float's bits; else unused */
    bool is_float, is_large, negative; /* is_large: too large for a float */
} debug_sought;

/* False: the text is not a number of up to 64 bits. */
bool debug_sought_parse(const char *text, debug_sought *s);
/* Whether a store of `size` bytes stored it. Of `value` only its low `size` bytes count. */
bool debug_sought_is(const debug_sought *s, uint64_t value, unsigned size);
/* Whether it has to be looked for in two words beside each other, too: it does not fit one. */
bool debug_sought_is_wide(const debug_sought *s);

#endif
