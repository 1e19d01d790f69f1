/* SPDX-License-Identifier: MIT */
/* Method "stream" of whole program path files (wpp.h): the symbols of the stream, each predicted from those before it
 * (wpp_model.h). */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_WPP_STREAM_H
#define WEFT_TOOLS_LIB_GRAMMAR_WPP_STREAM_H

#include "tools/lib/base/bits.h"
#include "tools/lib/grammar/grammar.h"

/* The method takes time for each symbol of the stream, so it is not tried on longer ones. */
enum { WPP_STREAM_LENGTH_MAX = 200000000 };

void wpp_stream_write(bit_coder *c, const grammar *g);
/* Reads `length` symbols and builds their grammar. NULL: the bits are damaged. */
grammar *wpp_stream_read(bit_coder *c, uint64_t length, bool lookahead, bool old);
/* Reads `length` symbols and gives them on, a block on one core while the next is read on another. False: the bits are
 * damaged; what came before that was given on. */
bool wpp_stream_expand(bit_coder *c, uint64_t length, bool old, grammar_emit *emit, void *context);

#endif
