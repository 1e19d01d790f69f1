/* SPDX-License-Identifier: MIT */
/* Whole program path files, as small as possible (Larus, "Whole program paths", section 3.3: the WPP is the grammar).
 *
 *   0xff 'W'          what it is
 *   1 byte            version (3) * 4 + method * 2 + look-ahead of the grammar
 *   varint            length of the stream
 *   4 bytes           CRC-32 of all other bytes of the file
 *   the rest          arithmetic coding (tools/lib/base/bits.h)
 *
 * Version 1 has there the CRC-32 of the stream's symbols, as little-endian 32-bit values. Versions 1 and 2 predict
 * symbols in another way (wpp_model.c). They are still read.
 *
 * Method 0, rules: the start rule, and each other rule in the place of its first use, element by element (wpp_rules.c).
 * Method 1, stream: the symbols of the stream, each predicted from those before it (wpp_model.c). The reader builds
 * the grammar again, since the same stream has the same grammar. The writer takes the method that gives fewer bytes.
 * Rules win where loops are regular, the stream where data decide. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_WPP_H
#define WEFT_TOOLS_LIB_GRAMMAR_WPP_H

#include "tools/lib/grammar/grammar.h"
#include "tools/lib/grammar/wpp_ahead.h"

/* From malloc; `*size` bytes. `lookahead`: how the grammar was built. `ahead`: NULL, or what all its symbols were
 * pushed to, which saves time. */
uint8_t *wpp_write(const grammar *g, bool lookahead, wpp_ahead *ahead, size_t *size);
/* The grammar, as it was written. NULL: these bytes are not a whole program path, or damaged, or the stream is longer
 * than `limit` symbols. */
grammar *wpp_read(const uint8_t *bytes, size_t size, uint64_t limit);
/* Gives the stream on without its grammar, which takes less time and memory. False: as wpp_read; symbols may have been
 * given on before that was seen, though not where bytes changed after the file was written. `emit` may be called by
 * another thread; once it returns false, no more comes, and the value is true. */
bool wpp_expand(const uint8_t *bytes, size_t size, uint64_t limit, grammar_emit *emit, void *context);
/* True if the bytes begin like a whole program path. */
bool wpp_is(const uint8_t *bytes, size_t size);

#endif
