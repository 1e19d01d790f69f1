/* SPDX-License-Identifier: MIT */
/* Reads the grammar segments that a target wrote (weft_seq_flush in core/sequitur.h). To join the segments of a long
 * recording, push their symbols into a grammar_builder. The result is the grammar of the whole stream, as if the target
 * had had memory for it. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_SEGMENT_H
#define WEFT_TOOLS_LIB_GRAMMAR_SEGMENT_H

#include "tools/lib/grammar/grammar.h"

/* The grammar of a segment; rules are numbered in the order in which they are met. NULL: it is damaged. An empty
 * segment is an empty grammar. Time and memory grow with `size` alone, however long the stream is that it stands for.
 * `codes`: the segment is of the first form (WEFT_CONTROL_CODES), which differs from weft_seq_flush in this: an element
 * is code(v, t + r + 2). There v = t + r is a new terminal, followed by gamma(d / 8 + 1) and d % 8 in 3 bits, and v = t
 * + r + 1 is a new rule. */
grammar *grammar_segment_read(const uint8_t *bytes, size_t size, bool codes);

#endif
