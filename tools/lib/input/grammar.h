/* SPDX-License-Identifier: MIT */
/* Grammars as text and as JSON, written and read back.
 *
 *   R0 -> R1 2 R1        one rule per line, the start rule first. Rn is rule n, anything else a symbol of the stream
 *   R1 -> 1 1            \R1 is the symbol "R1", \\a the symbol "\a", \x20 the byte 0x20
 *
 *   R0 => R1^160 2       => instead of ->, in all lines: the grammar has runs. x^n is x, n times in a row
 *   R1 => 1^2 3          a symbol whose own text ends like that always has a count
 *
 *   Lines that begin with # are passed over.
 *
 *   {"grammar": [[{"rule": 1}, 2, {"rule": 1}], [1, 1]], ...}
 *
 *   and with runs {"rule": 1, "count": 160} and {"symbol": 1, "count": 2}. */
#ifndef WEFT_TOOLS_LIB_INPUT_GRAMMAR_H
#define WEFT_TOOLS_LIB_INPUT_GRAMMAR_H

#include <stdio.h>

#include "tools/lib/grammar/grammar.h"
#include "tools/lib/image/places.h"
#include "tools/lib/input/input.h"

/* `in` names the terminals, which were read from it. `shown`: on a terminal, so their names are made fit for it
 * (tools/lib/base/text.h), and are not read back. */
void grammar_print(const grammar *g, const input *in, input_format format, bool shown, FILE *file);
/* One object with length, rules, symbols and grammar. `where` (or NULL): the symbols are paths, and places says where
 * each lies. */
void grammar_print_json(const grammar *g, const input *in, input_format format, const path_places *where, FILE *file);

/* A grammar that was read, and the texts of its symbols. The terminals of `rules` are indices into `names`. */
typedef struct grammar_file {
    grammar *rules;
    char **names;
    size_t name_count;
    bool numbers; /* the names are the values of 32-bit symbols, even if the format is chars */
} grammar_file;

/* Reads a grammar from `size` bytes, whichever they are: text, JSON, or a binary whole program path of at most `limit`
 * symbols (tools/lib/grammar/wpp.h). NULL: it is not a grammar, and `error` says what is wrong and where. */
grammar_file *grammar_read(const char *bytes, size_t size, uint64_t limit, char error[200]);
/* What grammar_read says of a whole program path that it refuses. */
const char *grammar_no_path(uint64_t limit, char error[200]);
void grammar_file_free(grammar_file *file);

#endif
