/* SPDX-License-Identifier: MIT */
/* Method "rules" of whole program path files (wpp.h): the grammar itself, element by element. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_WPP_RULES_H
#define WEFT_TOOLS_LIB_GRAMMAR_WPP_RULES_H

#include "tools/lib/base/bits.h"
#include "tools/lib/grammar/grammar.h"

void wpp_rules_write(bit_coder *c, const grammar *g);
/* `length`: of the stream. NULL: the bits are not a grammar. What it gives may have another length. */
grammar *wpp_rules_read(bit_coder *c, uint64_t length);

#endif
