/* SPDX-License-Identifier: MIT */
/* Reads the grammar segments that a target wrote (weft_seq_flush in core/sequitur.h). Segments of a long recording are
 * joined into one grammar by pushing their symbols into a grammar_builder: the result is the grammar of the whole stream,
 * as if the target had had memory for it. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_SEGMENT_H
#define WEFT_TOOLS_LIB_GRAMMAR_SEGMENT_H

#include "tools/lib/grammar/grammar.h"

/* The grammar of a segment; rules are numbered as they are met first. NULL: it is damaged. An empty segment is an empty
 * grammar. Time and memory grow with `size` alone, however long the stream is that it stands for.
 * `codes`: the segment is of the first form (WEFT_CONTROL_CODES): an element is code(v, t + r + 2), where v = t + r is a new terminal,
 * followed by gamma(d / 8 + 1) and d % 8 in 3 bits, and v = t + r + 1 a new rule; all else as at weft_seq_flush. */
grammar *grammar_segment_read(const uint8_t *bytes, size_t size, bool codes);

#endif
