/* SPDX-License-Identifier: MIT */
/* Minimal hot subpaths of a whole program path (Larus, "Whole program paths", section 4.2 and figure 7), with their
 * exact frequencies. A subpath is hot if all its occurrences in the stream together cost min_cost or more, wherever
 * they lie in the rules. It is minimal if none of its prefixes of min_length or more symbols is hot.
 *
 *     abbcabbcabbc, min_cost 6, lengths 2 to 3:      ab 3 times, cost 6;  bc 3 times, cost 6
 *
 * Each occurrence of a hot subpath overlaps one of a reported subpath. As in the paper, not all that overlap are
 * reported.
 *
 * For lengths up to `levels`: time O(T max_length), mostly far less, since what cannot become hot is left alone; memory
 * 6 to 9 bytes for each of T symbols of text, and 8 more for each of those that begin with a symbol which more than a
 * twelfth of T are. For longer ones: time O(T log T), 21 to 24 bytes. T is at most about the stream's length, and at
 * most 8 max_length per symbol of the grammar: the stream is expanded only that far. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_HOT_H
#define WEFT_TOOLS_LIB_GRAMMAR_HOT_H

#include "tools/lib/grammar/grammar.h"

enum { HOT_LEVELS = 64 }; /* a good choice of `levels` */

typedef struct hot_options {
    uint64_t min_cost;             /* of all occurrences: their number times the sum of the symbols' costs */
    size_t min_length, max_length; /* 1 <= min_length <= max_length */
    const uint64_t *costs;         /* of each terminal of the grammar; NULL: 1 each */
    size_t levels;   /* longest subpaths found symbol by symbol : 0 to 1000 : larger: less memory, may take longer */
    uint64_t memory; /* most bytes that the search may take; 0: no bound */
} hot_options;

typedef struct hot_path {
    uint32_t *symbols; /* indices of terminals */
    size_t length;
    uint64_t count;   /* occurrences in the stream, overlapping ones too */
    uint64_t cost;    /* count times the sum of the symbols' costs; UINT64_MAX if it is more */
    uint64_t covered; /* what the symbols that belong to an occurrence cost, each once; set by hot_cover */
} hot_path;

/* What was found. */
typedef struct hot_paths {
    hot_path *all; /* the reported subpaths, each once, the costliest first; from malloc */
    size_t count;
    uint64_t bytes; /* that the search takes */
} hot_paths;

typedef enum hot_status {
    HOT_FOUND,
    HOT_TOO_LONG, /* the text has more than 2^32 symbols or, for lengths above `levels`, more than 2^31 bytes, at 1 to 4
                     per symbol; fewer with a lower max_length */
    HOT_TOO_MUCH, /* it takes more memory than options->memory: `bytes` */
} hot_status;

hot_status hot_find(const grammar *g, const hot_options *options, hot_paths *paths);
/* Sets `covered` of `count` subpaths, whose symbols are indices of terminals; no two are equal. So a share of the run
 * is at most all of it: in `aaaa`, `aa` occurs three times but covers four symbols. Time: one walk over the stream. */
void hot_cover(const grammar *g, const uint64_t *costs, hot_path *paths, size_t count);
/* What all symbols of the stream cost, capped at UINT64_MAX. */
uint64_t hot_stream_cost(const grammar *g, const uint64_t *costs);
void hot_free(hot_paths *paths);

#endif
