/* SPDX-License-Identifier: MIT */
/* The most frequent sequences of what can be gone through twice, in a fraction of the time and memory. */
#ifndef WEFT_TOOLS_LIB_PROFILE_SEQUENCES_SIEVE_H
#define WEFT_TOOLS_LIB_PROFILE_SEQUENCES_SIEVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/lib/profile/sequences.h"

/* Paths of the sequences that are counted first : 2 to 8 : more leave fewer to be counted then, but take longer. */
enum { SEQUENCES_FIRST = 4 };

/* For what was counted in `first` (of SEQUENCES_FIRST paths, and from events only): what is to count the same events
 * once more, so that sequences_top finds the `top` most frequent sequences of up to k > SEQUENCES_FIRST paths, or fewer
 * of them. It takes `first` over, and memory for few others. NULL, and `first` is freed: as where sequences_top gives
 * false. Not for sequences_each and sequences_add. */
sequences *sequences_again(sequences *first, unsigned k, size_t top);
/* For another part of the events, which is merged when all are counted. `other`, which has counted nothing so far, must
 * outlive it. */
sequences *sequences_like(const sequences *other);
/* Whether what came the second time can be what came the first time. */
bool sequences_same(const sequences *all);
/* Sets an activation's state by its last k - 1 paths, or all while it has fewer: the oldest first. k: sequences_k. */
void sequences_resume(sequences *all, uint32_t *place, const uint32_t *paths, size_t count);

#endif
