/* SPDX-License-Identifier: MIT */
/* Minimal hot subpaths of a whole program path (Larus, "Whole program paths", section 4.2 and figure 7), with their exact
 * frequencies. A subpath is hot if it costs min_cost or more in the whole stream, however its occurrences lie in the rules, and
 * minimal if none of its prefixes of min_length or more is hot. Each occurrence of a hot subpath overlaps one of a reported
 * subpath: as in the paper, not all that overlap are reported.
 *
 * Time O(T log T) and memory 21 to 24 bytes for each of T symbols of text, and 24 a hot subpath: T is about the stream's length at
 * most, and at most 8 max_length for each symbol of the grammar; the stream is expanded only as far as that. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_HOT_H
#define WEFT_TOOLS_LIB_GRAMMAR_HOT_H

#include "tools/lib/grammar/grammar.h"

typedef struct hot_options {
    uint64_t min_cost;             /* of a subpath: its frequency times the sum of its symbols' costs */
    size_t min_length, max_length; /* 1 <= min_length <= max_length */
    const uint64_t *costs;         /* of each terminal of the grammar; NULL: 1 each */
} hot_options;

typedef struct hot_path {
    uint32_t *symbols; /* indices of terminals */
    size_t length;
    uint64_t count; /* occurrences in the stream, overlapping ones too */
    uint64_t cost;  /* count times the sum of the symbols' costs; UINT64_MAX if it is more */
} hot_path;

/* The reported subpaths, each once, the costliest first; from malloc, `*count` of them. False: there is too much text, more than
 * 2^31 bytes at 1 to 4 a symbol. */
bool hot_find(const grammar *g, const hot_options *options, hot_path **paths, size_t *count);
void hot_free(hot_path *paths, size_t count);

#endif
