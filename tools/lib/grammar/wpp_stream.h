/* SPDX-License-Identifier: MIT */
/* Method "stream" of whole program path files (wpp.h): the symbols of the stream, each predicted from those before
 * it. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_WPP_STREAM_H
#define WEFT_TOOLS_LIB_GRAMMAR_WPP_STREAM_H

#include "tools/lib/base/bits.h"
#include "tools/lib/grammar/grammar.h"

void wpp_stream_write(bit_coder *c, const grammar *g);
/* Reads `length` symbols and builds their grammar. NULL: the bits are damaged. */
grammar *wpp_stream_read(bit_coder *c, uint64_t length, bool lookahead, bool old);

#endif
