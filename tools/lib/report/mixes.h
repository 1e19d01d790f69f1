/* SPDX-License-Identifier: MIT */
/* What ran in each bin of time: which chains of calls (nodes of tools/lib/profile/functions.h), for how long, and on
 * which path most. A bin keeps the MIXES_PARTS chains that cost most, in the order in which they came; the rest is
 * added up. Memory is fixed. */
#ifndef WEFT_TOOLS_LIB_REPORT_MIXES_H
#define WEFT_TOOLS_LIB_REPORT_MIXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MIXES_PARTS = 12 };

typedef struct mix_part {
    uint32_t node, path; /* path: the one that cost most, if one cost more than half */
    uint64_t cost;
    uint64_t votes; /* by which `path` leads (majority vote) */
} mix_part;

typedef struct mix {
    mix_part part[MIXES_PARTS];
    uint32_t count;
    uint64_t other; /* cost of what has no part */
} mix;

/* `bins` of them, all empty; free() ends them. */
mix *mixes_new(uint32_t bins);
void mixes_add(mix *bin, uint32_t node, uint32_t path, uint64_t cost);
/* Bins 2i and 2i+1 become bin i, of which there are bins / 2. */
void mixes_fold(mix *all, uint32_t bins);

#endif
