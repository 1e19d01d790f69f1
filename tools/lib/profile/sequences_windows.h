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

enum { WINDOWS_AT_ONCE = 1 << 10 /* windows of a block */ };

/* The windows in the order of their paths, in blocks, each of which can be read by itself. */
typedef struct sorted_windows {
    bool done;
    const uint32_t *rank; /* of paths, in that order */
    size_t count;
    uint64_t *sums;           /* of the counts of the windows before each */
    uint8_t *length, *shared; /* paths of each; of them, the first that the window before begins with too */
    uint32_t **fresh; /* of each block: all paths of its first window, and those of the others that are not shared */
} sorted_windows;

static inline size_t sorted_windows_blocks(const sorted_windows *w)
{
    return (w->count + WINDOWS_AT_ONCE - 1) / WINDOWS_AT_ONCE;
}

/* For `count` windows, all of whose numbers are to be set. */
sorted_windows sorted_windows_new(size_t count, const uint32_t *rank);
void sorted_windows_free(sorted_windows *w);

/* How far the paths of a block are filled in. */
typedef struct fresh_paths {
    size_t count, max;
} fresh_paths;

/* Sets window i, `length` paths of which the window before begins with `shared` ones, but not its sum. The windows of a
 * block come in order, beginning with an empty `filled`; several threads may fill a block each. */
void sorted_windows_set(sorted_windows *w, fresh_paths *filled, size_t i, const uint32_t *path, unsigned length,
                        unsigned shared);

/* The windows of up to k paths, in the order of their paths by `rank` (NULL: by the paths). `s` has fewer than
 * 2^32 paths. Takes 4 bytes for each path and, for each different window, 70 to 130 and those of its paths. */
sorted_windows windows_sorted(const kept_stream *s, unsigned k, const uint32_t *rank);

#endif
