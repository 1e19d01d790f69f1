/* SPDX-License-Identifier: MIT */
/* Reads the grammar segments that a target wrote (weft_seq_flush in core/sequitur.h). To join the segments of a long
 * recording, push their symbols into a grammar_builder. The result is the grammar of the whole stream, as if the target
 * had had memory for it.
 *
 * The segment of the text `abcdbc`, six bytes:
 *
 *     00100                   gamma(4): the start rule has 4 elements
 *     11 00111 00100          a new terminal: d = 6 * 32 + 4 = 196, the zigzag of 98; 98 after 2^32 - 1 is 97, `a`
 *     10                      a new rule, whose elements follow
 *       11 1 00010            a new terminal: d = 2, the zigzag of 1; it is `b`
 *       11 1 00010            `c`
 *       0                     the rule ends
 *     11 1 00010              `d`
 *     0 111                   4 terminals and 1 rule were met: code(4, 5), the first rule
 *
 *     R0 -> a R1 d R1         R1 -> b c */
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
