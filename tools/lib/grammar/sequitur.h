/* SPDX-License-Identifier: MIT */
/* Builds the grammar of a long stream: SEQUITUR and SEQUITUR(1) (Larus, "Whole program paths", section 3). It is the
 * same grammar as core/sequitur.h makes, for up to 2^30 symbols on right sides.
 *
 *     stream  a b c d b c      R0 -> a b c d b c      the digram b c stands there twice, so it becomes a rule:
 *                              R0 -> a R1 d R1
 *                              R1 -> b c */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_SEQUITUR_H
#define WEFT_TOOLS_LIB_GRAMMAR_SEQUITUR_H

#include "tools/lib/grammar/grammar.h"

/* Builds a grammar symbol by symbol. Memory: 20 to 40 bytes per symbol of the grammar, and the distinct symbols. */
typedef struct grammar_builder grammar_builder;

/* With `lookahead`, SEQUITUR(1): it looks one symbol ahead before it makes a rule. */
grammar_builder *grammar_builder_new(bool lookahead);
/* Appends symbols of the stream, any 32-bit values. */
void grammar_push(grammar_builder *builder, const uint32_t *symbols, size_t count);
/* The same; in their place the symbols' numbers are left, in the order of first appearance. */
void grammar_push_numbered(grammar_builder *builder, uint32_t *symbols, size_t count);
/* The symbols by their numbers, until more are pushed. */
const uint32_t *grammar_builder_terminals(const grammar_builder *builder, size_t *count);
/* Elements on all right sides so far, and rules. */
size_t grammar_builder_elements(const grammar_builder *builder);
/* Bytes of memory that it holds. */
size_t grammar_builder_bytes(const grammar_builder *builder);
/* The grammar of all symbols so far. The builder is used up and freed. */
grammar *grammar_finish(grammar_builder *builder);

#endif
