/* SPDX-License-Identifier: MIT */
/* Whole program paths in as few bytes as we can (Larus, "Whole program paths", section 3.3: the WPP is the grammar).
 *
 *   0xff 'W'          what it is
 *   1 byte            version (1) * 4 + method * 2 + look-ahead of the grammar
 *   varint            length of the stream
 *   4 bytes           CRC-32 of the symbols of the stream, as little-endian 32-bit values
 *   the rest          arithmetic coding (tools/lib/base/bits.h)
 *
 * Method 0, rules: the start rule, and each other rule in the place of its first use, element by element (wpp_rules.c).
 * Method 1, stream: the symbols of the stream, each predicted from those before it (wpp_stream.c); the reader makes the
 * grammar anew, since the same stream has the same grammar. The writer takes the smaller one. Rules win where loops are
 * regular, the stream where data decide. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_WPP_H
#define WEFT_TOOLS_LIB_GRAMMAR_WPP_H

#include "tools/lib/base/bits.h"
#include "tools/lib/grammar/grammar.h"

/* From malloc; `*size` bytes. */
uint8_t *wpp_write(const grammar *g, bool lookahead, size_t *size);
/* The grammar, as it was written. NULL: these bytes are no whole program path, or damaged. A stream longer than `limit` is
 * refused. */
grammar *wpp_read(const uint8_t *bytes, size_t size, uint64_t limit);
/* True if it begins like one. */
bool wpp_is(const uint8_t *bytes, size_t size);

/* ---- the two methods, for wpp.c ---- */

/* Values of new terminals: the distance from the one that was new before it. */
typedef struct wpp_values {
    bit_model bits[34], top[34];
    uint32_t last;
} wpp_values;
void wpp_values_init(wpp_values *values);
uint32_t wpp_code_value(bit_coder *c, wpp_values *values, uint32_t value);

void wpp_rules_write(bit_coder *c, const grammar *g);
grammar *wpp_rules_read(bit_coder *c, uint64_t length);
void wpp_stream_write(bit_coder *c, const grammar *g);
grammar *wpp_stream_read(bit_coder *c, uint64_t length, bool lookahead);

#endif
