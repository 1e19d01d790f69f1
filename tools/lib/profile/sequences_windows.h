/* SPDX-License-Identifier: MIT */
/* The windows of a stream that is kept as it is: at each of its paths one of k begins, or as many as its activation
 * still has. Equal ones are found by a hash of all their paths, on all cores, and put in order by as many paths at a
 * time as go into a word. */
#ifndef WEFT_TOOLS_LIB_PROFILE_SEQUENCES_WINDOWS_H
#define WEFT_TOOLS_LIB_PROFILE_SEQUENCES_WINDOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "tools/lib/profile/sequences_equal.h"

/* The windows in the order of their paths. */
typedef struct sorted_windows {
    bool done;
    const uint32_t *rank; /* of paths, in that order */
    size_t count;
    uint64_t *sums;           /* of the counts of the windows before each */
    uint8_t *length, *shared; /* paths of each; of them, the first that the window before begins with too */
    uint32_t *fresh;          /* the others, of all windows */
    size_t fresh_count, fresh_max;
} sorted_windows;

static inline void sorted_windows_free(sorted_windows *w)
{
    free(w->sums);
    free(w->shared);
    free(w->length);
    free(w->fresh);
}

/* The windows of up to k paths, in the order of their paths by `rank` (NULL: by the paths). `s` has fewer than
 * 2^32 paths. Takes 4 bytes for each path and, for each different window, 70 to 130 and those of its paths. */
sorted_windows windows_sorted(const kept_stream *s, unsigned k, const uint32_t *rank);

#endif
