/* SPDX-License-Identifier: MIT */
/* Minimal hot subpaths of a whole program path (Larus, "Whole program paths", section 4.2 and figure 7), with their exact
 * frequencies. Both take one visit of each rule and at most L steps for each symbol of the grammar; the stream is
 * never expanded. */
#ifndef WEFT_TOOLS_LIB_HOT_H
#define WEFT_TOOLS_LIB_HOT_H

#include "tools/lib/grammar.h"

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

/* The subpaths that figure 7 reports, each once, the costliest first. From malloc; `*count` of them. */
hot_path *hot_find(const grammar *g, const hot_options *options, size_t *count);
void hot_free(hot_path *paths, size_t count);

/* Sets the count of each path. Paths need not be hot; they are distinct and not empty. */
void hot_count(const grammar *g, hot_path *paths, size_t count);

#endif
