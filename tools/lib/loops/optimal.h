/* SPDX-License-Identifier: MIT */
/* The optimal nest of a sequence (Xu, Subhlok & Hammen, section IV): the repeat with the longest body; of those the one
 * with most iterations; of those the earliest; then in the same way the part left of it, its body, and the part right
 * of it.
 *
 *     abaababaabaab      the longest body is abaab: (abaab)^2 aab      then its body, and what is right of it:
 *                        (ab(a)^2b)^2(a)^2b
 *
 * O(n log n); at most 40 bytes per symbol beside the input. */
#ifndef WEFT_TOOLS_LIB_LOOPS_OPTIMAL_H
#define WEFT_TOOLS_LIB_LOOPS_OPTIMAL_H

#include "tools/lib/loops/nest.h"

/* `symbols` may have any values; `size` is at most NEST_SIZE_MAX. Free the nest with nest_free. */
nest *nest_optimal(const uint32_t *symbols, size_t size);

/* Replaces a sequence of items that exist in `n` by its optimal nest, in place; gives the number of items that are
 * left. */
size_t nest_reduce(nest *n, uint32_t *items, size_t size);

#endif
