/* SPDX-License-Identifier: MIT */
/* Grammars with runs: SEQUITUR whose symbols stand n times in a row, X^n, at no more cost than once.
 *
 *     stream  a a a b c b c d        R0 -> a^3 R1^2 d        R1 -> b c
 *
 * The count is part of a digram's identity, and two neighbours X^m X^n become X^(m+n) at once (the twins rule). So a
 * long loop costs one element, whatever its count, and one more iteration costs nothing.
 *
 * In the grammar no two neighbours are of the same symbol; no digram X^m Y^n occurs twice; each rule but the start rule
 * is used at least twice, where X^n is n uses; and its right side is longer than one symbol. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_RUNS_H
#define WEFT_TOOLS_LIB_GRAMMAR_RUNS_H

#include "tools/lib/grammar/grammar.h"

/* Memory: 28 to 60 bytes per element of the grammar, and the distinct symbols. */
typedef struct grammar_runs grammar_runs;

grammar_runs *grammar_runs_new(void);
/* Appends symbols of the stream, any 32-bit values. */
void grammar_runs_push(grammar_runs *runs, const uint32_t *symbols, size_t count);
/* Bytes of memory that it holds. */
size_t grammar_runs_bytes(const grammar_runs *runs);
/* The grammar of all symbols so far, with counts; the builder is used up and freed. */
grammar *grammar_runs_finish(grammar_runs *runs);

/* Every invariant of the builder, for tests. */
bool grammar_runs_check(const grammar_runs *runs);

#endif
