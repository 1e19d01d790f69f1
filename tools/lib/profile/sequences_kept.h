/* SPDX-License-Identifier: MIT */
/* Sequences of a stream, one activation after the other. Where a sequence of k paths seldom
 * comes again, it is kept, up to a bound, and counted when it is read: that takes less time, and all cores. Other
 * streams, and longer ones, are counted as they come. */
#ifndef WEFT_TOOLS_LIB_PROFILE_SEQUENCES_KEPT_H
#define WEFT_TOOLS_LIB_PROFILE_SEQUENCES_KEPT_H

#include <stddef.h>
#include <stdint.h>

#include "tools/lib/profile/sequences.h"

enum { SEQUENCES_TRIAL = 1 << 19 };

/* `most`: paths that are kept, 4 bytes each, below 2^32. `trial`: paths after which it is decided whether the others
 * are kept or counted: a good choice is SEQUENCES_TRIAL. Only sequences_take may add paths. */
sequences *sequences_keep(unsigned k, size_t most, size_t trial);
/* `count` paths of an activation; *place is its state, 0 at its entry. Where *star is (star: not NULL), another one
 * begins. */
void sequences_take(sequences *all, uint32_t *place, const uint32_t *paths, size_t count, const uint32_t *star);

#endif
